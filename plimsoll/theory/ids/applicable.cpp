#include "plimsoll/theory/ids/applicable.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/check.h"
#include "plimsoll/base/format.h"
#include "plimsoll/theory/ids/applicable_families.h"

namespace plimsoll::theory {
namespace {

// A refuted bound that lies above a repaired one is implied by it at these numbers.
void judge_refuted(BoundTable& table) {
    const BoundRow* repaired = nullptr;
    for (const auto& row : table.rows) {
        if (row.side != Side::upper || row.standing == Standing::refuted) continue;
        if (repaired == nullptr || less(row.log3, repaired->log3) == Verdict::proved) repaired = &row;
    }
    if (repaired == nullptr) return;
    const Ball limit = repaired->log3;
    for (auto& row : table.rows) {
        if (row.standing != Standing::refuted) continue;
        row.sound = less(row.log3, limit) == Verdict::refuted;
        row.note = row.sound ? "implied here" : "not proved here";
    }
}

// A row that may not be relied on for want of a condition names it, unless it says nothing anyway.
void name_conditions(BoundTable& table) {
    for (auto& row : table.rows) {
        const std::string_view needs = status_of(row.id).needs;
        if (row.sound || row.standing == Standing::refuted || needs.empty() || row.note == "vacuous")
            continue;
        row.note = "for " + std::string(needs);
    }
}

void mark_tightest(BoundTable& table, Side side) {
    BoundRow* best = nullptr;
    for (auto& row : table.rows) {
        if (row.side != side || !row.sound) continue;
        const bool better = best == nullptr ||
                            (side == Side::upper ? less(row.log3, best->log3) : less(best->log3, row.log3)) ==
                                Verdict::proved;
        if (better) best = &row;
    }
    if (best != nullptr) best->tightest = true;
}

BoundTable finished(BoundTable table) {
    judge_refuted(table);
    name_conditions(table);
    mark_tightest(table, Side::lower);
    mark_tightest(table, Side::upper);
    return table;
}

Error not_polynomial(const arch::ArchSpec& spec) {
    return unsupported(arch::family_name(spec),
                       "no bound speaks about this family; attention, transformer, square-mixer, square-mlp, "
                       "mixer, s-mixer and "
                       "rp-mixer have bounds");
}

}  // namespace

const BoundRow* BoundTable::tightest(Side side) const {
    for (const auto& row : rows) {
        if (row.side == side && row.tightest) return &row;
    }
    return nullptr;
}

Result<BoundTable> bounds_for(const arch::ArchSpec& spec, std::optional<std::int64_t> context) {
    if (context && *context < 2)
        return bad_input("context", fmt::format("must be at least 2, got {}", *context));
    const auto refuse_context = [&]() -> Status {
        if (!context) return {};
        return bad_input("context", "a mixer has its own size: rows and cols");
    };
    if (const auto* attention = std::get_if<arch::AttentionSpec>(&spec))
        return finished(attention_bounds(*attention, context));
    if (const auto* transformer = std::get_if<arch::TransformerSpec>(&spec)) {
        return finished(transformer_bounds(*transformer, context));
    }
    PLIMSOLL_RETURN_IF_ERROR(refuse_context());
    if (const auto* mixer = std::get_if<arch::SquareMixerSpec>(&spec))
        return finished(square_mixer_bounds(*mixer));
    if (const auto* mlp = std::get_if<arch::SquareMlpSpec>(&spec)) return finished(square_mlp_bounds(*mlp));
    if (const auto* mixer = std::get_if<arch::MixerSpec>(&spec)) return finished(mixer_bounds(*mixer));
    return not_polynomial(spec);
}

}  // namespace plimsoll::theory
