#include "plimsoll/audit/weights/head_counts.h"

#include <algorithm>

#include "plimsoll/audit/weights/weight_reader.h"
#include "plimsoll/base/format.h"

namespace plimsoll::audit {
namespace {

using formats::TensorInfo;

Error sizes_disagree(const AttentionTensors& layer, const std::string& what) {
    return unsupported(layer.name, what);
}

Status check_matrices(const AttentionTensors& layer) {
    for (const TensorInfo* tensor : {layer.query, layer.key, layer.value, layer.output, layer.query_first}) {
        if (tensor == nullptr || (tensor->shape.size() == 2 && tensor->elements > 0)) continue;
        return sizes_disagree(layer, fmt::format("{} is not a matrix", tensor->name));
    }
    return {};
}

// The number of heads, when the shape speaks of this layer: a vision tower beside a text model has other
// widths.
std::size_t known_heads(const AttentionTensors& layer, const formats::ModelShape& shape,
                        std::size_t queries) {
    if (shape.width && static_cast<std::uint64_t>(*shape.width) != input_width(layer)) return 0;
    const auto divides = [queries](std::int64_t part) {
        return part > 0 && queries % static_cast<std::uint64_t>(part) == 0;
    };
    if (shape.heads && divides(*shape.heads)) return static_cast<std::size_t>(*shape.heads);
    if (!shape.heads && shape.head_dim && divides(*shape.head_dim)) {
        return queries / static_cast<std::size_t>(*shape.head_dim);
    }
    return 0;
}

Result<HeadCounts> checked(const AttentionTensors& layer, const HeadCounts& counts, bool fits) {
    if (fits && counts.head_dim > 0 && counts.value_dim > 0) return counts;
    const std::string heads =
        counts.known ? fmt::format("{} heads", counts.heads) : std::string("an unknown number of heads");
    return sizes_disagree(layer, fmt::format("the sizes of its projections do not fit {}", heads));
}

Result<HeadCounts> separate_counts(const AttentionTensors& layer, const formats::ModelShape& shape) {
    const std::size_t queries = rows_of(*layer.query), keys = rows_of(*layer.key),
                      values = rows_of(*layer.value);
    HeadCounts counts;
    counts.heads = known_heads(layer, shape, queries);
    counts.known = counts.heads > 0;
    if (!counts.known) {
        counts = {1, 1, queries, values};
        return checked(layer, counts, keys == queries && cols_of(*layer.output) == values);
    }
    counts.head_dim = queries / counts.heads;
    counts.kv_heads = std::max<std::size_t>(1, keys / counts.head_dim);
    counts.value_dim = values / counts.kv_heads;
    return checked(layer, counts,
                   keys == counts.kv_heads * counts.head_dim &&
                       values == counts.kv_heads * counts.value_dim && counts.heads % counts.kv_heads == 0 &&
                       cols_of(*layer.output) == counts.heads * counts.value_dim);
}

// heads x dim is the output's input; what the fused tensor has beyond it are keys and values in equal parts.
Result<HeadCounts> fused_counts(const AttentionTensors& layer, const formats::ModelShape& shape) {
    const std::size_t fused = outputs_of(*layer.query, layer.input_first);
    const std::size_t queries = inputs_of(*layer.output, layer.input_first);
    HeadCounts counts;
    counts.heads = known_heads(layer, shape, queries);
    counts.known = counts.heads > 0;
    if (!counts.known) {
        counts = {1, 1, queries, queries};
        return checked(layer, counts, fused == 3 * queries && layer.layout == AttentionLayout::stacked);
    }
    counts.head_dim = counts.value_dim = queries / counts.heads;
    const std::size_t rest = fused > queries ? fused - queries : 0;
    counts.kv_heads = std::max<std::size_t>(1, rest / (2 * counts.head_dim));
    return checked(layer, counts,
                   rest == 2 * counts.kv_heads * counts.head_dim && counts.heads % counts.kv_heads == 0);
}

Result<HeadCounts> latent_counts(const AttentionTensors& layer, const formats::ModelShape& shape) {
    const std::size_t latent = cols_of(*layer.value), queries = rows_of(*layer.query);
    HeadCounts counts;
    counts.heads = counts.kv_heads = known_heads(layer, shape, queries);
    counts.known = counts.heads > 0;
    if (!counts.known) return checked(layer, counts, false);
    counts.rotary = rows_of(*layer.key) - std::min(latent, rows_of(*layer.key));
    counts.head_dim = queries / counts.heads;
    const std::size_t plain = counts.head_dim - std::min(counts.rotary, counts.head_dim);
    const std::size_t both = rows_of(*layer.value) / counts.heads;
    counts.value_dim = both - std::min(plain, both);
    const bool query_fits = !layer.query_first || rows_of(*layer.query_first) == cols_of(*layer.query);
    return checked(layer, counts,
                   query_fits && rows_of(*layer.key) >= latent && counts.head_dim >= counts.rotary &&
                       rows_of(*layer.value) == counts.heads * (plain + counts.value_dim) &&
                       cols_of(*layer.output) == counts.heads * counts.value_dim);
}

}  // namespace

std::size_t outputs_of(const TensorInfo& tensor, bool input_first) {
    return input_first ? cols_of(tensor) : rows_of(tensor);
}

std::size_t inputs_of(const TensorInfo& tensor, bool input_first) {
    return input_first ? rows_of(tensor) : cols_of(tensor);
}

std::size_t input_width(const AttentionTensors& layer) {
    if (layer.query_first != nullptr) return cols_of(*layer.query_first);
    return inputs_of(*layer.query, layer.input_first);
}

Result<HeadCounts> head_counts(const AttentionTensors& layer, const formats::ModelShape& shape) {
    PLIMSOLL_RETURN_IF_ERROR(check_matrices(layer));
    switch (layer.layout) {
        case AttentionLayout::separate:
            return separate_counts(layer, shape);
        case AttentionLayout::latent:
            return latent_counts(layer, shape);
        case AttentionLayout::stacked:
        case AttentionLayout::grouped:
            return fused_counts(layer, shape);
    }
    PLIMSOLL_CHECK(false, "an unknown layout");
}

}  // namespace plimsoll::audit
