#include "plimsoll/theory/papers/navon_bounds.h"

#include "plimsoll/base/check.h"
#include "plimsoll/theory/papers/levine_bounds.h"

namespace plimsoll::theory {
namespace {

Integer base_of(const NavonShape& shape) {
    return Integer(2) * shape.heads * shape.m * shape.m * shape.n * shape.n;
}

Integer power_of_two(std::int64_t exponent) { return pow(Integer(2), static_cast<std::uint64_t>(exponent)); }

std::uint64_t as_exponent(const Integer& value) { return static_cast<std::uint64_t>(value.to_int64()); }

}  // namespace

Integer navon_square(const Integer& k) { return exact_div(k * (k + 1), 2); }

Integer navon_layer(const Integer& k, const Integer& n) { return n * n * k * k + k; }

Integer navon_layer_binomial(const Integer& k, const Integer& n) { return navon_square(n * k) + k; }

Integer navon_recursion(std::int64_t depth, const Integer& n) {
    return navon_recursion_alternating(depth, n, n);
}

Integer navon_recursion_alternating(std::int64_t depth, const Integer& n, const Integer& m) {
    Integer k = 2;
    for (std::int64_t layer = 1; layer <= depth; ++layer) k = navon_layer(k, layer % 2 == 1 ? n : m);
    return k;
}

Integer navon_t55(const NavonShape& shape) {
    return pow(base_of(shape), as_exponent(power_of_two(shape.depth)));
}

Ball navon_t55_log3(const NavonShape& shape, int bits) {
    return Ball(power_of_two(shape.depth), bits) * log3(Ball(base_of(shape), bits));
}

Integer navon_t56(const NavonShape& shape) {
    return pow(base_of(shape), as_exponent(power_of_three(shape.depth)));
}

Ball navon_t56_log3(const NavonShape& shape, int bits) {
    return Ball(power_of_three(shape.depth), bits) * log3(Ball(base_of(shape), bits));
}

Ball navon_t57_log3(const NavonShape& shape, int bits) {
    return t1_lower_log3({shape.depth, shape.m, shape.heads}, bits);
}

Ball navon_gap(const NavonShape& shape, int bits) {
    return navon_t57_log3(shape, bits) / navon_t55_log3(shape, bits);
}

std::optional<std::int64_t> navon_first_depth(const Integer& m, const Integer& n, const Integer& heads) {
    for (std::int64_t depth = 1; power_of_three(depth) < m; ++depth) {
        const NavonShape shape{depth, m, n, heads};
        const Verdict above = decide_less([](int bits) { return Ball(1, bits); },
                                          [&](int bits) { return navon_gap(shape, bits); });
        if (above == Verdict::proved) return depth;
    }
    return std::nullopt;
}

Ball navon_alpha(int bits) { return log(Ball(3, bits)) / log(Ball(2, bits)); }

Ball navon_base(const Rational& alpha, int bits) {
    return Ball(3, bits) / pow(Ball(2, bits), Ball(alpha, bits));
}

Ball navon_window(std::int64_t depth, const Integer& width, int bits) {
    return Ball(depth, bits) * log(Ball(2, bits)) / log(Ball(width, bits));
}

}  // namespace plimsoll::theory
