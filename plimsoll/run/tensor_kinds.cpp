#include "plimsoll/run/tensor_kinds.h"

#include <string_view>

#include "plimsoll/base/check.h"

namespace plimsoll::run {
namespace {

using arch::MixerSpec;
using arch::MlpSpec;
using arch::TransformerSpec;

// A bias, or the gain of a norm.
bool is_vector(std::string_view name) { return name.ends_with("bias") || name.ends_with("norm.weight"); }

TensorKind wide_unless(bool narrow) { return narrow ? TensorKind::fixed : TensorKind::input; }

// Tensors whose rows have the width, or a rank that stays.
TensorKind embedding_kind(std::string_view name, const TransformerSpec& s) {
    const bool ranked = s.positions_in_rank;  // what is added to the tokens has their rank
    if (name == "tokens.weight") return wide_unless(s.embedding_rank > 0);
    if (name == "positions.weight") return wide_unless(ranked || s.position_rank > 0);
    const bool added =
        name == "segments.weight" || name.starts_with("embedding_norm") || name == "positions.factor.weight";
    return wide_unless(added && ranked);
}

TensorKind head_kind(std::string_view name, const TransformerSpec& s) {
    const bool ranked = s.head_rank > 0;
    if (name == "head.transform.weight") return ranked ? TensorKind::narrowing : TensorKind::hidden;
    if (name == "head.factor.weight") return TensorKind::output;
    if (name == "head.weight") return ranked ? TensorKind::fixed : TensorKind::output;
    return wide_unless(ranked || name == "head.bias");
}

TensorKind layer_kind(std::string_view name, const TransformerSpec& s) {
    const bool of_stream =
        s.norm_order == arch::NormOrder::post &&
        (name.find(".attention_norm.") != name.npos || name.find(".ffn_norm.") != name.npos);
    if (of_stream) return TensorKind::stream_norm;
    const bool of_heads = name.find(".query_norm.") != name.npos || name.find(".key_norm.") != name.npos;
    if (of_heads && s.qk_norm == arch::QkNorm::head) return TensorKind::head_norm;
    return is_vector(name) ? TensorKind::branch_vector : TensorKind::branch_matrix;
}

TensorKind kind_of(std::string_view name, const TransformerSpec& s) {
    if (name.find("layers.") != name.npos) return layer_kind(name, s);
    if (name.ends_with("relative_positions.weight")) return TensorKind::score_table;
    if (name.starts_with("head.")) return head_kind(name, s);
    return name == "pooler.weight" ? TensorKind::hidden : embedding_kind(name, s);
}

TensorKind kind_of(std::string_view name, const MixerSpec&) {
    if (name == "head.weight") return TensorKind::output;
    if (name == "head.bias") return TensorKind::fixed;
    if (!name.starts_with("blocks.")) return TensorKind::input;
    if (name.find(".tokens.") != name.npos) return TensorKind::token_mixing;
    return is_vector(name) ? TensorKind::branch_vector : TensorKind::branch_matrix;
}

TensorKind kind_of(std::string_view name, const MlpSpec&) {
    if (name == "head.weight") return TensorKind::output;
    if (name == "head.bias") return TensorKind::fixed;
    if (!name.starts_with("layers.")) return TensorKind::input;
    return is_vector(name) ? TensorKind::branch_vector : TensorKind::branch_matrix;
}

}  // namespace

TensorKind tensor_kind(const arch::TensorShape& tensor, const arch::ArchSpec& spec) {
    if (const auto* s = std::get_if<TransformerSpec>(&spec)) return kind_of(tensor.name, *s);
    if (const auto* s = std::get_if<MixerSpec>(&spec)) return kind_of(tensor.name, *s);
    const auto* s = std::get_if<MlpSpec>(&spec);
    PLIMSOLL_CHECK(s != nullptr, "only transformers, mixers and mlp have kinds of tensors");
    return kind_of(tensor.name, *s);
}

bool has_wide_columns(const arch::TensorShape& tensor, const arch::ArchSpec& spec) {
    const std::string& name = tensor.name;
    switch (tensor_kind(tensor, spec)) {
        case TensorKind::output:
        case TensorKind::hidden:
        case TensorKind::narrowing:
        case TensorKind::branch_matrix:
            return true;
        case TensorKind::input:  // tables have the width as rows; other matrices read a size that stays
            return !is_vector(name) && !name.starts_with("patches.") && name != "input.weight" &&
                   !name.ends_with(".factor.weight");
        default:
            return false;
    }
}

bool is_output_too(const arch::TensorShape& tensor, const arch::ArchSpec& spec) {
    if (tensor.name != "tokens.weight") return false;
    if (const auto* s = std::get_if<TransformerSpec>(&spec))
        return s->head == arch::HeadKind::vocab && s->tied && s->head_rank == 0;
    const auto* s = std::get_if<MixerSpec>(&spec);
    return s != nullptr && s->tied;
}

}  // namespace plimsoll::run
