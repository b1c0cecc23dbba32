#include "plimsoll/exporter/folding.h"

#include <string_view>

#include "plimsoll/base/format.h"
#include "plimsoll/run/parameterization.h"

namespace plimsoll::exporter {
namespace {

using arch::TransformerSpec;

bool belongs_to(std::string_view tensor, std::string_view module) {
    return tensor.ends_with(fmt::format("{}.weight", module)) ||
           tensor.ends_with(fmt::format("{}.bias", module));
}

// The last module of attention or feed-forward before the residual sum.
bool ends_branch(std::string_view tensor, const TransformerSpec& spec) {
    if (spec.norm_order == arch::NormOrder::both)
        return belongs_to(tensor, "attention_post_norm") || belongs_to(tensor, "ffn_post_norm");
    return belongs_to(tensor, "attention.output") || belongs_to(tensor, "ffn.down");
}

// What makes the queries as they meet the keys; rope only turns them.
bool makes_queries(std::string_view tensor, const TransformerSpec& spec) {
    return belongs_to(tensor,
                      spec.qk_norm == arch::QkNorm::none ? "attention.query" : "attention.query_norm");
}

// The norm whose values the vocabulary matrix reads.
std::string norm_before_head(const TransformerSpec& spec) {
    if (spec.head_transform) return "head.norm";
    return spec.final_norm ? "final_norm" : fmt::format("layers.{}.ffn_norm", spec.depth - 1);
}

// The multiplier of a token table where it is the output matrix: as a table it has none.
double table_use(const run::NetworkScale& scale, const std::vector<arch::TensorShape>& shapes,
                 const TransformerSpec& spec) {
    for (std::size_t k = 0; k < shapes.size(); ++k)
        if (run::is_output_too(shapes[k], spec)) return scale.tensors[k].use;
    return 1;
}

}  // namespace

std::vector<double> folded_multipliers(const run::RunConfig& config) {
    const auto& spec = std::get<TransformerSpec>(config.model.spec);
    const auto shapes = arch::tensors(spec);
    const run::NetworkScale scale = run::network_scale(config);
    const double of_table = table_use(scale, shapes, spec);
    std::vector<double> multipliers;
    for (std::size_t k = 0; k < shapes.size(); ++k) {
        const std::string& name = shapes[k].name;
        double multiplier = run::is_output_too(shapes[k], spec) ? 1 : scale.tensors[k].use;
        if (ends_branch(name, spec)) multiplier *= scale.residual;
        if (makes_queries(name, spec)) multiplier *= scale.scores;
        if (belongs_to(name, norm_before_head(spec))) multiplier *= of_table;
        multipliers.push_back(multiplier);
    }
    return multipliers;
}

}  // namespace plimsoll::exporter
