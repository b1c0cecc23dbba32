#include <algorithm>

#include "plimsoll/audit/findings/diagnosis.h"
#include "plimsoll/base/format.h"
#include "plimsoll/theory/attainment/attained.h"
#include "plimsoll/theory/capacity/capacity_enclosure.h"

namespace plimsoll::audit {
namespace {

constexpr int end_bits = 64;
// Beyond these the bound for long contexts, valid for every N, stands in: the enclosure would take seconds.
constexpr std::int64_t widest_enclosed = 1 << 15, deepest_enclosed = 128;

// The attention of the deepest stack as the theorems see it; none when heads share keys and values, since the
// lower bounds speak of heads with matrices of their own.
std::optional<theory::AttainedShape> attention_of(const ModelShape& shape) {
    const auto depth = deepest_stack(shape);
    if (!depth || !shape.width || !shape.heads || !shape.head_dim || shape.kv_lora_rank) return std::nullopt;
    if (shape.kv_heads.value_or(*shape.heads) != *shape.heads) return std::nullopt;
    const bool known = shape.context && *shape.context >= 2;
    return theory::AttainedShape{.depth = *depth,
                                 .width = *shape.width,
                                 .heads = *shape.heads,
                                 .head_dim = *shape.head_dim,
                                 .context = known ? *shape.context : 2 * *shape.width,
                                 .rank = *shape.width};
}

double upper_end(const theory::AttainedShape& a) {
    const theory::HeadShape heads{a.width, a.heads, std::min(a.head_dim, a.width)};
    const double by_heads = theory::heads_bound_log3(a.depth, heads, end_bits).upper();
    if (a.width > widest_enclosed || a.depth > deepest_enclosed) return by_heads;
    return std::min(by_heads, theory::enclose_capacity(a.depth, a.width, a.context, end_bits).upper.upper());
}

}  // namespace

void find_capacity_ends(const ModelShape& shape, Diagnosis& out) {
    const auto attention = attention_of(shape);
    if (!attention) return;
    const auto attained = theory::attained_log3(*attention, end_bits);
    if (!attained) return;
    const double low = attained->log3.lower(), high = upper_end(*attention);
    Finding finding = make_finding("capacity-ends");
    finding.value = low / high;
    finding.line = 1;
    finding.shown = fmt::format("{:.2g}", low / high);
    finding.reading = fmt::format("log3 {:.3g} to {:.3g} proved", low, high);
    finding.text = fmt::format(
        "Almost all weights of this attention, on continuous inputs, have a separation rank whose log3 lies "
        "between {:.4g} ({}: {}) and {:.4g}. Where between them is not known.",
        low, attained->id, attained->route, high);
    out.findings.push_back(std::move(finding));
}

}  // namespace plimsoll::audit
