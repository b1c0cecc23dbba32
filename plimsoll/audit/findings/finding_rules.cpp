#include <algorithm>
#include <array>

#include "plimsoll/audit/findings/finding.h"
#include "plimsoll/base/check.h"
#include "plimsoll/theory/ids/status.h"

namespace plimsoll::audit {
namespace {

// id, title, severe when, notice when, {claim, citation}
constexpr std::array rules{
    FindingRule{"bounds-do-not-apply",
                "bounds",
                "",
                "always",
                {"SCOPE", "the theorems speak of attention and of mixers"}},
    FindingRule{"attention-width",
                "attention to width",
                "heads x head_dim >= 4 width, without latents",
                "not equal within 1 %; with latents: costs more than 4 width^2",
                {"WIES-RATIO", "Wies et al. 2021, section 5.3; plimsoll R6"}},
    FindingRule{"input-rank",
                "embedding rank to width",
                "attention over tokens, up to 1.8 B, rank <= width / 32",
                "rank < width",
                {"FIX-WIES", "Wies et al. 2021, theorems 1 and 2, repaired; plimsoll R7"}},
    FindingRule{"depth-valley",
                "depth to load line",
                "dense text decoder of a measured size, cost above 1 % by two standard errors",
                "cost above 1 %",
                {"ADVICE-R3", "plimsoll R3, data/evidence.csv, docs/ADVICE.md"}},
    FindingRule{"depth-fitted",
                "depth to Levine's law",
                "",
                "",
                {"LOAD-LINE", "Levine et al. 2020, fit width = exp(5.039 + 0.0555 L)"}},
    FindingRule{"depth-threshold",
                "depth to threshold T",
                "",
                "depth < T",
                {"CAP-T_knee", "plimsoll R1, docs/bounds/capacity-knee.md"}},
    FindingRule{"depth-published",
                "depth to log3 width",
                "",
                "",
                {"LEVINE-TH", "Levine et al. 2020, theorems 1 and 2; E1"}},
    FindingRule{"depth-saturation",
                "depth to sequence cap",
                "",
                "",
                {"CAP-string_cap_log3", "plimsoll R4, docs/bounds/capacity-string-cap.md"}},
    FindingRule{"context-width",
                "context to width",
                "",
                "context < 2 width",
                {"FIX-T4", "plimsoll R8, docs/bounds/capacity-hilbert.md"}},
    FindingRule{"capacity-ends",
                "proved ends of rank",
                "",
                "",
                {"ATT-attained_log3", "plimsoll, docs/bounds/att-transfers.md"}},
    FindingRule{"first-layer-heads",
                "heads of layer 1",
                "",
                "",
                {"CAP-heads_layers_lost_limit", "plimsoll R5, docs/bounds/capacity-heads.md"}},
    FindingRule{"kv-rank",
                "kv rank to width",
                "",
                "",
                {"CAP-heads_bound_int", "plimsoll R5 with shared keys and values"}},
    FindingRule{"latent-rank",
                "latent rank to width",
                "",
                "",
                {"CAP-heads_bound_int", "plimsoll R5 with keys and values from one latent"}},
    FindingRule{"position-rank",
                "position rank to width",
                "",
                "",
                {"CAP-pos_bound_int", "plimsoll R7; Wies et al. 2021, appendix C.4"}},
    FindingRule{"mixer-width", "effective width", "", "", {"HAYASE-WIDTH", "Hayase and Karakida 2024"}},
    FindingRule{"mixer-window",
                "blocks to log2 width",
                "",
                "outside 1 to 2",
                {"NAVON-WINDOW", "Navon and Bronstein 2022, figure 1"}},
    FindingRule{"mixer-knee",
                "layers to mixer knee",
                "",
                "fewer than log2(tokens x channels)",
                {"CAP-mixer_rows_int", "plimsoll R9, docs/bounds/capacity-mixers.md"}},
    FindingRule{"mixer-shape",
                "width for connections",
                "",
                "",
                {"HAYASE-MAXW", "Hayase and Karakida 2024, from a summary"}},
    FindingRule{"experts", "experts", "", "", {"SCOPE", "feed-forward layers are outside the bounds"}},
    FindingRule{
        "shared-layers", "shared layers", "", "", {"SCOPE", "the load line was fitted to unshared layers"}},
    FindingRule{
        "parameters", "parameters", "", "header and prediction differ", {"COUNT", "docs/COUNTING.md"}},
    FindingRule{"tied-weights",
                "weights stored twice",
                "",
                "tied, but in the file twice",
                {"COUNT", "docs/COUNTING.md"}},
    FindingRule{
        "reported-redundancy", "redundancy reported", "", "", {"WIES-REDUNDANCY", "Wies et al. 2021"}},
};

}  // namespace

std::string_view name_of(Severity severity) {
    constexpr std::array names{"severe", "notice", "ok", "info"};
    return names[static_cast<std::size_t>(severity)];
}

std::string Source::basis() const { return theory::brief_text(theory::status_of(claim)); }

std::span<const FindingRule> finding_rules() { return rules; }

const FindingRule& rule_of(std::string_view id) {
    const auto rule = std::find_if(rules.begin(), rules.end(), [&](const auto& r) { return r.id == id; });
    PLIMSOLL_CHECK(rule != rules.end(), "no rule for the finding " + std::string(id));
    return *rule;
}

Finding make_finding(std::string_view id) {
    const FindingRule& rule = rule_of(id);
    Finding finding;
    finding.id = rule.id;
    finding.title = rule.title;
    finding.source = rule.source;
    return finding;
}

}  // namespace plimsoll::audit
