#include <algorithm>

#include "plimsoll/audit/findings/diagnosis.h"
#include "plimsoll/base/format.h"
#include "plimsoll/theory/attainment/attained.h"
#include "plimsoll/theory/capacity/capacity_enclosure.h"

namespace plimsoll::audit {
namespace {

constexpr int end_bits = 64;
// Files may say anything: beyond these sizes the ends take seconds, and nobody builds that.
constexpr std::int64_t widest_enclosed = 1 << 15, deepest_enclosed = 256, most_heads = 1 << 10;

bool is_affordable(const theory::AttainedShape& a) {
    return a.depth <= deepest_enclosed && a.heads <= most_heads &&
           std::max(a.width, a.head_dim) <= widest_enclosed;
}

std::int64_t rank_of(const ModelShape& shape) {
    const auto input = input_rank(shape);
    return input ? input->rank : *shape.width;
}

// The attention of the deepest stack as the theorems see it; none when heads share keys and values or layers
// share weights, since the lower bounds speak of almost all choices of all of them.
std::optional<theory::AttainedShape> attention_of(const ModelShape& shape) {
    const auto depth = deepest_stack(shape);
    if (!depth || !shape.width || !shape.heads || !shape.head_dim || shape.kv_lora_rank) return std::nullopt;
    if (shape.kv_heads.value_or(*shape.heads) != *shape.heads || shape.layer_groups) return std::nullopt;
    const bool known = shape.context && *shape.context >= 2;
    return theory::AttainedShape{.depth = *depth,
                                 .width = *shape.width,
                                 .heads = *shape.heads,
                                 .head_dim = *shape.head_dim,
                                 .context = known ? *shape.context : 2 * *shape.width,
                                 .rank = rank_of(shape)};
}

double upper_end(const theory::AttainedShape& a) {
    const double by_heads =
        theory::heads_bound_log3(a.depth, {a.width, a.heads, a.head_dim}, end_bits).upper();
    return std::min(by_heads, theory::enclose_capacity(a.depth, a.width, a.context, end_bits).upper.upper());
}

}  // namespace

void find_capacity_ends(const ModelShape& shape, Diagnosis& out) {
    const auto attention = attention_of(shape);
    if (!attention || !is_affordable(*attention)) return;
    const auto attained = theory::attained_log3(*attention, end_bits);
    if (!attained) return;
    const double low = attained->log3.lower(), high = upper_end(*attention);
    Finding finding = make_finding("capacity-ends");
    finding.value = low / high;
    finding.line = 1;
    finding.shown = fmt::format("{:.2g}", low / high);
    finding.reading = fmt::format("log3 {:.3g} to {:.3g}", low, high);
    finding.text = fmt::format(
        "Almost all weights of this attention, on continuous inputs, have a separation rank whose log3 lies "
        "between {:.4g} ({}: {}) and {:.4g}. Where between them is not known.",
        low, attained->id, attained->route, high);
    out.findings.push_back(std::move(finding));
}

}  // namespace plimsoll::audit
