#include "plimsoll/theory/attainment/routes.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/theory/attainment/alternating_words.h"
#include "plimsoll/theory/attainment/norm_powers.h"

namespace plimsoll::theory {
namespace {

// From here on D2, whose slope is larger, is far ahead of D3 for every width to a million.
constexpr std::int64_t deepest_word = 600;

std::int64_t root_floor(std::int64_t n) {
    auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(n)));
    while (root * root > n) --root;
    while ((root + 1) * (root + 1) <= n) ++root;
    return root;
}

// What the theorems work with: w = min(rank, width, H d_a) coordinates, q positions on the smaller side, and
// the width of one head that the heads together can imitate.
struct Reach {
    explicit Reach(const AttainedShape& shape)
        : depth(shape.depth),
          width(std::min({shape.width, shape.rank, shape.heads * shape.head_dim})),
          side(shape.context / 2),
          heads(shape.heads),
          head_dim(std::min(shape.head_dim, width)),
          one_head(std::min(width, root_floor(shape.heads) * shape.head_dim)) {}
    std::int64_t depth, width, side, heads, head_dim, one_head;
};

Route by_d1(const Reach& reach) {
    const std::int64_t n = d1_shared_directions(reach.width, reach.heads, reach.head_dim);
    return {.theorem = Route::Theorem::d1,
            .width = n + 1,
            .collapse = {},
            .log3 = fast::d1_attained_log3(reach.depth, static_cast<double>(n))};
}

Route best_by_d2(const Reach& reach, bool one_head) {
    const CollapseShape shape{.depth = reach.depth,
                              .width = one_head ? reach.one_head : reach.width,
                              .side = reach.side,
                              .heads = one_head ? 1 : reach.heads,
                              .head_dim = one_head ? reach.one_head : reach.head_dim};
    Route best{.theorem = Route::Theorem::d2, .width = shape.width, .collapse = {}};
    best.imitated = one_head && reach.heads > 1;
    for (const auto& choice : collapses(shape, BlockChoice::best)) {
        const double value =
            fast::d2_attained_log3(shape.depth, choice.first_layers, static_cast<double>(choice.rank));
        if (value <= best.log3) continue;
        best.log3 = value;
        best.collapse = choice;
    }
    return best;
}

double word_value(const Reach& reach, std::int64_t width, std::int64_t layers) {
    if (!has_alternating_word(reach.depth, layers, width)) return 0;
    return fast::d3_canonical_log3(alternating_word(reach.depth, layers, width));
}

// The value rises and falls with L0: climbs from the L0 at which nu stops growing, at most L/2, while a step
// gains a ten-thousandth; not at all when `rival` is far ahead of the start.
Route best_by_d3(const Reach& reach, double rival) {
    constexpr double least_gain = 1e-4, most_lift = 1.5;
    const std::int64_t width = std::min(reach.one_head, reach.side);
    Route best{.theorem = Route::Theorem::d3, .width = width, .collapse = {}};
    best.imitated = reach.heads > 1;
    if (reach.depth > deepest_word || reach.depth < 3 || width < 2) return best;
    std::int64_t start = 2;
    while (start < reach.depth / 2 && gram_count(start) < width / 4 + 1) ++start;
    best.collapse.first_layers = start;
    best.log3 = word_value(reach, width, start);
    if (best.log3 * most_lift < rival) return best;
    for (const std::int64_t direction : {1, -1}) {
        for (std::int64_t layers = start + direction;; layers += direction) {
            const double value = word_value(reach, width, layers), gain = value - best.log3;
            if (gain > 0) {
                best.log3 = value;
                best.collapse.first_layers = layers;
            }
            if (gain <= least_gain * value) break;
        }
    }
    return best;
}

}  // namespace

std::optional<Route> best_route(const AttainedShape& shape) {
    const Reach reach(shape);
    if (shape.depth < 2 || shape.context < 2 || reach.width < 2) return std::nullopt;
    Route best = by_d1(reach);
    const auto consider = [&](const Route& route) {
        if (route.log3 > best.log3) best = route;
    };
    if (reach.side < 2) return best;
    if (reach.heads > 1) consider(best_by_d2(reach, false));
    consider(best_by_d2(reach, true));
    consider(best_by_d3(reach, best.log3));
    return best;
}

double fast::attained_log3(const AttainedShape& shape) {
    const auto route = best_route(shape);
    return route ? route->log3 : 0;
}

}  // namespace plimsoll::theory
