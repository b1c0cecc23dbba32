#include "plimsoll/nets/monomial_net.h"

#include <numeric>
#include <utility>

namespace plimsoll::nets {
namespace {

struct Pair {
    std::size_t s, t;
};

Pair factor_of(const MonomialNet& net, std::size_t layer, std::size_t head) {
    const auto d = static_cast<std::size_t>(net.width);
    const auto& [a, b] = net.shifts[layer];
    PLIMSOLL_CHECK(a >= 0 && b >= 0, "shifts are not negative");
    return {(head + static_cast<std::size_t>(a)) % d, (head + static_cast<std::size_t>(b)) % d};
}

std::size_t triangle_index(std::size_t width, std::size_t s, std::size_t t) {
    if (s > t) std::swap(s, t);
    PLIMSOLL_CHECK(t < width, "coordinate outside the net");
    return s * (2 * width - s + 1) / 2 + (t - s);
}

// e_h + e_s + e_t + 1_st: the layer multiplies coordinate h by the Gram entry of coordinates s and t.
Exponents next_exponents(const std::vector<Exponents>& now, std::size_t h, Pair factor) {
    const std::size_t d = now.size();
    Exponents next(d);
    for (std::size_t s = 0; s < d; ++s) {
        for (std::size_t t = s; t < d; ++t) {
            next.at(s, t) = now[h].at(s, t) + now[factor.s].at(s, t) + now[factor.t].at(s, t);
        }
    }
    ++next.at(factor.s, factor.t);
    return next;
}

}  // namespace

Exponents::Exponents(std::size_t width) : width_(width), triangle_(width * (width + 1) / 2, 0) {}

std::int64_t& Exponents::at(std::size_t s, std::size_t t) { return triangle_[triangle_index(width_, s, t)]; }

std::int64_t Exponents::at(std::size_t s, std::size_t t) const {
    return triangle_[triangle_index(width_, s, t)];
}

std::int64_t Exponents::total() const {
    return std::accumulate(triangle_.begin(), triangle_.end(), std::int64_t{0});
}

Exponents monomial_exponents(const MonomialNet& net, std::int64_t output_coordinate) {
    PLIMSOLL_CHECK(net.width >= 1 && output_coordinate >= 0 && output_coordinate < net.width,
                   "output coordinate outside the net");
    PLIMSOLL_CHECK(net.shifts.size() <= max_monomial_depth, "exponents of deeper nets exceed 63 bits");
    const auto d = static_cast<std::size_t>(net.width);
    std::vector<Exponents> now(d, Exponents(d));
    for (std::size_t l = 0; l < net.shifts.size(); ++l) {
        std::vector<Exponents> next;
        for (std::size_t h = 0; h < d; ++h) next.push_back(next_exponents(now, h, factor_of(net, l, h)));
        now = std::move(next);
    }
    return now[static_cast<std::size_t>(output_coordinate)];
}

template <Ring R>
AttentionWeights<typename R::Element> monomial_weights(const R& ring, const MonomialNet& net,
                                                       std::int64_t head_dim) {
    PLIMSOLL_CHECK(net.width >= 1 && head_dim >= 1, "width and head size are at least 1");
    const auto d = static_cast<std::size_t>(net.width);
    const auto d_a = static_cast<std::size_t>(head_dim);
    const auto one = ring.from_integer(1);
    AttentionWeights<typename R::Element> weights;
    for (std::size_t l = 0; l < net.shifts.size(); ++l) {
        auto& heads = weights.layers.emplace_back();
        for (std::size_t h = 0; h < d; ++h) {
            const Pair factor = factor_of(net, l, h);
            const MatrixOver<R> zero(d_a, d * d_a);  // (d_a, d_x)
            Head<typename R::Element> head{zero, zero, zero, MatrixOver<R>(d * d_a, d_a)};
            head.output(h, 0) = head.value(0, factor.s) = head.key(0, factor.t) = head.query(0, h) = one;
            heads.push_back(std::move(head));
        }
    }
    return weights;
}

template <Ring R>
typename R::Element evaluate_monomial(const R& ring, const Exponents& exponents, const MatrixOver<R>& gram,
                                      typename R::Element x) {
    typename R::Element value = x;
    for (std::size_t s = 0; s < exponents.width(); ++s) {
        for (std::size_t t = s; t < exponents.width(); ++t) {
            const auto k = static_cast<std::uint64_t>(exponents.at(s, t));
            value = ring.multiply(value, power(ring, gram(s, t), k));
        }
    }
    return value;
}

template AttentionWeights<std::uint64_t> monomial_weights(const PrimeField&, const MonomialNet&,
                                                          std::int64_t);
template AttentionWeights<Integer> monomial_weights(const IntegerRing&, const MonomialNet&, std::int64_t);
template AttentionWeights<double> monomial_weights(const RealRing&, const MonomialNet&, std::int64_t);

template std::uint64_t evaluate_monomial(const PrimeField&, const Exponents&, const Matrix<std::uint64_t>&,
                                         std::uint64_t);
template Integer evaluate_monomial(const IntegerRing&, const Exponents&, const Matrix<Integer>&, Integer);
template double evaluate_monomial(const RealRing&, const Exponents&, const Matrix<double>&, double);

}  // namespace plimsoll::nets
