#include "plimsoll/fit/propose/shape_maker.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "plimsoll/arch/count.h"
#include "plimsoll/arch/gated_ffn.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/numbers.h"
#include "plimsoll/base/text.h"
#include "plimsoll/fit/request.h"

namespace plimsoll::fit {
namespace {

constexpr std::int64_t usual_expansion = 4, table_expansion = 2;
constexpr double hidden_low = 0.5, hidden_high = 2;  // of the usual size
constexpr double wanted_tolerance = 0.005;           // of the budget, for round hidden sizes
constexpr std::int64_t most_head = 64, eight = 8;

// Widths that are offered, from 8 on: finer where a step is a larger share.
struct WidthStep {
    std::int64_t up_to, step;
};
constexpr std::array width_steps{WidthStep{32, 4}, WidthStep{128, 8}, WidthStep{512, 16},
                                 WidthStep{32'768, 64}};

const std::vector<std::int64_t>& all_widths() {
    static const std::vector<std::int64_t> list = [] {
        std::vector<std::int64_t> made;
        std::int64_t width = 4;
        for (const auto& row : width_steps)
            while (width < row.up_to) made.push_back(width += row.step);
        return made;
    }();
    return list;
}

// Those whose heads are multiples of eight.
const std::vector<std::int64_t>& widths_of_eights() {
    static const std::vector<std::int64_t> list = [] {
        std::vector<std::int64_t> made = all_widths();
        std::erase_if(made, [](std::int64_t width) { return !heads_of_eights(width); });
        return made;
    }();
    return list;
}

// The size that heads should have.
std::int64_t wanted_head(std::int64_t width) { return std::clamp(width / 4, least_head, most_head); }

bool classifies(Modality modality) { return modality != Modality::text && modality != Modality::tokens; }

// What a spec's text says about the input.
std::string input_keys(const std::string& family, const InputChoice& input, const DataLook& look) {
    const std::string classes = classifies(look.modality) ? fmt::format(",classes={}", look.classes) : "";
    if (look.modality == Modality::images) {
        return fmt::format("patch={},image={},image_width={},image_channels={}{}", input.patch,
                           look.image_height, look.image_width, look.image_channels, classes);
    }
    const char* length = family == "transformer" ? "context" : "tokens";
    return fmt::format("vocab={},{}={}{}", input.vocab, length, input.tokens, classes);
}

std::string style_for(const DataLook& look, const std::string& asked) {
    if (asked != automatic_style) return asked;
    return classifies(look.modality) ? "gpt2" : "modern";
}

std::string base_text(const std::string& family, const InputChoice& input, const DataLook& look,
                      const std::string& style) {
    if (family == "mlp") return "mlp:depth=1,width=8," + input.spec_keys.value_or("");
    const std::string sizes =
        family == "transformer" ? "width=8,heads=1,style=" + style_for(look, style) : "channels=8";
    return fmt::format("{}:depth=1,{},{}", family, sizes, input_keys(family, input, look));
}

std::int64_t parameters(const arch::ArchSpec& spec) {
    return static_cast<std::int64_t>(arch::parameter_count(spec).real());
}

void set_sizes(arch::TransformerSpec& s, std::int64_t depth, std::int64_t width, std::int64_t hidden) {
    s.depth = s.layer_groups = depth;
    s.width = width;
    s.ffn = hidden;
}

void set_heads(arch::TransformerSpec& s, std::int64_t heads) {
    s.heads = s.kv_heads = heads;
    s.head_dim = s.value_dim = s.width / heads;
}

void set_sizes(arch::MixerSpec& s, std::int64_t depth, std::int64_t width, std::int64_t hidden) {
    s.depth = depth;
    s.channels = width;
    s.channel_hidden = hidden;
    if (s.permuted.empty()) return;
    s.permuted.resize(static_cast<std::size_t>(depth));
    std::iota(s.permuted.begin(), s.permuted.end(), std::int64_t{1});
}

void set_sizes(arch::MlpSpec& s, std::int64_t depth, std::int64_t width, std::int64_t hidden) {
    s.net.depth = depth;
    s.net.width = width;
    s.hidden = hidden;
}

// Half the width in steps of four; 0, not factorised, where that is no saving.
std::int64_t half_rank(std::int64_t width, std::int64_t vocab) {
    const std::int64_t rank = (width / 2 + 3) / 4 * 4;
    return rank < std::min(width, vocab) ? rank : 0;
}

}  // namespace

Line line_of(const std::string& family) {
    if (family == "mlp") return Line::usual;
    return family == "transformer" ? Line::load_line : Line::log2_channels;
}

std::string_view name_of(Line line) {
    switch (line) {
        case Line::load_line:
            return "the load line";
        case Line::log2_channels:
            return "log2 C";
        case Line::usual:
            return "the usual depth";
    }
    return "";
}

Status check_reads(const std::string& family, Modality modality) {
    PLIMSOLL_RETURN_IF_ERROR(check_family(family));
    if (family == "rp-mixer" && !classifies(modality))
        return unsupported("families",
                           "rp-mixer permutes positions, so it cannot predict the next token of a text");
    if ((family == "mlp") == (modality == Modality::rows)) return {};
    return bad_input("families", family == "mlp" ? "mlp races on tables alone"
                                                 : family + " does not read the rows of a table; mlp does");
}

std::vector<std::string> racing_families() { return {"transformer", "mixer", "rp-mixer", "mlp"}; }

Status check_family(const std::string& family) {
    const auto known = racing_families();
    if (std::ranges::find(known, family) != known.end()) return {};
    return bad_input("families", fmt::format("{} does not race{}", family, suggestion(family, known)));
}

std::int64_t usual_heads(std::int64_t width) {
    std::int64_t heads = std::max<std::int64_t>(1, width / wanted_head(width));
    while (width % heads != 0) --heads;
    return heads;
}

std::optional<std::int64_t> heads_of_eights(std::int64_t width) {
    const double wanted = std::clamp(real(width) / 4, real(least_head), real(most_head));
    std::optional<std::int64_t> best;
    const auto off = [&](std::int64_t size) { return std::abs(std::log(real(size) / wanted)); };
    for (std::int64_t size = eight; size <= most_head; size += eight) {
        const bool near = 3 * real(size) >= 2 * wanted && 3 * real(size) <= 4 * wanted;
        if (width % size == 0 && near && (!best || off(size) < off(width / *best))) best = width / size;
    }
    return best;
}

Result<ShapeMaker> ShapeMaker::make(const std::string& family, const InputChoice& input, const DataLook& look,
                                    std::int64_t budget, const std::string& style, HeadSizes heads) {
    PLIMSOLL_RETURN_IF_ERROR(check_reads(family, look.modality));
    PLIMSOLL_ASSIGN(base, arch::parse_spec(base_text(family, input, look, style)));
    ShapeMaker maker;
    maker.family_ = family;
    maker.input_ = input;
    maker.budget_ = budget;
    if (family == "transformer") maker.heads_ = heads;
    maker.base_ = std::move(base);
    maker.choose_expansion();
    return maker;
}

// A mixer has the most effective width for its connections where S = C: of the expansions 4, 2 and 1 the one
// that comes nearest to it at log2 C to 2 log2 C blocks.
void ShapeMaker::choose_expansion() {
    if (std::holds_alternative<arch::MlpSpec>(base_)) expansion_ = table_expansion;
    auto* mixer = std::get_if<arch::MixerSpec>(&base_);
    if (mixer == nullptr) return;
    double nearest = 1e300;
    std::int64_t chosen = 1;
    for (const std::int64_t expansion : {usual_expansion, std::int64_t{2}, std::int64_t{1}}) {
        expansion_ = expansion;
        mixer->token_hidden = expansion * mixer->tokens;
        const Sized size = best_width(6, {});
        if (size.ratio < hidden_low) continue;
        const double distance = std::abs(std::log(real(size.width) / real(mixer->tokens)));
        if (distance >= nearest) continue;
        nearest = distance;
        chosen = expansion;
    }
    expansion_ = chosen;
    mixer->token_hidden = chosen * mixer->tokens;
}

arch::ArchSpec ShapeMaker::sized(std::int64_t depth, std::int64_t width, std::int64_t hidden,
                                 const ShapeOptions& options) const {
    arch::ArchSpec spec = base_;
    if (auto* mixer = std::get_if<arch::MixerSpec>(&spec)) {
        set_sizes(*mixer, depth, width, hidden);
        return spec;
    }
    if (auto* mlp = std::get_if<arch::MlpSpec>(&spec)) {
        set_sizes(*mlp, depth, width, hidden);
        if (options.gelu) mlp->net.activation = arch::Activation::gelu;
        return spec;
    }
    auto& net = std::get<arch::TransformerSpec>(spec);
    set_sizes(net, depth, width, hidden);
    const auto eights = heads_ == HeadSizes::eights ? heads_of_eights(width) : std::nullopt;
    set_heads(net, options.heads > 0 && width % options.heads == 0 ? options.heads
                                                                   : eights.value_or(usual_heads(width)));
    if (options.half_rank) {
        net.embedding_rank = half_rank(width, net.vocab);
        if (net.head == arch::HeadKind::vocab) net.head_rank = net.embedding_rank;
    }
    return spec;
}

// Four times the width (a mixer: what its tokens leave room for), or as many numbers in a gated layer.
std::int64_t ShapeMaker::usual_hidden(std::int64_t width) const {
    const auto* net = std::get_if<arch::TransformerSpec>(&base_);
    const bool gated = net != nullptr && net->ffn_matrices == 3;
    return gated ? arch::gated_ffn(width, arch::modern_ffn_multiple) : expansion_ * width;
}

ShapeMaker::Sized ShapeMaker::needed(std::int64_t depth, std::int64_t width,
                                     const ShapeOptions& options) const {
    const std::int64_t usual = usual_hidden(width);
    const std::int64_t at_usual = parameters(sized(depth, width, usual, options));
    const std::int64_t slope = parameters(sized(depth, width, usual + 1, options)) - at_usual;
    const double hidden = real(usual) + real(budget_ - at_usual) / real(slope);
    return {width, hidden, hidden / real(usual)};
}

// The ratio falls as the width grows: the last width above its usual hidden size or the next one.
ShapeMaker::Sized ShapeMaker::best_width(std::int64_t depth, const ShapeOptions& options) const {
    const auto& grid = heads_ == HeadSizes::eights ? widths_of_eights() : all_widths();
    const auto next = std::partition_point(grid.begin(), grid.end(), [&](std::int64_t width) {
        return needed(depth, width, options).ratio >= 1;
    });
    if (next == grid.begin()) return needed(depth, *next, options);
    const Sized below = needed(depth, *(next - 1), options);
    if (next == grid.end()) return below;
    const Sized above = needed(depth, *next, options);
    if (above.ratio <= 0) return below;
    return -std::log(above.ratio) < std::log(below.ratio) ? above : below;
}

// The roundest hidden size that meets the budget.
std::optional<arch::ArchSpec> ShapeMaker::trimmed(std::int64_t depth, const Sized& size,
                                                  const ShapeOptions& options) const {
    std::optional<arch::ArchSpec> found;
    for (const std::int64_t step : {64, 16, 8, 4, 2, 1}) {
        const std::int64_t hidden =
            std::max(step, static_cast<std::int64_t>(std::llround(size.hidden / real(step))) * step);
        auto spec = sized(depth, size.width, hidden, options);
        const double off = std::abs(real(parameters(spec)) / real(budget_) - 1);
        if (off <= wanted_tolerance) return spec;
        if (step == 1 && off <= budget_tolerance) found = std::move(spec);
    }
    return found;
}

std::optional<arch::ArchSpec> ShapeMaker::at(std::int64_t depth, const ShapeOptions& options) const {
    const Sized size = best_width(depth, options);
    if (size.ratio < hidden_low || size.ratio > hidden_high) return std::nullopt;
    auto spec = trimmed(depth, size, options);
    if (!spec || !arch::validate(*spec).ok()) return std::nullopt;
    return spec;
}

arch::ArchSpec ShapeMaker::nearest(std::int64_t depth) const {
    if (auto spec = at(depth)) return *std::move(spec);
    const Sized size = best_width(depth, {});
    const double hidden = std::clamp(size.ratio, hidden_low, hidden_high) * real(usual_hidden(size.width));
    return sized(depth, size.width, std::max<std::int64_t>(1, std::llround(hidden)), {});
}

std::optional<arch::ArchSpec> ShapeMaker::with_heads(const arch::ArchSpec& spec, std::int64_t heads) {
    arch::ArchSpec other = spec;
    auto* net = std::get_if<arch::TransformerSpec>(&other);
    if (net == nullptr || heads < 1 || net->width % heads != 0) return std::nullopt;
    set_heads(*net, heads);
    if (net->positions == arch::PositionKind::rope && net->head_dim % 2 == 1) return std::nullopt;
    return other;
}

ShapeNumbers numbers_of(const arch::ArchSpec& spec) {
    if (const auto* s = std::get_if<arch::MixerSpec>(&spec))
        return {s->depth, s->channels, 0, s->channel_hidden, 0, s->tokens};
    if (const auto* s = std::get_if<arch::MlpSpec>(&spec))
        return {s->net.depth, s->net.width, 0, s->hidden, 0, 0};
    const auto& s = std::get<arch::TransformerSpec>(spec);
    return {s.depth, s.width, s.heads, s.ffn, s.embedding_rank, 0};
}

}  // namespace plimsoll::fit
