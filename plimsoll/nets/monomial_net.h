#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "plimsoll/nets/attention.h"

namespace plimsoll::nets {

// The counterexample to LEVINE-T4 (ERR-COUNTEREXAMPLE): an attention network whose every output is one
// monomial. Head h of layer l multiplies coordinate h by G_st, s = (h + a) mod d, t = (h + b) mod d, where G
// is the Gram matrix of the layer's input and (a, b) = shifts[l]; all counted from 0.
struct MonomialNet {
    std::int64_t width = 1;                             // d, also the number of heads
    std::vector<std::array<std::int64_t, 2>> shifts{};  // one pair (a, b) per layer
};

// The exponents k_st, s <= t < d, of output x_p prod G_st^k_st, where G is the Gram matrix of the input.
class Exponents {
  public:
    explicit Exponents(std::size_t width);

    // d.
    [[nodiscard]] std::size_t width() const { return width_; }
    // k_st, in either order of s and t.
    [[nodiscard]] std::int64_t& at(std::size_t s, std::size_t t);
    [[nodiscard]] std::int64_t at(std::size_t s, std::size_t t) const;
    // Row after row of the upper triangle: k_00, k_01, .., k_11, ..; d (d + 1) / 2 numbers. When both sides
    // of the partition hold at least d positions the separation rank is prod (k_st + 1) over these.
    [[nodiscard]] const std::vector<std::int64_t>& triangle() const { return triangle_; }
    // The sum of all, which is C(L) = (3^L - 1) / 2.
    [[nodiscard]] std::int64_t total() const;

    bool operator==(const Exponents&) const = default;

  private:
    std::size_t width_;
    std::vector<std::int64_t> triangle_;
};

// The deepest network whose exponents fit: they sum to (3^L - 1) / 2, and L = 40 is the last below 2^63.
inline constexpr std::size_t max_monomial_depth = 40;

// The exponents of output coordinate p, by e_h <- e_h + e_s + e_t + 1_st; at most max_monomial_depth layers.
Exponents monomial_exponents(const MonomialNet& net, std::int64_t output_coordinate);

// The literal weights O = e_h, V = e_s^T, K = e_t^T, Q = e_h^T. With head_dim > 1 everything is padded with
// zeros to width d * head_dim, which leaves the first d coordinates as they were.
template <Ring R>
AttentionWeights<typename R::Element> monomial_weights(const R& ring, const MonomialNet& net,
                                                       std::int64_t head_dim = 1);

// x prod G_st^k_st from the Gram matrix G (at least d, d) and the input's entry x.
template <Ring R>
typename R::Element evaluate_monomial(const R& ring, const Exponents& exponents, const MatrixOver<R>& gram,
                                      typename R::Element x);

}  // namespace plimsoll::nets
