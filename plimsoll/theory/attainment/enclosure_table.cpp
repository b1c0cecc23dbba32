#include "plimsoll/theory/attainment/enclosure_table.h"

#include <algorithm>

#include "plimsoll/theory/attainment/attained.h"
#include "plimsoll/theory/capacity/capacity.h"
#include "plimsoll/theory/papers/levine_bounds.h"

namespace plimsoll::theory {
namespace {

constexpr int end_bits = 64;

Ball smallest_upper(const EnclosureRow& row) {
    if (row.heads == 1) return full_bound_log3(row.depth, row.width, end_bits);
    return heads_bound_log3(row.depth, {row.width, row.heads, row.head_dim}, end_bits);
}

void add_lower_end(EnclosureRow& row) {
    constexpr std::int64_t smallest_odd_head = 3;
    if (row.depth >= 2 && row.head_dim >= smallest_odd_head)
        row.before =
            std::max(0.0, ms_lower_construct_log3(row.depth, row.heads, row.head_dim, end_bits).lower());
    const auto attained =  // never below Lemma 4 (tests/theory/attained_bounds_test.cpp)
        attained_log3({row.depth, row.width, row.heads, row.head_dim, 2 * row.width, row.width}, end_bits);
    if (!attained) return;
    row.lower = attained->log3.lower();
    row.theorem = attained->id;
    row.route = attained->route;
}

EnclosureRow row_at(std::int64_t width, std::int64_t depth, std::optional<std::int64_t> head_dim) {
    const bool divides = head_dim && *head_dim < width && width % *head_dim == 0;
    EnclosureRow row{.width = width, .depth = depth};
    row.head_dim = divides ? *head_dim : width;
    row.heads = width / row.head_dim;
    row.knee = knee_depth({width, width}, end_bits).middle();
    row.upper = smallest_upper(row).upper();
    add_lower_end(row);
    return row;
}

}  // namespace

std::vector<EnclosureRow> enclosure_table(const std::vector<std::int64_t>& widths,
                                          const std::vector<std::int64_t>& depths,
                                          std::optional<std::int64_t> head_dim,
                                          const ProgressCallback& progress) {
    std::vector<EnclosureRow> rows;
    for (const std::int64_t width : widths) {
        for (const std::int64_t depth : depths) {
            if (progress) progress(rows.size(), widths.size() * depths.size());
            rows.push_back(row_at(width, depth, head_dim));
        }
    }
    return rows;
}

}  // namespace plimsoll::theory
