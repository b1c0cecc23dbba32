#pragma once

#include <string_view>

#include "plimsoll/base/result.h"
#include "plimsoll/formats/shape/model_shape.h"
#include "plimsoll/formats/tensor_table.h"

namespace plimsoll::formats {

// The numbers of a model as far as the names and shapes of its tensors show them: depth from the numbering of
// repeated blocks, width from norms and embeddings, the rest from what each tensor is for. What a header does
// not hold (mostly the number of heads) is listed in `not_analysed`. A table without tensors is an error.
Result<ModelShape> shape_from_tensors(const TensorTable& table, std::string_view name);

}  // namespace plimsoll::formats
