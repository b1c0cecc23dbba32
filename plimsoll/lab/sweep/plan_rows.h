#pragma once

#include <string>

#include "plimsoll/lab/jobs/calibrate.h"

namespace plimsoll::lab {

// The plan for programs, with the seconds of each job where there is a calibration (else null). A job has all
// its steps, shared ones too; `trunks`, where there are any, says which.
Json plan_json(const Plan& plan, const Calibration* cost);

// One line a job under a line of names, comma-separated (RFC 4180); what is not known is empty.
std::string plan_csv(const Plan& plan, const Calibration* cost);

}  // namespace plimsoll::lab
