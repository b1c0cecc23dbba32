#include "plimsoll/run/parameterization.h"

#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::run {
namespace {

constexpr ScalePower unscaled{}, per_width{.width = -1}, per_root_width{.width = -0.5},
    per_heads{.heads = -1}, per_depth{.depth = -1}, per_both{.width = -1, .depth = -1},
    heads_per_both{.width = -1, .heads = 1, .depth = -1};

// "m", "sqrt(l)"; only halves and wholes occur.
std::string factor_text(std::string_view letter, double power) {
    return power == 0.5 ? fmt::format("sqrt({})", letter) : std::string(letter);
}

bool is_scaled(const RunConfig& config) {
    return config.model.parameterization != Parameterization::standard;
}

std::int64_t width_of(const arch::ArchSpec& spec) {
    if (const auto* s = std::get_if<arch::TransformerSpec>(&spec)) return s->width;
    if (const auto* s = std::get_if<arch::MlpSpec>(&spec)) return s->net.width;
    return std::get<arch::MixerSpec>(spec).channels;
}

std::int64_t depth_of(const arch::ArchSpec& spec) {
    if (const auto* s = std::get_if<arch::TransformerSpec>(&spec)) return s->depth;
    if (const auto* s = std::get_if<arch::MlpSpec>(&spec)) return s->net.depth;
    return std::get<arch::MixerSpec>(spec).depth;
}

// Whether the layers are residual branches.
bool has_branches(const arch::ArchSpec& spec) {
    if (const auto* s = std::get_if<arch::MixerSpec>(&spec)) return s->skip;
    if (const auto* s = std::get_if<arch::MlpSpec>(&spec)) return s->net.skip;
    return true;
}

double over(std::int64_t a, std::int64_t b) { return static_cast<double>(a) / static_cast<double>(b); }

// Depth has no multipliers under mup: its base shape is as deep as the network.
std::int64_t depth_of_base(const ModelSettings& model) {
    return model.parameterization == Parameterization::completep ? model.base_depth : depth_of(model.spec);
}

ShapeRatios ratios_of(const ModelSettings& model) {
    ShapeRatios ratios;
    ratios.width = over(width_of(model.spec), model.base_width);
    ratios.depth = over(depth_of(model.spec), depth_of_base(model));
    if (model.base_heads > 0)
        ratios.heads = over(std::get<arch::TransformerSpec>(model.spec).heads, model.base_heads);
    return ratios;
}

// The shrinking per step, rate times decay, is the same in every shape: adamw's is that product, adam adds
// the decay to a gradient of the size of epsilon's multiplier.
double decay_multiplier(const TensorScale& scale, OptimizerKind optimizer) {
    return optimizer == OptimizerKind::adam ? scale.epsilon / scale.rate : 1 / scale.rate;
}

TensorScale tensor_scale(const arch::TensorShape& tensor, const RunConfig& config,
                         const ShapeRatios& ratios) {
    const auto& spec = config.model.spec;
    const KindRow& row = parameterization_table()[static_cast<std::size_t>(tensor_kind(tensor, spec))];
    TensorScale scale;
    if (has_wide_columns(tensor, spec)) scale.columns = ratios.width;
    scale.start = row.start.at(ratios);
    scale.rate = row.rate.at(ratios);
    scale.epsilon = row.epsilon.at(ratios);
    scale.decay = decay_multiplier(scale, config.optimizer.kind);
    scale.use = is_output_too(tensor, spec) ? per_width.at(ratios) : row.use.at(ratios);
    return scale;
}

// Queries and keys become aligned, so scores grow as head_dim and want 1 / head_dim; softmax has
// 1 / sqrt(head_dim) already, linear attention has nothing.
double score_multiplier(const arch::ArchSpec& spec, const ShapeRatios& ratios) {
    const auto* s = std::get_if<arch::TransformerSpec>(&spec);
    if (s == nullptr) return 1;
    const double grown = ratios.width / ratios.heads;  // head_dim
    return s->attention == arch::AttentionKind::linear ? 1 / grown : 1 / std::sqrt(grown);
}

Status check_left_out(const ModelSettings& model) {
    if (model.base_width > 0)
        return bad_input("model.base_width", "only mup and completep have it; leave it out");
    if (model.base_depth > 0) return bad_input("model.base_depth", "only completep has it; leave it out");
    if (model.base_heads > 0)
        return bad_input("model.base_heads", "only mup and completep have it; leave it out");
    return {};
}

Status check_base(const ModelSettings& model) {
    const bool deep = model.parameterization == Parameterization::completep;
    const std::string name = deep ? "completep" : "mup";
    if (model.base_width == 0)
        return bad_input("model.base_width", name + " needs it: the width whose best rate is known");
    if (deep && model.base_depth == 0)
        return bad_input("model.base_depth", "completep needs it: the depth whose best rate is known");
    if (!deep && model.base_depth > 0)
        return bad_input("model.base_depth", "only completep has it; leave it out");
    const bool heads = std::holds_alternative<arch::TransformerSpec>(model.spec);
    if (!heads && model.base_heads > 0)
        return bad_input("model.base_heads", "is for transformers; this family has no heads");
    return {};
}

Status check_network(const ModelSettings& model) {
    const bool known = std::holds_alternative<arch::TransformerSpec>(model.spec) ||
                       std::holds_alternative<arch::MixerSpec>(model.spec) ||
                       std::holds_alternative<arch::MlpSpec>(model.spec);
    if (!known) {
        return unsupported(
            "model.parameterization",
            fmt::format("mup and completep are for transformers, mixers and mlp; {} takes standard",
                        arch::family_name(model.spec)));
    }
    if (!has_branches(model.spec) && model.parameterization == Parameterization::completep)
        return unsupported("model.parameterization",
                           "completep scales residual branches, which skip=off leaves out; use mup");
    return {};
}

}  // namespace

