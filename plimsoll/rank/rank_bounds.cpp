#include "plimsoll/rank/rank_bounds.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/rank/constructions/attention_network.h"
#include "plimsoll/theory/capacity/capacity.h"

namespace plimsoll::rank {
namespace {

using theory::Ball;
using theory::Integer;
using theory::Side;
using theory::Verdict;

constexpr int bits = 128;
// Logarithms beyond this (10^14) are not written out as whole numbers.
constexpr double longest_log3 = 30;

Ball log3_of(const Integer& n) { return theory::log3(Ball(n, bits)); }

// Bounds are whole numbers, or roots of them: balls that cannot be told apart at this size are equal.
Agreement agreement_of(const BoundQuestion& q, Side side, const Ball& log3) {
    const Ball rank = q.rank > 0 ? log3_of(static_cast<std::int64_t>(q.rank)) : Ball(-1, bits);
    const bool upper = side == Side::upper;
    if ((upper ? less(log3, rank) : less(rank, log3)) == Verdict::proved) {
        return !upper && !q.exact ? Agreement::undecided : Agreement::violated;
    }
    const bool beyond = (upper ? less(rank, log3) : less(log3, rank)) == Verdict::proved;
    return beyond ? Agreement::holds : Agreement::attained;
}

RankBound exact_row(const BoundQuestion& q, std::string id, const Integer& value, std::string note) {
    const Ball log3 = log3_of(std::max(value, Integer(1)));
    RankBound row{.id = std::move(id), .value = value, .log3 = log3.upper()};
    row.standing = theory::to_text(theory::status_of(row.id).standing);
    row.note = std::move(note);
    row.agreement = agreement_of(q, Side::upper, log3);
    return row;
}

bool balanced(const Partition& partition) { return 2 * partition.left_count() == partition.left.size(); }

// The count of functions on both sides that the measurement itself relies on.
void add_counting(const BoundQuestion& q, const Sides& sides, std::vector<RankBound>& rows) {
    const auto bound = q.network.rank_bound(sides);
    if (!bound) return;
    const AttentionNetwork* attention = q.network.as_attention();
    const auto value = Integer(static_cast<std::int64_t>(*bound));
    if (attention == nullptr) {
        rows.push_back(exact_row(q, "counting", value, "by monomials"));
    } else if (attention->spec().residual) {
        rows.push_back(exact_row(q, "counting", value, "by functions"));
    } else {
        const auto width = attention->spanned_width();
        const bool narrow = static_cast<std::int64_t>(width) < attention->spec().width;
        rows.push_back(exact_row(q, "CAP-bound_int", value, narrow ? fmt::format("at width {}", width) : ""));
    }
}

void add_fix_t4(const BoundQuestion& q, const Sides& sides, std::vector<RankBound>& rows) {
    constexpr std::int64_t deepest = 10;
    const AttentionNetwork* attention = q.network.as_attention();
    if (attention == nullptr || attention->spec().residual || attention->spec().depth > deepest) return;
    const std::int64_t width = attention->spec().width, a = static_cast<std::int64_t>(sides.rows.size()),
                       b = static_cast<std::int64_t>(sides.cols.size());
    if (!theory::exact_is_feasible({width, a}) || !theory::exact_is_feasible({width, b})) return;
    rows.push_back(exact_row(q, "FIX-T4", theory::fix_t4(attention->spec().depth, width, a, b), ""));
}

// Statements about one split of mixers hold for that split alone.
bool is_split(const BoundQuestion& q, const char* word) {
    const auto named = parse_partitions(word, q.network.facts().split, 1);
    return named.ok() && named->front().left == q.partition.left;
}

// Counts of tokens say nothing about inputs that are numbers.
bool counts_tokens(const theory::BoundRow& row) {
    return row.id == "CAP-S_bound_int" || row.id == "CAP-string_cap_log3" || row.id == "WIES-LOWER-VOCAB";
}

bool speaks_of(const BoundQuestion& q, const theory::BoundRow& row) {
    if (counts_tokens(row)) return q.inputs == Inputs::tokens;
    if (row.note == "rows split only") return is_split(q, "rows");
    if (row.note == "columns split only") return is_split(q, "columns");
    return true;
}

std::optional<Integer> written_out(const Ball& log3) {
    if (!(log3.upper() < longest_log3)) return std::nullopt;
    return pow(Ball(3, log3.bits()), log3).unique_integer();
}

RankBound row_of(const BoundQuestion& q, const theory::BoundRow& row) {
    RankBound result{.id = row.id, .side = row.side, .value = written_out(row.log3)};
    result.log3 = row.side == Side::upper ? row.log3.upper() : row.log3.lower();
    result.standing = theory::to_text(row.standing);
    result.note = row.note;
    result.sound = row.sound || row.note.ends_with("split only");
    result.agreement = agreement_of(q, row.side, row.log3);
    return result;
}

// The tables of theory are about balanced splits.
void add_published(const BoundQuestion& q, std::vector<RankBound>& rows) {
    if (!balanced(q.partition)) return;
    std::optional<std::int64_t> context;
    if (q.network.facts().split.by_position) context = static_cast<std::int64_t>(q.partition.left.size());
    const auto table = theory::bounds_for(q.spec, context);
    if (!table.ok()) return;
    const bool counted = !rows.empty() && rows.front().id == "CAP-bound_int";
    for (const auto& row : table->rows) {
        const bool again = counted && (row.id == "CAP-bound_int" || row.id == "CAP-kappa_full");
        if (!again && speaks_of(q, row)) rows.push_back(row_of(q, row));
    }
}

}  // namespace

std::string to_text(Agreement agreement) {
    switch (agreement) {
        case Agreement::attained:
            return "attained";
        case Agreement::holds:
            return "holds";
        case Agreement::violated:
            return "violated";
        case Agreement::undecided:
            break;
    }
    return "undecided";
}

std::vector<RankBound> bounds_beside(const BoundQuestion& q) {
    const Sides sides = q.network.sides(q.partition, q.output);
    std::vector<RankBound> rows;
    add_counting(q, sides, rows);
    add_fix_t4(q, sides, rows);
    add_published(q, rows);
    std::stable_sort(rows.begin(), rows.end(), [](const RankBound& a, const RankBound& b) {
        if (a.side != b.side) return a.side == Side::upper;
        return a.side == Side::upper ? a.log3 < b.log3 : a.log3 > b.log3;
    });
    return rows;
}

}  // namespace plimsoll::rank
