#pragma once

#include <string_view>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"
#include "plimsoll/formats/shape/model_shape.h"

namespace plimsoll::formats {

// The numbers of the model that a GGUF's metadata describe, by the key names on disk. Long arrays may stand
// as
// {"count": n}. What the metadata lack is listed in `assumed` and `not_analysed`; metadata that are no object
// are an error.
Result<ModelShape> shape_from_gguf(const Json& metadata, std::string_view name);

}  // namespace plimsoll::formats
