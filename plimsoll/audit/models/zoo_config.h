#pragma once

#include <string_view>

#include "plimsoll/formats/shape/model_shape.h"

namespace plimsoll::audit {

// The shape with what its family adds, read as from a config.json: `words` is "model_type=gpt2 key=value
// ...", the keys that the numbers of the row do not give. Numbers of the row stay as they are.
formats::ModelShape with_family(const formats::ModelShape& row, std::string_view words);

}  // namespace plimsoll::audit
