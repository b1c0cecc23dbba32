#include "plimsoll/lab/sweep/counting.h"

#include <algorithm>
#include <optional>
#include <variant>

#include "plimsoll/base/format.h"

namespace plimsoll::lab {
namespace {

using arch::ArchSpec;
using arch::Count;

// The letters of Levine et al. and Wies et al.
struct Letters {
    Count L, dx, H, da;
};

std::optional<Letters> letters_of(const ArchSpec& spec) {
    if (const auto* net = std::get_if<arch::AttentionSpec>(&spec))
        return Letters{net->depth, net->width, net->heads, net->head_dim};
    const auto* net = std::get_if<arch::TransformerSpec>(&spec);
    if (net == nullptr || net->stack == arch::Stack::encoder_decoder) return std::nullopt;
    return Letters{net->depth, net->width, net->heads, net->head_dim};
}

Error not_for(std::string_view way, const ArchSpec& spec, std::string_view families) {
    return unsupported("budget.count",
                       fmt::format("{} counts {} only, got {}", way, families, arch::family_name(spec)));
}

constexpr std::string_view one_stack = "attention and transformers of one stack";

Result<Count> honest(const ArchSpec& spec) { return arch::parameter_count(spec); }

Result<Count> non_embedding(const ArchSpec& spec) {
    PLIMSOLL_ASSIGN(report, arch::count(spec, {}));
    return report.non_embedding;
}

Result<Count> levine(const ArchSpec& spec) {
    const auto n = letters_of(spec);
    if (!n) return not_for("levine", spec, one_stack);
    return Count(12) * n->L * n->dx * n->dx;
}

Result<Count> wies(const ArchSpec& spec) {
    const auto n = letters_of(spec);
    if (!n) return not_for("wies", spec, one_stack);
    return Count(12) * n->L * n->dx * n->H * n->da;
}

Result<Count> navon(const ArchSpec& spec) {
    const auto* net = std::get_if<arch::MixerSpec>(&spec);
    if (net == nullptr || net->simple) return not_for("navon", spec, "mixers with hidden layers");
    return Count(2) * net->depth * net->channels * net->channel_hidden;
}

}  // namespace

const std::vector<CountingWay>& counting_ways() {
    static const std::vector<CountingWay> ways{
        {"honest", "every trained number once", "docs/COUNTING.md", honest},
        {"non-embedding", "all except tables indexed by token, position or patch: the N of scaling laws",
         "docs/COUNTING.md", non_embedding},
        {"levine",
         "12 L d^2: four attention and eight feed-forward matrices per layer, whatever the layer has",
         "Levine et al. 2020, sections 1 and 2.1 (LEVINE-PARAMS)", levine},
        {"wies", "12 rho L d^2 with rho = heads x head_dim / d",
         "Wies et al. 2021, table 5; inferred from its sizes (WIES-PARAMS)", wies},
        {"navon", "the two matrices of each channel MLP, 2 p d^2 at expansion 1; token mixing is not counted",
         "the public code of Navon & Bronstein 2022 (my_utils.py)", navon},
    };
    return ways;
}

const CountingWay* counting_way(std::string_view name) {
    const auto found = std::ranges::find(counting_ways(), name, &CountingWay::name);
    return found == counting_ways().end() ? nullptr : &*found;
}

}  // namespace plimsoll::lab
