#include "plimsoll/nets/attention.h"

#include <string_view>

#include "plimsoll/base/format.h"
#include "plimsoll/nets/jet_ring.h"

namespace plimsoll::nets {
namespace {

// Draws the matrices of one network, each from the stream that bears its name.
template <Ring R>
class Drawer {
  public:
    Drawer(const R& ring, std::uint64_t seed) : ring_(ring), seed_(seed) {}

    MatrixOver<R> matrix(std::string_view name, std::int64_t rows, std::int64_t cols) const {
        RandomStream stream(seed_, fmt::format("nets/attention/{}", name));
        return random_matrix(ring_, static_cast<std::size_t>(rows), static_cast<std::size_t>(cols), stream);
    }

    MatrixOver<R> matrix_of_rank(std::string_view name, std::int64_t rows, std::int64_t rank,
                                 std::int64_t cols) const {
        return product(ring_, matrix(fmt::format("{}/left", name), rows, rank),
                       matrix(fmt::format("{}/right", name), rank, cols));
    }

    Head<typename R::Element> head(const arch::AttentionSpec& spec, std::int64_t layer,
                                   std::int64_t index) const {
        const auto name = [&](const char* part) {
            return fmt::format("layer{}/head{}/{}", layer, index, part);
        };
        return {.query = matrix(name("query"), spec.head_dim, spec.width),
                .key = matrix(name("key"), spec.head_dim, spec.width),
                .value = matrix(name("value"), spec.head_dim, spec.width),
                .output = matrix(name("output"), spec.width, spec.head_dim)};
    }

    MatrixOver<R> positional(const arch::AttentionSpec& spec, std::int64_t positions) const {
        switch (spec.positions) {
            case arch::Positions::none:
                return {};
            case arch::Positions::ranked:
                return matrix_of_rank("positions", spec.width, spec.position_rank, positions);
            case arch::Positions::free:
                return matrix("positions", spec.width, positions);
        }
        PLIMSOLL_CHECK(false, "unknown kind of positions");
        return {};
    }

