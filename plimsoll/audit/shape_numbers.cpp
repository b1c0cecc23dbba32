#include "plimsoll/audit/shape_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "plimsoll/base/format.h"

namespace plimsoll::audit {
namespace {

using formats::ModelKind;
using Number = ModelShape::Number;

constexpr std::int64_t largest_number = std::int64_t{1} << 31;

struct NamedNumber {
    const char* name;
    Number ModelShape::* field;
};

constexpr std::array at_least_one{
    NamedNumber{"depth", &ModelShape::depth},
    NamedNumber{"decoder_depth", &ModelShape::decoder_depth},
    NamedNumber{"layer_groups", &ModelShape::layer_groups},
    NamedNumber{"width", &ModelShape::width},
    NamedNumber{"heads", &ModelShape::heads},
    NamedNumber{"kv_heads", &ModelShape::kv_heads},
    NamedNumber{"head_dim", &ModelShape::head_dim},
    NamedNumber{"value_head_dim", &ModelShape::value_head_dim},
    NamedNumber{"q_lora_rank", &ModelShape::q_lora_rank},
    NamedNumber{"kv_lora_rank", &ModelShape::kv_lora_rank},
    NamedNumber{"rope_head_dim", &ModelShape::rope_head_dim},
    NamedNumber{"vocab", &ModelShape::vocab},
    NamedNumber{"embedding_rank", &ModelShape::embedding_rank},
    NamedNumber{"output_rank", &ModelShape::output_rank},
    NamedNumber{"patch_height", &ModelShape::patch_height},
    NamedNumber{"patch_width", &ModelShape::patch_width},
    NamedNumber{"patch_depth", &ModelShape::patch_depth},
    NamedNumber{"channels", &ModelShape::channels},
    NamedNumber{"image_height", &ModelShape::image_height},
    NamedNumber{"image_width", &ModelShape::image_width},
    NamedNumber{"input_dim", &ModelShape::input_dim},
    NamedNumber{"context", &ModelShape::context},
    NamedNumber{"positional_rank", &ModelShape::positional_rank},
    NamedNumber{"tokens", &ModelShape::tokens},
    NamedNumber{"token_ffn", &ModelShape::token_ffn},
    NamedNumber{"channel_ffn", &ModelShape::channel_ffn},
};

constexpr std::array at_least_zero{
    NamedNumber{"ffn", &ModelShape::ffn},
    NamedNumber{"ffn_matrices", &ModelShape::ffn_matrices},
    NamedNumber{"experts", &ModelShape::experts},
    NamedNumber{"experts_active", &ModelShape::experts_active},
    NamedNumber{"shared_experts", &ModelShape::shared_experts},
    NamedNumber{"expert_ffn", &ModelShape::expert_ffn},
    NamedNumber{"dense_layers", &ModelShape::dense_layers},
    NamedNumber{"state_size", &ModelShape::state_size},
};

void drop_outside(ModelShape& shape, const NamedNumber& named, std::int64_t lowest,
                  std::vector<NotAnalysed>& not_analysed) {
    Number& number = shape.*named.field;
    if (!number || (*number >= lowest && *number <= largest_number)) return;
    not_analysed.push_back(
        {named.name, fmt::format("must be {} to {}, got {}", lowest, largest_number, *number)});
    number.reset();
}

// The product, or nothing when it leaves 64 bits.
std::optional<std::int64_t> product(std::initializer_list<std::int64_t> factors) {
    std::int64_t out = 1;
    for (const std::int64_t factor : factors)
        if (__builtin_mul_overflow(out, factor, &out)) return std::nullopt;
    return out;
}

std::optional<InputRank> patch_input(const ModelShape& shape) {
    if (!shape.patch_height || !shape.patch_width) return std::nullopt;
    const std::int64_t channels = shape.channels.value_or(1), frames = shape.patch_depth.value_or(1);
    const auto size = product({*shape.patch_height, *shape.patch_width, frames, channels});
    if (!size) return std::nullopt;
    const std::string depth = frames == 1 ? "" : fmt::format(" x {}", frames);
    return InputRank{
        0, *size,
        fmt::format("patch {} x {}{} x {}", *shape.patch_height, *shape.patch_width, depth, channels),
        "the patch", false};
}

std::optional<InputRank> token_input(const ModelShape& shape) {
    if (!shape.vocab) return std::nullopt;
    if (shape.embedding_rank && *shape.embedding_rank < *shape.vocab)
        return InputRank{0, *shape.embedding_rank,
                         fmt::format("factorised embedding of rank {}", *shape.embedding_rank),
                         "the embedding", true};
    return InputRank{0, *shape.vocab, fmt::format("vocabulary of {}", *shape.vocab), "the vocabulary", true};
}

}  // namespace

ModelShape checked_shape(ModelShape shape, std::vector<NotAnalysed>& not_analysed) {
    for (const auto& named : at_least_one) drop_outside(shape, named, 1, not_analysed);
    for (const auto& named : at_least_zero) drop_outside(shape, named, 0, not_analysed);
    return shape;
}

bool has_attention(const ModelShape& shape) {
    switch (shape.kind) {
        case ModelKind::decoder:
        case ModelKind::encoder:
        case ModelKind::encoder_decoder:
            return true;
        case ModelKind::unknown:
            return shape.heads.has_value() && shape.width.has_value();
        default:
            return false;
    }
}

std::optional<std::int64_t> deepest_stack(const ModelShape& shape) {
    if (!shape.depth || !shape.decoder_depth) return shape.depth ? shape.depth : shape.decoder_depth;
    return std::max(*shape.depth, *shape.decoder_depth);
}

std::optional<std::int64_t> attention_dim(const ModelShape& shape) {
    if (!shape.heads || !shape.head_dim) return std::nullopt;
    return product({*shape.heads, *shape.head_dim});
}

std::optional<double> attention_over_width(const ModelShape& shape) {
    const auto attention = attention_dim(shape);
    if (!attention || !shape.width) return std::nullopt;
    return static_cast<double>(*attention) / static_cast<double>(*shape.width);
}

std::optional<InputRank> input_rank(const ModelShape& shape) {
    if (!shape.width) return std::nullopt;
    auto input = patch_input(shape);
    if (!input && shape.input_dim)
        input = InputRank{0, *shape.input_dim, fmt::format("input of {} numbers", *shape.input_dim),
                          "the input", false};
    if (!input) input = token_input(shape);
    if (!input) return std::nullopt;
    input->rank = std::min(input->limit, *shape.width);
    return input;
}

std::optional<double> input_rank_over_width(const ModelShape& shape) {
    const auto input = input_rank(shape);
    if (!input) return std::nullopt;
    return static_cast<double>(input->rank) / static_cast<double>(*shape.width);
}

theory::Integer gram_entries(std::int64_t width) {
    return floor_div(theory::Integer(width) * (width + 1), 2);
}

double share(const theory::Integer& a, const theory::Integer& b) { return a.to_double() / b.to_double(); }

}  // namespace plimsoll::audit
