#pragma once

#include <string>

#include "plimsoll/arch/spec.h"
#include "plimsoll/base/result.h"
#include "plimsoll/formats/shape/model_shape.h"

// Between the architectures that plimsoll trains and the numbers of existing models.
namespace plimsoll::target {

// The numbers of a spec, counted as `plimsoll count` does.
formats::ModelShape shape_from_spec(const arch::ArchSpec& spec, const std::string& name);

// The spec with the same tensors. `unsupported` with the reason where there is none: the spec that is
// returned has exactly the parameters that are predicted from the shape.
Result<arch::ArchSpec> spec_from_shape(const formats::ModelShape& shape);

}  // namespace plimsoll::target
