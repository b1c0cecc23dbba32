#pragma once

#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/cli/doctor/doctor.h"

namespace plimsoll::cli {

// LibTorch's version, the BLAS it loaded, its threads and the rate of a matrix product whose result is
// checked.
std::vector<DoctorCheck> examine_torch();

}  // namespace plimsoll::cli
