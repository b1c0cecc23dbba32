#include "plimsoll/nets/kronecker.h"

#include <utility>

#include "plimsoll/base/format.h"

namespace plimsoll::nets {
namespace {

struct Permutations {
    Permutation before, after;
};

// Rows of the layer's matrix.
std::size_t out_size(const KroneckerShape& shape) {
    return static_cast<std::size_t>(shape.out == 0 ? shape.size : shape.out);
}

Permutations draw_permutations(const KroneckerNetSpec& spec, std::size_t index) {
    const KroneckerShape& shape = spec.layers[index];
    const auto in = static_cast<std::size_t>(shape.size), copies = static_cast<std::size_t>(shape.copies);
    const std::size_t out = out_size(shape);
    switch (shape.shuffle) {
        case Shuffle::none:
            return {identity_permutation(in * copies), identity_permutation(out * copies)};
        case Shuffle::commutation:
            return {identity_permutation(in * copies), commutation(out, copies)};
        case Shuffle::conjugated:
            return {inverse(commutation(in, copies)), commutation(out, copies)};
        case Shuffle::random:
            break;
    }
    RandomStream stream(spec.permutation_seed, fmt::format("nets/kronecker/layer{}", index + 1));
    Permutations drawn;
    drawn.before = random_permutation(in * copies, stream);
    drawn.after = random_permutation(out * copies, stream);
    return drawn;
}

// (I_k kron W) x: W on every k-th part of x.
template <Ring R>
std::vector<typename R::Element> apply_blocks(const R& ring, const KroneckerLayer<typename R::Element>& layer,
                                              const std::vector<typename R::Element>& x) {
    const auto parts = unvec(x, layer.weight.cols(), layer.copies);  // (in, k): one part per column
    return vec(product(ring, layer.weight, parts));
}

template <Ring R>
void add_to(const R& ring, std::vector<typename R::Element>& y, const std::vector<typename R::Element>& x) {
    PLIMSOLL_CHECK(x.size() == y.size(), "a skip needs layers that keep their width");
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = ring.add(y[i], x[i]);
}

template <Ring R>
std::vector<typename R::Element> apply_layer(const R& ring, const KroneckerLayer<typename R::Element>& layer,
                                             const std::vector<typename R::Element>& x) {
    auto y = permute(layer.after, apply_blocks(ring, layer, permute(layer.before, x)));
    if (layer.square) {
        for (auto& a : y) a = ring.multiply(a, a);
    }
    if (layer.skip) add_to(ring, y, x);
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
std::vector<KroneckerLayer<typename R::Element>> draw_kronecker_net(const R& ring,
                                                                    const KroneckerNetSpec& spec,
                                                                    std::uint64_t seed) {
    using Part = KroneckerShape::Part;
    std::vector<KroneckerLayer<typename R::Element>> layers;
    for (std::size_t k = 0; k < spec.layers.size(); ++k) {
        const KroneckerShape& shape = spec.layers[k];
        const auto size = static_cast<std::size_t>(shape.size);
        RandomStream stream(seed, fmt::format("nets/kronecker/layer{}", k + 1));
        auto permutations = draw_permutations(spec, k);
        layers.push_back({.copies = static_cast<std::size_t>(shape.copies),
                          .weight = random_matrix(ring, out_size(shape), size, stream),
                          .before = std::move(permutations.before),
                          .after = std::move(permutations.after),
                          .square = spec.square && shape.part != Part::second,
                          .skip = spec.skip && shape.part == Part::whole,
                          .skip_pair = spec.skip && shape.part == Part::second});
    }
    return layers;
}

template <Ring R>
std::vector<typename R::Element> kronecker_net(const R& ring,
                                               const std::vector<KroneckerLayer<typename R::Element>>& layers,
                                               const std::vector<typename R::Element>& x) {
    auto y = x, before = x;  // before: the input of the layer before
    for (const auto& layer : layers) {
        auto next = apply_layer(ring, layer, y);
        if (layer.skip_pair) add_to(ring, next, before);
        before = std::exchange(y, std::move(next));
    }
    return y;
}

template Matrix<std::uint64_t> kronecker(const PrimeField&, const Matrix<std::uint64_t>&,
                                         const Matrix<std::uint64_t>&);
template Matrix<Integer> kronecker(const IntegerRing&, const Matrix<Integer>&, const Matrix<Integer>&);
template Matrix<double> kronecker(const RealRing&, const Matrix<double>&, const Matrix<double>&);

template std::vector<std::uint64_t> apply(const PrimeField&, const Matrix<std::uint64_t>&,
                                          const std::vector<std::uint64_t>&);
template std::vector<Integer> apply(const IntegerRing&, const Matrix<Integer>&, const std::vector<Integer>&);
template std::vector<double> apply(const RealRing&, const Matrix<double>&, const std::vector<double>&);

template std::vector<KroneckerLayer<std::uint64_t>> draw_kronecker_net(const PrimeField&,
                                                                       const KroneckerNetSpec&,
                                                                       std::uint64_t);
template std::vector<KroneckerLayer<Integer>> draw_kronecker_net(const IntegerRing&, const KroneckerNetSpec&,
                                                                 std::uint64_t);
template std::vector<KroneckerLayer<double>> draw_kronecker_net(const RealRing&, const KroneckerNetSpec&,
                                                                std::uint64_t);

template std::vector<std::uint64_t> kronecker_net(const PrimeField&,
                                                  const std::vector<KroneckerLayer<std::uint64_t>>&,
                                                  const std::vector<std::uint64_t>&);
template std::vector<Integer> kronecker_net(const IntegerRing&, const std::vector<KroneckerLayer<Integer>>&,
                                            const std::vector<Integer>&);
template std::vector<double> kronecker_net(const RealRing&, const std::vector<KroneckerLayer<double>>&,
                                           const std::vector<double>&);

}  // namespace plimsoll::nets
