#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/arch/big_count.h"
#include "plimsoll/arch/spec.h"

namespace plimsoll::arch {

// One trainable tensor; matrices are (out, in), stacks of experts or blocks (n, out, in).
struct TensorShape {
    std::string name;  // "layers.0.attention.query.weight"
    std::vector<std::int64_t> shape;

    [[nodiscard]] Count size() const;
    bool operator==(const TensorShape&) const = default;
};

// Every trainable tensor of the network, in the order of the forward pass; tied matrices and shared layers
// once.
std::vector<TensorShape> tensors(const ArchSpec& spec);

}  // namespace plimsoll::arch
