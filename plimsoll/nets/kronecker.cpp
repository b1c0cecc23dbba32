#include "plimsoll/nets/kronecker.h"

#include "plimsoll/base/format.h"

namespace plimsoll::nets {
namespace {

template <Ring R>
KroneckerLayer<typename R::Element> draw_layer(const R& ring, const KroneckerMixerSpec& spec,
                                               std::int64_t index, std::uint64_t seed) {
    const bool token_mixing = index % 2 == 0;
    const auto tokens = static_cast<std::size_t>(spec.tokens);
    const auto channels = static_cast<std::size_t>(spec.channels);
    const std::size_t size = token_mixing ? tokens : channels;
    RandomStream stream(seed, fmt::format("nets/kronecker/layer{}", index + 1));
    KroneckerLayer<typename R::Element> layer{.copies = token_mixing ? channels : tokens,
                                              .weight = random_matrix(ring, size, size, stream),
                                              .square = spec.square,
                                              .skip = spec.skip};
    if (spec.mixing == Mixing::random) {
        RandomStream shuffle(spec.permutation_seed, fmt::format("nets/kronecker/layer{}", index + 1));
        layer.before = random_permutation(tokens * channels, shuffle);
        layer.after = random_permutation(tokens * channels, shuffle);
    } else if (token_mixing) {
        layer.before = layer.after = identity_permutation(tokens * channels);
    } else {
        layer.before = commutation(tokens, channels);
        layer.after = inverse(layer.before);
    }
    return layer;
}

// (I_k kron W) x: W on every k-th part of x.
template <Ring R>
std::vector<typename R::Element> apply_blocks(const R& ring, const KroneckerLayer<typename R::Element>& layer,
                                              const std::vector<typename R::Element>& x) {
    const auto parts = unvec(x, layer.weight.cols(), layer.copies);  // (in, k): one part per column
    return vec(product(ring, layer.weight, parts));
}

template <Ring R>
std::vector<typename R::Element> apply_layer(const R& ring, const KroneckerLayer<typename R::Element>& layer,
                                             const std::vector<typename R::Element>& x) {
    auto y = permute(layer.after, apply_blocks(ring, layer, permute(layer.before, x)));
    if (layer.square) {
        for (auto& a : y) a = ring.multiply(a, a);
    }
    if (layer.skip) {
        PLIMSOLL_CHECK(x.size() == y.size(), "a skip needs a layer that keeps its width");
        for (std::size_t i = 0; i < y.size(); ++i) y[i] = ring.add(y[i], x[i]);
    }
    return y;
}

}  // namespace

template <Ring R>
MatrixOver<R> kronecker(const R& ring, const MatrixOver<R>& a, const MatrixOver<R>& b) {
    MatrixOver<R> result(a.rows() * b.rows(), a.cols() * b.cols());
    for (std::size_t i = 0; i < result.rows(); ++i) {
        for (std::size_t j = 0; j < result.cols(); ++j) {
            result(i, j) = ring.multiply(a(i / b.rows(), j / b.cols()), b(i % b.rows(), j % b.cols()));
        }
    }
    return result;
}

template <Ring R>
std::vector<typename R::Element> apply(const R& ring, const MatrixOver<R>& a,
                                       const std::vector<typename R::Element>& x) {
    return product(ring, a, unvec(x, x.size(), 1)).data();
}

template <Ring R>
std::vector<KroneckerLayer<typename R::Element>> draw_kronecker_mixer(const R& ring,
                                                                      const KroneckerMixerSpec& spec,
                                                                      std::uint64_t seed) {
    std::vector<KroneckerLayer<typename R::Element>> layers;
    for (std::int64_t k = 0; k < 2 * spec.depth; ++k) layers.push_back(draw_layer(ring, spec, k, seed));
    return layers;
}

template <Ring R>
std::vector<typename R::Element> kronecker_net(const R& ring,
                                               const std::vector<KroneckerLayer<typename R::Element>>& layers,
                                               const std::vector<typename R::Element>& x) {
    auto y = x;
    for (const auto& layer : layers) y = apply_layer(ring, layer, y);
    return y;
}

template <Ring R>
MatrixOver<R> wide_matrix(const R& ring, const KroneckerLayer<typename R::Element>& layer) {
    const auto blocks = kronecker(ring, identity(ring, layer.copies), layer.weight);
    return product(ring, permutation_matrix(ring, layer.after), blocks,
                   permutation_matrix(ring, layer.before));
}

template Matrix<std::uint64_t> kronecker(const PrimeField&, const Matrix<std::uint64_t>&,
                                         const Matrix<std::uint64_t>&);
template Matrix<Integer> kronecker(const IntegerRing&, const Matrix<Integer>&, const Matrix<Integer>&);
template Matrix<double> kronecker(const RealRing&, const Matrix<double>&, const Matrix<double>&);

template std::vector<std::uint64_t> apply(const PrimeField&, const Matrix<std::uint64_t>&,
                                          const std::vector<std::uint64_t>&);
template std::vector<Integer> apply(const IntegerRing&, const Matrix<Integer>&, const std::vector<Integer>&);
template std::vector<double> apply(const RealRing&, const Matrix<double>&, const std::vector<double>&);

template std::vector<KroneckerLayer<std::uint64_t>> draw_kronecker_mixer(const PrimeField&,
                                                                         const KroneckerMixerSpec&,
                                                                         std::uint64_t);
template std::vector<KroneckerLayer<Integer>> draw_kronecker_mixer(const IntegerRing&,
                                                                   const KroneckerMixerSpec&, std::uint64_t);
template std::vector<KroneckerLayer<double>> draw_kronecker_mixer(const RealRing&, const KroneckerMixerSpec&,
                                                                  std::uint64_t);

template std::vector<std::uint64_t> kronecker_net(const PrimeField&,
                                                  const std::vector<KroneckerLayer<std::uint64_t>>&,
                                                  const std::vector<std::uint64_t>&);
template std::vector<Integer> kronecker_net(const IntegerRing&, const std::vector<KroneckerLayer<Integer>>&,
                                            const std::vector<Integer>&);
template std::vector<double> kronecker_net(const RealRing&, const std::vector<KroneckerLayer<double>>&,
                                           const std::vector<double>&);

template Matrix<std::uint64_t> wide_matrix(const PrimeField&, const KroneckerLayer<std::uint64_t>&);
template Matrix<Integer> wide_matrix(const IntegerRing&, const KroneckerLayer<Integer>&);
template Matrix<double> wide_matrix(const RealRing&, const KroneckerLayer<double>&);

}  // namespace plimsoll::nets
