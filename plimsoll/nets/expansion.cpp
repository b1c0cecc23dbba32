#include "plimsoll/nets/expansion.h"

namespace plimsoll::nets {
namespace {

template <class T>
using Terms = std::vector<ExpansionTerm<T>>;

// Depth one: O (V X X^T K^T) Q X, so that B_0 = O^T, A_1 = V, B_1 = K, A_0 = Q.
template <class T>
ExpansionTerm<T> single_layer(const Head<T>& head) {
    return {.b0 = transpose(head.output), .factors = {{head.value, head.key}}, .a0 = head.query};
}

// O V Y_1 Y_2^T K^T Q Y_3 X for three terms of the layer below. Y_2 is transposed, which turns M_c = A G B^T
// into B G A^T and reverses the order; the (d_a, d_a) matrices between the parts join the factor beside them.
template <Ring R>
ExpansionTerm<typename R::Element> join(const R& ring, const Head<typename R::Element>& head,
                                        const ExpansionTerm<typename R::Element>& first,
                                        const ExpansionTerm<typename R::Element>& second,
                                        const ExpansionTerm<typename R::Element>& third) {
    const auto into_first = product(ring, head.value, transpose(first.b0));  // V B_0^T: (d_a, d_a)
    const auto into_third = product(ring, product(ring, second.b0, transpose(head.key)),
                                    product(ring, head.query, transpose(third.b0)));  // (d_a, d_a)
    ExpansionTerm<typename R::Element> term{.b0 = transpose(head.output), .a0 = third.a0};
    term.factors = first.factors;
    term.factors.front().a = product(ring, into_first, term.factors.front().a);
    term.factors.push_back({first.a0, second.a0});
    for (auto factor = second.factors.rbegin(); factor != second.factors.rend(); ++factor) {
        term.factors.push_back({factor->b, factor->a});
    }
    term.factors.back().b = product(ring, transpose(into_third), term.factors.back().b);
    term.factors.insert(term.factors.end(), third.factors.begin(), third.factors.end());
    return term;
}

template <Ring R>
Terms<typename R::Element> deepen(const R& ring, const std::vector<Head<typename R::Element>>& heads,
                                  const Terms<typename R::Element>& below) {
    Terms<typename R::Element> terms;
    for (const auto& head : heads) {
        for (const auto& first : below) {
            for (const auto& second : below) {
                for (const auto& third : below) terms.push_back(join(ring, head, first, second, third));
            }
        }
    }
    return terms;
}

}  // namespace

template <Ring R>
Terms<typename R::Element> expand(const R& ring, const AttentionWeights<typename R::Element>& weights) {
    PLIMSOLL_CHECK(!weights.residual && !weights.layers.empty(),
                   "the expansion is of a net without residual");
    Terms<typename R::Element> terms;
    for (const auto& head : weights.layers.front()) terms.push_back(single_layer(head));
    for (std::size_t l = 1; l < weights.layers.size(); ++l) terms = deepen(ring, weights.layers[l], terms);
    return terms;
}

template <Ring R>
MatrixOver<R> evaluate(const R& ring, const Terms<typename R::Element>& terms, const MatrixOver<R>& x) {
    const auto gram = product(ring, x, transpose(x));  // X X^T: (d_x, d_x)
    MatrixOver<R> y(x.rows(), x.cols());               // (d_x, N)
    for (const auto& term : terms) {
        auto left = transpose(term.b0);  // (d_x, d_a)
        for (const auto& [a, b] : term.factors) left = product(ring, left, a, gram, transpose(b));
        y = sum(ring, y, product(ring, left, product(ring, term.a0, x)));
    }
    return y;
}

template Terms<std::uint64_t> expand(const PrimeField&, const AttentionWeights<std::uint64_t>&);
template Terms<Integer> expand(const IntegerRing&, const AttentionWeights<Integer>&);
template Terms<double> expand(const RealRing&, const AttentionWeights<double>&);

template Matrix<std::uint64_t> evaluate(const PrimeField&, const Terms<std::uint64_t>&,
                                        const Matrix<std::uint64_t>&);
template Matrix<Integer> evaluate(const IntegerRing&, const Terms<Integer>&, const Matrix<Integer>&);
template Matrix<double> evaluate(const RealRing&, const Terms<double>&, const Matrix<double>&);

}  // namespace plimsoll::nets