double ScalePower::at(const ShapeRatios& ratios) const {
    return std::pow(ratios.width, width) * std::pow(ratios.heads, heads) * std::pow(ratios.depth, depth);
}

std::string ScalePower::text() const {
    std::vector<std::string> above, below;
    for (const auto& [letter, power] :
         {std::pair{"h", heads}, std::pair{"m", width}, std::pair{"l", depth}}) {
        if (power != 0) (power > 0 ? above : below).push_back(factor_text(letter, std::abs(power)));
    }
    const std::string top = above.empty() ? "1" : join(above, " ");
    if (below.empty()) return top;
    return below.size() == 1 ? top + "/" + below.front() : fmt::format("{}/({})", top, join(below, " "));
}

const std::vector<KindRow>& parameterization_table() {
    using enum TensorKind;
    static const std::vector<KindRow> table{
        {input, "input",
         "tables of tokens, positions, segments and categories, patches, columns of numbers, factors that "
         "write the width, vectors outside the branches",
         unscaled, unscaled, per_width, unscaled},
        {output, "output", "the matrix that reads the width to logits, or to the rank of a factorised head",
         unscaled, unscaled, per_width, per_width},
        {hidden, "hidden", "matrices of the width outside the branches: pooler, head transform",
         per_root_width, per_width, per_width, unscaled},
        {narrowing, "narrowing", "a head transform to a rank", per_root_width, per_width, unscaled, unscaled},
        {branch_matrix, "branch matrix", "attention, feed-forward, channel mixing", per_root_width, per_width,
         per_both, unscaled},
        {branch_vector, "branch vector", "biases and norms in the branches", unscaled, unscaled, per_both,
         unscaled},
        {head_norm, "head norm", "norms of queries and keys that all heads share (`qk_norm=head`)", unscaled,
         unscaled, heads_per_both, unscaled},
        {stream_norm, "stream norm", "norms after every residual sum (`norm_order=post`)", unscaled,
         per_depth, per_width, unscaled},
        {token_mixing, "token mixing", "the token MLP of a mixer, with its biases", unscaled, unscaled,
         per_depth, unscaled},
        {score_table, "score table", "relative positions", unscaled, unscaled, per_heads, unscaled},
        {fixed, "fixed", "tables of a rank, biases of the logits", unscaled, unscaled, unscaled, unscaled},
    };
    return table;
}

NetworkScale network_scale(const RunConfig& config) {
    const auto shapes = arch::tensors(config.model.spec);
    NetworkScale result;
    if (!is_scaled(config)) {
        result.tensors.resize(shapes.size());
        return result;
    }
    const ShapeRatios ratios = ratios_of(config.model);
    for (const auto& shape : shapes) result.tensors.push_back(tensor_scale(shape, config, ratios));
    result.residual = 1 / ratios.depth;
    result.scores = score_multiplier(config.model.spec, ratios);
    result.depth = depth_of_base(config.model);
    return result;
}

Status check_parameterization(const RunConfig& config) {
    const auto& model = config.model;
    if (!is_scaled(config)) return check_left_out(model);
    PLIMSOLL_RETURN_IF_ERROR(check_network(model));
    PLIMSOLL_RETURN_IF_ERROR(check_base(model));
    if (model.init == "ntk")
        return bad_input("model.init", "ntk is itself a parameterization; use another init");
    if (config.optimizer.kind == OptimizerKind::sgd)
        return unsupported("optimizer.kind",
                           "mup and completep are made for adam and adamw; sgd's rates "
                           "follow other powers of the width");
    return {};
}

}  // namespace plimsoll::run
