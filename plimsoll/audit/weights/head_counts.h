#pragma once

#include <cstddef>

#include "plimsoll/audit/weights/weight_names.h"
#include "plimsoll/base/result.h"
#include "plimsoll/formats/shape/model_shape.h"

namespace plimsoll::audit {

// The heads of one layer, from the sizes of its tensors and the number of heads.
struct HeadCounts {
    std::size_t heads = 1, kv_heads = 1;
    std::size_t head_dim = 0, value_dim = 0;
    std::size_t rotary = 0;  // latent: the part of head_dim that all heads' keys share
    bool known = false;      // false: the number of heads is not known and all count as one

    // Query heads that share a key-value head.
    [[nodiscard]] std::size_t sharing() const { return heads / kv_heads; }
};

// Checks that the layer's tensors fit together; an error says which sizes do not.
Result<HeadCounts> head_counts(const AttentionTensors& layer, const formats::ModelShape& shape);

// Size of the vectors the layer's queries are made of.
std::size_t input_width(const AttentionTensors& layer);

// Features a projection makes and takes.
std::size_t outputs_of(const formats::TensorInfo& tensor, bool input_first);
std::size_t inputs_of(const formats::TensorInfo& tensor, bool input_first);

}  // namespace plimsoll::audit
