#include "plimsoll/nets/square_nets.h"

#include <string_view>

#include "plimsoll/base/format.h"

namespace plimsoll::nets {
namespace {

template <Ring R>
MatrixOver<R> draw_layer(const R& ring, std::string_view family, std::int64_t layer, std::int64_t size,
                         std::uint64_t seed) {
    RandomStream stream(seed, fmt::format("nets/{}/layer{}", family, layer));
    return random_matrix(ring, static_cast<std::size_t>(size), static_cast<std::size_t>(size), stream);
}

std::vector<bool> residual_flags(const std::vector<std::int64_t>& layers, std::int64_t depth) {
    std::vector<bool> flags(static_cast<std::size_t>(depth), false);
    for (const std::int64_t layer : layers) {
        PLIMSOLL_CHECK(layer >= 1 && layer <= depth, "residual layer outside the net");
        flags[static_cast<std::size_t>(layer - 1)] = true;
    }
    return flags;
}

Permutation given_permutation(const std::vector<std::int64_t>& images, std::size_t size) {
    if (images.empty()) return identity_permutation(size);
    Permutation result(images.begin(), images.end());
    PLIMSOLL_CHECK(result.size() == size && is_permutation(result), "not a permutation of the entries");
    return result;
}

Permutation choose_permutation(const arch::SquareMixerSpec& spec, std::string_view name,
                               const std::vector<std::int64_t>& given) {
    const auto size = static_cast<std::size_t>(spec.rows * spec.cols);
    switch (spec.permutations) {
        case arch::Permutations::none:
            return identity_permutation(size);
        case arch::Permutations::given:
            return given_permutation(given, size);
        case arch::Permutations::random: {
            RandomStream stream(spec.permutation_seed, fmt::format("nets/square-mixer/{}", name));
            return random_permutation(size, stream);
        }
    }
    PLIMSOLL_CHECK(false, "unknown kind of permutations");
    return {};
}

template <Ring R>
MatrixOver<R> squares(const R& ring, const MatrixOver<R>& x) {
    return map(x, [&](const auto& a) { return ring.multiply(a, a); });
}

}  // namespace

template <Ring R>
SquareMixerWeights<typename R::Element> draw_square_mixer(const R& ring, const arch::SquareMixerSpec& spec,
                                                          std::uint64_t seed) {
    SquareMixerWeights<typename R::Element> weights;
    for (std::int64_t k = 1; k <= spec.depth; ++k) {
        const std::int64_t size = k % 2 == 1 ? spec.rows : spec.cols;
        weights.layers.push_back(draw_layer(ring, "square-mixer", k, size, seed));
    }
    weights.residual = residual_flags(spec.residual, spec.depth);
    weights.odd = choose_permutation(spec, "odd", spec.odd);
    weights.even = choose_permutation(spec, "even", spec.even);
    weights.skip = choose_permutation(spec, "skip", spec.skip);
    return weights;
}

template <Ring R>
SquareMlpWeights<typename R::Element> draw_square_mlp(const R& ring, const arch::SquareMlpSpec& spec,
                                                      std::uint64_t seed) {
    SquareMlpWeights<typename R::Element> weights;
    for (std::int64_t k = 1; k <= spec.depth; ++k) {
        weights.layers.push_back(draw_layer(ring, "square-mlp", k, spec.rows, seed));
    }
    weights.residual = residual_flags(spec.residual, spec.depth);
    return weights;
}

template <Ring R>
MatrixOver<R> square_mixer(const R& ring, const SquareMixerWeights<typename R::Element>& weights,
                           const MatrixOver<R>& x) {
    MatrixOver<R> y = x;  // (n, m)
    for (std::size_t k = 0; k < weights.layers.size(); ++k) {
        const bool odd_layer = k % 2 == 0;  // layers are counted from 1 in the paper
        const auto mixed = odd_layer ? product(ring, weights.layers[k], permute_entries(weights.odd, y))
                                     : product(ring, permute_entries(weights.even, y), weights.layers[k]);
        auto next = squares(ring, mixed);
        y = weights.residual[k] ? sum(ring, next, permute_entries(weights.skip, y)) : next;
    }
    return y;
}

template <Ring R>
MatrixOver<R> square_mlp(const R& ring, const SquareMlpWeights<typename R::Element>& weights,
                         const MatrixOver<R>& x) {
    MatrixOver<R> y = x;  // (n, m)
    for (std::size_t k = 0; k < weights.layers.size(); ++k) {
        const auto next = squares(ring, product(ring, weights.layers[k], y));
        y = weights.residual[k] ? sum(ring, next, y) : next;
    }
    return y;
}

template SquareMixerWeights<std::uint64_t> draw_square_mixer(const PrimeField&, const arch::SquareMixerSpec&,
                                                             std::uint64_t);
template SquareMixerWeights<Integer> draw_square_mixer(const IntegerRing&, const arch::SquareMixerSpec&,
                                                       std::uint64_t);
template SquareMixerWeights<double> draw_square_mixer(const RealRing&, const arch::SquareMixerSpec&,
                                                      std::uint64_t);

template SquareMlpWeights<std::uint64_t> draw_square_mlp(const PrimeField&, const arch::SquareMlpSpec&,
                                                         std::uint64_t);
template SquareMlpWeights<Integer> draw_square_mlp(const IntegerRing&, const arch::SquareMlpSpec&,
                                                   std::uint64_t);
template SquareMlpWeights<double> draw_square_mlp(const RealRing&, const arch::SquareMlpSpec&, std::uint64_t);

template Matrix<std::uint64_t> square_mixer(const PrimeField&, const SquareMixerWeights<std::uint64_t>&,
                                            const Matrix<std::uint64_t>&);
template Matrix<Integer> square_mixer(const IntegerRing&, const SquareMixerWeights<Integer>&,
                                      const Matrix<Integer>&);
template Matrix<double> square_mixer(const RealRing&, const SquareMixerWeights<double>&,
                                     const Matrix<double>&);

template Matrix<std::uint64_t> square_mlp(const PrimeField&, const SquareMlpWeights<std::uint64_t>&,
                                          const Matrix<std::uint64_t>&);
template Matrix<Integer> square_mlp(const IntegerRing&, const SquareMlpWeights<Integer>&,
                                    const Matrix<Integer>&);
template Matrix<double> square_mlp(const RealRing&, const SquareMlpWeights<double>&, const Matrix<double>&);

}  // namespace plimsoll::nets
