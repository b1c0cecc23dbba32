#include "plimsoll/theory/attainment/gram_powers.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/numbers/multiset_log.h"
#include "plimsoll/theory/numbers/special_fast.h"

namespace plimsoll::theory {
namespace {

constexpr std::int64_t beyond_every_size = std::int64_t{1} << 40;

// 3^exponent, or a number above every size.
std::int64_t capped_power_of_three(std::int64_t exponent) {
    constexpr std::int64_t last_below = 25;
    return exponent > last_below ? beyond_every_size : power_of_three(exponent).to_int64();
}

// No rank grows any more once 3^L0 exceeds all sizes of the shape.
std::int64_t last_useful(const CollapseShape& shape) {
    std::int64_t layers = 1;
    const std::int64_t largest = std::max(shape.width, shape.head_dim);
    while (layers + 1 < shape.depth && capped_power_of_three(layers - 1) <= largest) ++layers;
    return layers;
}

void add_forms_with_heads(const CollapseShape& shape, std::int64_t layers, std::vector<Collapse>& all) {
    all.push_back({layers, d2_heads_rank_b(shape.width, shape.side, shape.head_dim, layers), 'b'});
    if (layers < 2) return;
    const std::int64_t width = std::min(shape.width, shape.side);
    const std::int64_t size = d2_block_size(width, shape.heads, shape.head_dim, layers);
    if (size >= 2 && size < width) all.push_back({layers, d2_heads_rank_c(width, size), 'c'});
}

Real log3_of(const CollapseShape& shape, const Collapse& choice) {
    return [=](int bits) { return d2_attained_log3(shape.depth, choice.first_layers, choice.rank, bits); };
}

double estimated(const CollapseShape& shape, const Collapse& choice) {
    return fast::d2_attained_log3(shape.depth, choice.first_layers, static_cast<double>(choice.rank));
}

}  // namespace

Integer collapsed_power(std::int64_t depth, std::int64_t first_layers) {
    PLIMSOLL_CHECK(first_layers >= 1 && first_layers < depth, "the collapse needs 1 <= L0 < L");
    return gram_count(depth - first_layers);
}

std::int64_t low_rank_dimension(std::int64_t width, std::int64_t k) { return k * width - k * (k - 1) / 2; }

std::int64_t d2_rank(std::int64_t width, std::int64_t side, std::int64_t first_layers) {
    return low_rank_dimension(width, std::min({width, side, capped_power_of_three(first_layers) - 1}));
}

std::int64_t d2_heads_rank_b(std::int64_t width, std::int64_t side, std::int64_t head_dim,
                             std::int64_t first_layers) {
    const std::int64_t half = std::min(head_dim, capped_power_of_three(first_layers - 1));
    return low_rank_dimension(width, std::min({width, side, 2 * half}));
}

std::int64_t d2_block_size(std::int64_t width, std::int64_t heads, std::int64_t head_dim,
                           std::int64_t first_layers) {
    const Integer letters = Integer(heads) * (capped_power_of_three(first_layers - 1) - 1);
    return std::min(Integer(std::min(width, head_dim)), letters).to_int64();
}

std::int64_t d2_heads_rank_c(std::int64_t width, std::int64_t block_size) {
    const std::int64_t rest = width - block_size, r = std::min(block_size, rest);
    return block_size * rest + r * rest - r * (r - 1) / 2;
}

Integer d2_attained(std::int64_t depth, std::int64_t first_layers, std::int64_t rank) {
    return multiset(rank, collapsed_power(depth, first_layers));
}

Ball d2_attained_log3(std::int64_t depth, std::int64_t first_layers, std::int64_t rank, int bits) {
    return log_multiset(Integer(rank), collapsed_power(depth, first_layers), bits) / ln3(bits);
}

std::vector<Collapse> collapses(const CollapseShape& shape) {
    std::vector<Collapse> all;
    for (std::int64_t layers = 1; layers <= last_useful(shape); ++layers) {
        if (shape.heads == 1) {
            all.push_back({layers, d2_rank(shape.width, shape.side, layers), 'a'});
        } else {
            add_forms_with_heads(shape, layers, all);
        }
    }
    return all;
}

Collapse best_collapse(const CollapseShape& shape) {
    PLIMSOLL_CHECK(shape.depth >= 2 && shape.side >= 2, "D2 needs L >= 2 and two positions on each side");
    constexpr double near = 1e-6;  // doubles are far more accurate; closer ones are decided in balls
    const auto all = collapses(shape);
    Collapse best = all.front();
    for (const auto& choice : all) {
        const double here = estimated(shape, choice), so_far = estimated(shape, best);
        if (here < so_far * (1 - near)) continue;
        const bool larger = here > so_far * (1 + near) ||
                            decide_less(log3_of(shape, best), log3_of(shape, choice), 512) == Verdict::proved;
        if (larger) best = choice;
    }
    return best;
}

double fast::d2_attained_log3(std::int64_t depth, std::int64_t first_layers, double rank) {
    constexpr std::int64_t powers_fit = 600;  // 3^600 is a double
    const double layers = static_cast<double>(depth - first_layers), ln_3 = std::log(3.0);
    if (depth - first_layers <= powers_fit) return log_multiset(rank, (std::pow(3.0, layers) - 1) / 2) / ln_3;
    return (rank - 1) * (layers - std::log(2.0) / ln_3) - log_gamma(rank) / ln_3;
}

}  // namespace plimsoll::theory
