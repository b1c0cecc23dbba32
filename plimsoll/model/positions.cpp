#include "plimsoll/model/positions.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/model/stack.h"

namespace plimsoll::model {
namespace {

constexpr double base = 10000;
constexpr std::int64_t farthest = 128;  // of the logarithmic buckets

// position * base^(-2k / size) for k < size / 2, rounded up: (positions, ceil(size / 2)).
Tensor angles(std::int64_t positions, std::int64_t size, std::int64_t pairs) {
    const Tensor powers = at::arange(pairs, at::kDouble) * (-2.0 / static_cast<double>(size));
    return at::outer(at::arange(positions, at::kDouble), at::pow(base, powers));
}

std::int64_t bucket_of_distance(std::int64_t distance, std::int64_t buckets) {
    const std::int64_t exact = buckets / 2;
    if (distance < exact) return distance;
    const double share = std::log(static_cast<double>(distance) / static_cast<double>(exact)) /
                         std::log(static_cast<double>(farthest) / static_cast<double>(exact));
    const auto further = static_cast<std::int64_t>(share * static_cast<double>(buckets - exact));
    return std::min(exact + further, buckets - 1);
}

std::vector<double> power_of_two_slopes(std::int64_t heads) {
    std::vector<double> slopes;
    for (std::int64_t h = 1; h <= heads; ++h) {
        slopes.push_back(std::exp2(-8.0 * static_cast<double>(h) / static_cast<double>(heads)));
    }
    return slopes;
}

}  // namespace

Tensor sinusoidal_table(std::int64_t positions, std::int64_t width) {
    const Tensor angle = angles(positions, width, (width + 1) / 2);
    return at::stack({angle.sin(), angle.cos()}, 2).flatten(1).narrow(1, 0, width);
}

Tensor rope_table(std::int64_t positions, std::int64_t head_dim) {
    const Tensor angle = angles(positions, head_dim, head_dim / 2);
    return at::stack({angle.cos(), angle.sin()});
}

Tensor rotate(const Tensor& x, const Tensor& table) {
    const std::int64_t positions = x.size(2), half = x.size(3) / 2;
    const Tensor cos = table.select(0, 0).narrow(0, 0, positions);
    const Tensor sin = table.select(0, 1).narrow(0, 0, positions);
    const Tensor a = x.narrow(3, 0, half), b = x.narrow(3, half, half);
    const auto type = x.scalar_type();  // of the products; the table is never rounded
    std::vector<Tensor> parts{(a * cos - b * sin).to(type), (b * cos + a * sin).to(type)};
    if (x.size(3) % 2 == 1) parts.push_back(x.narrow(3, 2 * half, 1));
    return at::cat(parts, 3);
}

std::vector<double> alibi_slopes(std::int64_t heads) {
    std::int64_t whole = 1;
    while (2 * whole <= heads) whole *= 2;
    std::vector<double> slopes = power_of_two_slopes(whole);
    const std::vector<double> finer = power_of_two_slopes(2 * whole);
    for (std::size_t k = 0; std::ssize(slopes) < heads; k += 2) slopes.push_back(finer[k]);
    return slopes;
}

Tensor alibi_bias(const Tensor& slopes, std::int64_t positions) {
    const Tensor place = at::arange(positions, slopes.options());
    const Tensor distance = (place.unsqueeze(0) - place.unsqueeze(1)).abs();
    return -slopes.view({-1, 1, 1}) * distance;
}

std::vector<std::int64_t> relative_buckets(std::int64_t positions, std::int64_t buckets, bool causal) {
    std::vector<std::int64_t> result;
    const std::int64_t side = causal ? buckets : buckets / 2;
    for (std::int64_t offset = -(positions - 1); offset < positions; ++offset) {
        const std::int64_t later = causal || offset <= 0 ? 0 : side;
        const std::int64_t distance = causal ? std::max<std::int64_t>(0, -offset) : std::abs(offset);
        result.push_back(later + bucket_of_distance(distance, side));
    }
    return result;
}

Tensor relative_bias(const Tensor& table, const Tensor& buckets, std::int64_t limit, std::int64_t positions) {
    const Tensor place = at::arange(positions, buckets.options());
    const Tensor offset = place.unsqueeze(0) - place.unsqueeze(1) + (limit - 1);  // key - query
    const Tensor bucket = buckets.index_select(0, offset.flatten());
    if (table.dim() == 2)
        return at::embedding(table, bucket).view({positions, positions, -1}).permute({2, 0, 1});
    const std::int64_t runs = table.size(0);
    return embed(table, bucket.unsqueeze(0).expand({runs, -1}))
        .view({runs, positions, positions, -1})
        .permute({0, 3, 1, 2});
}

}  // namespace plimsoll::model