  private:
    const R& ring_;
    std::uint64_t seed_;
};

// sum_h O V G K^T Q for G (d_x, d_x): both the layer and its Gram form are this matrix times their input.
template <Ring R>
MatrixOver<R> mixing_matrix(const R& ring, const std::vector<Head<typename R::Element>>& heads,
                            const MatrixOver<R>& gram) {
    MatrixOver<R> total(gram.rows(), gram.cols());
    for (const auto& head : heads) {
        const auto left = product(ring, head.output, head.value);           // (d_x, d_x)
        const auto right = product(ring, transpose(head.key), head.query);  // (d_x, d_x)
        total = sum(ring, total, product(ring, left, gram, right));
    }
    return total;
}

template <Ring R>
typename R::Element dot(const R& ring, const MatrixOver<R>& a, std::size_t a_col, const MatrixOver<R>& b,
                        std::size_t b_col) {
    typename R::Element total{};
    for (std::size_t k = 0; k < a.rows(); ++k) {
        total = ring.add(total, ring.multiply(a(k, a_col), b(k, b_col)));
    }
    return total;
}

}  // namespace

template <Ring R>
AttentionWeights<typename R::Element> draw_attention(const R& ring, const arch::AttentionSpec& spec,
                                                     std::int64_t positions, std::uint64_t seed) {
    const Drawer<R> draw(ring, seed);
    AttentionWeights<typename R::Element> weights;
    weights.residual = spec.residual;
    for (std::int64_t l = 1; l <= spec.depth; ++l) {
        auto& heads = weights.layers.emplace_back();
        for (std::int64_t h = 1; h <= spec.heads; ++h) heads.push_back(draw.head(spec, l, h));
    }
    if (spec.embedding != arch::InputEmbedding::none) {
        weights.embedding = draw.matrix_of_rank("embedding", spec.width, spec.embedding_rank, spec.vocab);
    }
    weights.positions = draw.positional(spec, positions);
    return weights;
}

template <Ring R>
Attention<R>::Attention(R ring, AttentionWeights<Element> weights)
    : ring_(std::move(ring)), weights_(std::move(weights)) {}

template <Ring R>
Matrix<typename R::Element> Attention<R>::embed(const Matrix<Element>& input) const {
    Matrix<Element> x =
        weights_.embedding.cols() == 0 ? input : product(ring_, weights_.embedding, input);  // (d_x, N)
    return weights_.positions.cols() == 0 ? x : sum(ring_, x, weights_.positions);
}

template <Ring R>
Matrix<typename R::Element> Attention<R>::layer(std::size_t index, const Matrix<Element>& x) const {
    Matrix<Element> y(x.rows(), x.cols());  // (d_x, N)
    for (const Head<Element>& head : weights_.layers[index]) {
        const auto values = product(ring_, head.output, product(ring_, head.value, x));  // O V X: (d_x, N)
        const auto keys = product(ring_, head.key, x);                                   // K X: (d_a, N)
        const auto queries = product(ring_, head.query, x);                              // Q X: (d_a, N)
        y = sum(ring_, y, product(ring_, values, product(ring_, transpose(keys), queries)));
    }
    return weights_.residual ? sum(ring_, y, x) : y;
}

template <Ring R>
Matrix<typename R::Element> Attention<R>::layer_by_columns(std::size_t index,
                                                           const Matrix<Element>& x) const {
    Matrix<Element> y = weights_.residual ? x : Matrix<Element>(x.rows(), x.cols());  // (d_x, N)
    for (const Head<Element>& head : weights_.layers[index]) {
        const auto queries = product(ring_, head.query, x);                              // (d_a, N)
        const auto keys = product(ring_, head.key, x);                                   // (d_a, N)
        const auto values = product(ring_, product(ring_, head.output, head.value), x);  // (d_x, N)
        for (std::size_t i = 0; i < x.cols(); ++i) {
            for (std::size_t j = 0; j < x.cols(); ++j) {
                const Element score = dot(ring_, queries, i, keys, j);
                for (std::size_t p = 0; p < x.rows(); ++p) {
                    y(p, i) = ring_.add(y(p, i), ring_.multiply(score, values(p, j)));
                }
            }
        }
    }
    return y;
}

template <Ring R>
Matrix<typename R::Element> Attention<R>::forward(const Matrix<Element>& x) const {
    Matrix<Element> y = x;
    for (std::size_t l = 0; l < weights_.layers.size(); ++l) y = layer(l, y);
    return y;
}

template <Ring R>
Matrix<typename R::Element> Attention<R>::forward_by_columns(const Matrix<Element>& x) const {
    Matrix<Element> y = x;
    for (std::size_t l = 0; l < weights_.layers.size(); ++l) y = layer_by_columns(l, y);
    return y;
}

template <Ring R>
Matrix<typename R::Element> Attention<R>::gram_transform(const Matrix<Element>& gram) const {
    Matrix<Element> transform = identity(ring_, gram.rows());  // P: (d_x, d_x)
    Matrix<Element> current = gram;                            // P G P^T: (d_x, d_x)
    for (const auto& heads : weights_.layers) {
        auto step = mixing_matrix(ring_, heads, current);
        if (weights_.residual) step = sum(ring_, step, identity(ring_, gram.rows()));
        transform = product(ring_, step, transform);
        current = product(ring_, step, current, transpose(step));
    }
    return transform;
}

template <Ring R>
MatrixOver<R> one_hot(const R& ring, const std::vector<std::size_t>& tokens, std::size_t vocab) {
    MatrixOver<R> result(vocab, tokens.size());
    for (std::size_t j = 0; j < tokens.size(); ++j) {
        PLIMSOLL_CHECK(tokens[j] < vocab, "token outside the vocabulary");
        result(tokens[j], j) = ring.from_integer(1);
    }
    return result;
}

template class Attention<PrimeField>;
template class Attention<IntegerRing>;
template class Attention<RealRing>;
template class Attention<JetRing>;

template AttentionWeights<std::uint64_t> draw_attention(const PrimeField&, const arch::AttentionSpec&,
                                                        std::int64_t, std::uint64_t);
template AttentionWeights<Integer> draw_attention(const IntegerRing&, const arch::AttentionSpec&,
                                                  std::int64_t, std::uint64_t);
template AttentionWeights<double> draw_attention(const RealRing&, const arch::AttentionSpec&, std::int64_t,
                                                 std::uint64_t);

template Matrix<std::uint64_t> one_hot(const PrimeField&, const std::vector<std::size_t>&, std::size_t);
template Matrix<Integer> one_hot(const IntegerRing&, const std::vector<std::size_t>&, std::size_t);
template Matrix<double> one_hot(const RealRing&, const std::vector<std::size_t>&, std::size_t);

}  // namespace plimsoll::nets
