#include "plimsoll/arch/tensors.h"

#include <algorithm>

#include "plimsoll/arch/tensor_list.h"

namespace plimsoll::arch {

Count TensorShape::size() const {
    Count product = 1;
    for (const auto side : shape) product *= side;
    return product;
}

std::vector<TensorShape> tensors(const ArchSpec& spec) {
    return std::visit([](const auto& s) { return list_tensors(s); }, spec);
}

std::vector<TensorShape> list_tensors(const AttentionSpec& s) {
    TensorList out;
    if (s.embedding != InputEmbedding::none) {
        const bool full = s.embedding_rank == std::min(s.width, s.vocab);
        if (full) out.add("embedding.weight", {s.width, s.vocab});
        if (!full) out.add("embedding.inner.weight", {s.embedding_rank, s.vocab});
        if (!full) out.add("embedding.outer.weight", {s.width, s.embedding_rank});
    }
    if (s.positions == Positions::free) out.add("positions.weight", {s.width, s.context});
    if (s.positions == Positions::ranked) {
        out.add("positions.inner.weight", {s.position_rank, s.context});
        out.add("positions.outer.weight", {s.width, s.position_rank});
    }
    for (std::int64_t l = 0; l < s.depth; ++l) {
        const std::string layer = fmt::format("layers.{}.", l);
        for (const char* side : {"query", "key", "value"})
            out.add(layer + side, {s.heads, s.head_dim, s.width});
        out.add(layer + "output", {s.heads, s.width, s.head_dim});
    }
    return out.take();
}

std::vector<TensorShape> list_tensors(const SquareMixerSpec& s) {
    TensorList out;
    for (std::int64_t l = 0; l < s.depth; ++l) {
        const std::int64_t side = l % 2 == 0 ? s.rows : s.cols;
        out.add(fmt::format("layers.{}.weight", l), {side, side});
    }
    return out.take();
}

std::vector<TensorShape> list_tensors(const SquareMlpSpec& s) {
    TensorList out;
    for (std::int64_t l = 0; l < s.depth; ++l) out.add(fmt::format("layers.{}.weight", l), {s.rows, s.rows});
    return out.take();
}

}  // namespace plimsoll::arch
