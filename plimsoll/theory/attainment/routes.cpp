#include "plimsoll/theory/attainment/routes.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/theory/attainment/alternating_words.h"
#include "plimsoll/theory/attainment/norm_powers.h"
#include "plimsoll/theory/numbers/special_fast.h"

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
    Route route{.theorem = Route::Theorem::d1, .width = reach.width, .collapse = {}};
    const auto n = static_cast<double>(reach.width - 1);
    constexpr std::int64_t powers_fit = 600;
    const double ln_3 = std::log(3.0);
    if (reach.depth <= powers_fit) {
        const double power = std::pow(3.0, static_cast<double>(reach.depth - 2));
        route.log3 = (fast::log_multiset(n + 1, power) + std::log1p(power / (n + power))) / ln_3;
    } else {
        route.log3 =
            n * static_cast<double>(reach.depth - 2) + (std::log(2.0) - fast::log_gamma(n + 1)) / ln_3;
    }
    return route;
}

Route best_by_d2(const Reach& reach, bool one_head) {
    const CollapseShape shape{.depth = reach.depth,
                              .width = one_head ? reach.one_head : reach.width,
                              .side = reach.side,
                              .heads = one_head ? 1 : reach.heads,
                              .head_dim = one_head ? reach.one_head : reach.head_dim};
    Route best{.theorem = Route::Theorem::d2, .width = shape.width, .collapse = {}};
    best.imitated = one_head && reach.heads > 1;
    for (const auto& choice : collapses(shape)) {
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

// The value rises and falls with L0: climbs from the L0 at which nu stops growing.
Route best_by_d3(const Reach& reach) {
    const std::int64_t width = std::min(reach.one_head, reach.side);
    Route best{.theorem = Route::Theorem::d3, .width = width, .collapse = {}};
    best.imitated = reach.heads > 1;
    if (reach.depth > deepest_word || reach.depth < 3 || width < 2) return best;
    std::int64_t start = 2;
    while (start + 1 < reach.depth && gram_count(start) < width / 4 + 1) ++start;
    best.collapse.first_layers = start;
    best.log3 = word_value(reach, width, start);
    for (const std::int64_t direction : {1, -1}) {
        for (std::int64_t layers = start + direction;; layers += direction) {
            const double value = word_value(reach, width, layers);
            if (value <= best.log3) break;
            best.log3 = value;
            best.collapse.first_layers = layers;
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
    consider(best_by_d3(reach));
    return best;
}

double fast::attained_log3(const AttainedShape& shape) {
    const auto route = best_route(shape);
    return route ? route->log3 : 0;
}

}  // namespace plimsoll::theory
