#pragma once

#include <string_view>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"
#include "plimsoll/formats/shape/model_shape.h"

namespace plimsoll::formats {

// The numbers of the model that a config.json describes, read by key and never by model name: the family
// comes from `model_type`, else from `architectures`, else from the keys themselves. What the file leaves out
// is taken from the family's class (transformers 5.17) and listed in `assumed`; what cannot be read is listed
// in `not_analysed`. A document that is no model config is `unsupported`; a value that cannot be what its key
// says (-5 layers, "768", 10^21) is `bad_input` with the key first in its message.
Result<ModelShape> shape_from_config(const Json& config, std::string_view name);

}  // namespace plimsoll::formats
