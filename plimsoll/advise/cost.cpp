#include "plimsoll/advise/cost.h"

#include <algorithm>

#include "plimsoll/arch/gated_ffn.h"
#include "plimsoll/arch/limits.h"

namespace plimsoll::advise {
namespace {

constexpr std::int64_t enough_heads = 4;
// From this size on heads come in even numbers where they can: cards share a layer by its heads.
constexpr std::int64_t shared_head_dim = 64;
// OPT keeps two rows of its position table for padding.
constexpr std::int64_t opt_extra_rows = 2;

std::int64_t round_up(std::int64_t value, std::int64_t step) { return (value + step - 1) / step * step; }

std::int64_t dense(std::int64_t in, std::int64_t out, bool bias) { return in * out + (bias ? out : 0); }

// The steps in which people choose widths.
std::int64_t usual_step(std::int64_t width) {
    if (width >= 8192) return 1024;
    if (width >= 2048) return 256;
    return width >= 1024 ? 128 : 1;
}

std::int64_t attention_width(const Layout& a) { return a.heads * a.head_dim; }

// Weights of one layer that multiply every token.
std::int64_t layer_products(const Layout& a) {
    const std::int64_t matrices = a.block == Block::llama ? 3 : 2;
    return 4 * a.width * attention_width(a) + matrices * a.width * a.ffn;
}

std::int64_t layer_vectors(const Layout& a) {
    if (a.block == Block::llama) return 2 * a.width;
    return 3 * attention_width(a) + a.width + a.ffn + a.width + 4 * a.width;
}

std::int64_t position_rows(const AdviceRequest& r, const Layout& a) {
    if (a.block == Block::llama) return 0;
    return r.context + (a.embedding_rank > 0 ? opt_extra_rows : 0);
}

std::int64_t table_cells(const AdviceRequest& r, const Layout& a) {
    if (a.embedding_rank == 0) return r.vocab * a.width;
    return r.vocab * a.embedding_rank + 2 * a.embedding_rank * a.width;
}

std::int64_t patch_cells(const AdviceRequest& r, const Layout& a) {
    if (!r.image.used()) return 0;
    const std::int64_t class_token = a.width;
    const bool bias = a.block == Block::gpt2;
    return dense(r.image.patch_dim(), a.width, bias) + class_token;
}

std::int64_t transformer_parameters(const AdviceRequest& r, const Layout& a) {
    const std::int64_t final_norm = (a.block == Block::llama ? 1 : 2) * a.width;
    return a.depth * (layer_products(a) + layer_vectors(a)) + final_norm + table_cells(r, a) +
           patch_cells(r, a) + position_rows(r, a) * a.width +
           (r.classes > 0 ? dense(a.width, r.classes, true) : 0);
}

double transformer_flops(const AdviceRequest& r, const Layout& a) {
    const auto real = [](std::int64_t value) { return static_cast<double>(value); };
    const double scores = 2 * real(r.context) * real(attention_width(a));
    const double per_token = 2 * real(a.depth) * (real(layer_products(a)) + scores);
    if (r.image.used()) {
        const double patches = real(r.image.patches()) * real(r.image.patch_dim()) * real(a.width);
        return real(r.context) * per_token + 2 * patches + 2 * real(a.width) * real(r.classes);
    }
    return per_token + 2 * real(table_cells(r, a));
}

std::int64_t mlp(std::int64_t size) {
    return dense(size, mlp_expansion * size, true) + dense(mlp_expansion * size, size, true);
}

std::int64_t mixer_parameters(const AdviceRequest& r, const Layout& a) {
    const std::int64_t norms = (2 * a.depth + 1) * 2 * a.width;
    const std::int64_t patches = r.image.used() ? dense(r.image.patch_dim(), a.width, true) : 0;
    const std::int64_t head = r.classes > 0 ? dense(a.width, r.classes, true) : 0;
    return a.depth * (mlp(a.tokens) + mlp(a.width)) + norms + patches + head;
}

double mixer_flops(const AdviceRequest& r, const Layout& a) {
    const auto s = static_cast<double>(a.tokens), c = static_cast<double>(a.width);
    const double block = 2.0 * mlp_expansion * (s * s * c + c * c * s);
    const double patches = r.image.used() ? s * static_cast<double>(r.image.patch_dim()) * c : 0;
    return 2 * (static_cast<double>(a.depth) * block + patches + c * static_cast<double>(r.classes));
}

arch::TransformerSpec transformer_spec(const AdviceRequest& r, const Layout& a) {
    arch::TransformerSpec s;
    s.depth = s.layer_groups = a.depth;
    s.width = a.width;
    s.heads = s.kv_heads = a.heads;
    s.head_dim = s.value_dim = a.head_dim;
    s.vocab = r.vocab;
    s.ffn = a.ffn;
    s.context = r.context;
    s.tied = r.vocab > 0;
    s.head = r.vocab > 0 ? arch::HeadKind::vocab : arch::HeadKind::none;
    if (r.image.used()) {
        s.image = r.image;
        s.stack = arch::Stack::encoder;
        s.extra_tokens = 1;
        s.patch_bias = a.block == Block::gpt2;
        s.classes = r.classes;
        if (r.classes > 0) s.head = arch::HeadKind::classes, s.head_bias = true;
    }
    if (a.embedding_rank > 0) {
        s.embedding_rank = s.head_rank = a.embedding_rank;
        if (a.block == Block::gpt2) s.context += opt_extra_rows;
    }
    if (a.block == Block::llama) {
        s.ffn_matrices = 3;
        s.activation = arch::Activation::silu;
        s.norm = arch::Norm::rms;
        s.norm_bias = s.qkv_bias = s.out_bias = s.ffn_bias = false;
        s.positions = arch::PositionKind::rope;
    }
    return s;
}

arch::MixerSpec mixer_spec(const AdviceRequest& r, const Layout& a) {
    arch::MixerSpec s;
    s.depth = a.depth;
    s.tokens = a.tokens;
    s.channels = a.width;
    s.token_hidden = mlp_expansion * a.tokens;
    s.channel_hidden = mlp_expansion * a.width;
    s.image = r.image;
    s.classes = r.classes;
    return s;
}

}  // namespace

CostModel::CostModel(const AdviceRequest& request, Block block, TableRank table, bool free_heads)
    : request_(request), block_(block), table_(table), free_heads_(free_heads && block == Block::llama) {
    std::sort(request_.head_dims.begin(), request_.head_dims.end(), std::greater<>());
}

// The largest size offered that divides the width and leaves four heads or more, in an even number where that
// can be, else the smallest that divides: fewer heads never cost capacity (R5), and four cost 0.05 of a
// layer.
std::int64_t CostModel::head_dim_for(std::int64_t width) const {
    for (const auto size : request_.head_dims)
        if (size >= shared_head_dim && width % (2 * size) == 0 && width / size >= enough_heads) return size;
    std::int64_t found = 0;
    for (const auto size : request_.head_dims) {
        if (width % size != 0) continue;
        found = size;
        if (width / size >= enough_heads) break;
    }
    if (found > 0 || !free_heads_) return found;
    const auto excess = [&](std::int64_t size) { return round_up(width, size); };
    return *std::min_element(request_.head_dims.begin(), request_.head_dims.end(),
                             [&](auto a, auto b) { return excess(a) < excess(b); });
}

std::int64_t CostModel::rank_for(std::int64_t width) const {
    if (request_.vocab == 0 || table_ == TableRank::full) return 0;
    const std::int64_t wanted =
        table_ == TableRank::given ? *request_.embedding_rank : round_up(width / 2, request_.multiple_of);
    return wanted < std::min(width, request_.vocab) ? wanted : 0;
}

std::int64_t CostModel::tokens(std::int64_t width) const {
    if (request_.image.used()) return request_.image.patches();
    return request_.context > 0 ? request_.context : width;
}

Layout CostModel::layout(std::int64_t depth, std::int64_t width) const {
    Layout a;
    a.block = block_;
    a.depth = depth;
    a.width = width;
    if (request_.family == AdviceFamily::mixer) {
        a.tokens = tokens(width);
        a.ffn = mlp_expansion * width;
        return a;
    }
    a.head_dim = std::max<std::int64_t>(1, head_dim_for(width));
    a.heads = round_up(width, a.head_dim) / a.head_dim;
    a.ffn = block_ == Block::llama ? arch::gated_ffn(width, request_.multiple_of) : mlp_expansion * width;
    a.embedding_rank = rank_for(width);
    return a;
}

std::int64_t CostModel::parameters(const Layout& layout) const {
    return request_.family == AdviceFamily::mixer ? mixer_parameters(request_, layout)
                                                  : transformer_parameters(request_, layout);
}

double CostModel::forward_flops(const Layout& layout) const {
    return request_.family == AdviceFamily::mixer ? mixer_flops(request_, layout)
                                                  : transformer_flops(request_, layout);
}

double CostModel::kv_bytes_per_token(const Layout& layout) const {
    if (request_.family == AdviceFamily::mixer || request_.image.used()) return 0;
    return kv_value_bytes * 2 * static_cast<double>(layout.depth) *
           static_cast<double>(attention_width(layout));
}

arch::ArchSpec CostModel::spec(const Layout& layout) const {
    if (request_.family == AdviceFamily::mixer) return mixer_spec(request_, layout);
    return transformer_spec(request_, layout);
}

bool CostModel::allowed(std::int64_t width) const {
    if (width < 1 || width > arch::max_width || width % request_.multiple_of != 0) return false;
    if (request_.usual_widths && width % usual_step(width) != 0) return false;
    return request_.family == AdviceFamily::mixer || head_dim_for(width) > 0;
}

std::int64_t CostModel::allowed_up_to(std::int64_t limit) const {
    std::int64_t width = std::min(limit, arch::max_width) / request_.multiple_of * request_.multiple_of;
    while (width > 0 && !allowed(width)) width -= request_.multiple_of;
    return width;
}

std::int64_t CostModel::widest(std::int64_t depth, std::int64_t budget) const {
    const std::int64_t step = request_.multiple_of;
    const auto fits = [&](std::int64_t steps) { return parameters(layout(depth, steps * step)) <= budget; };
    std::int64_t low = 0, high = arch::max_width / step + 1;
    while (high - low > 1) {
        const std::int64_t middle = (low + high) / 2;
        (fits(middle) ? low : high) = middle;
    }
    return allowed_up_to(low * step);
}

}  // namespace plimsoll::advise
