#include "plimsoll/nets/attainment/tangent_form.h"

#include "plimsoll/nets/attainment/zero_points.h"
#include "plimsoll/nets/jet_ring.h"

namespace plimsoll::nets {
namespace {

using FieldMatrix = MatrixOver<PrimeField>;
using JetMatrix = Matrix<Jet>;

// The symmetric matrices e_p e_c^T + e_c e_p^T, p < c, and e_p e_p^T, counted row by row.
class SymmetricBasis {
  public:
    explicit SymmetricBasis(std::size_t width) : width_(width) {
        for (std::size_t p = 0; p < width; ++p) {
            for (std::size_t c = p; c < width; ++c) places_.push_back({p, c});
        }
    }

    [[nodiscard]] std::size_t width() const { return width_; }
    [[nodiscard]] std::size_t size() const { return places_.size(); }

    // The coordinates of a symmetric matrix.
    [[nodiscard]] FieldVector coordinates(const FieldMatrix& gram) const {
        FieldVector result;
        for (const auto& [p, c] : places_) result.push_back(gram(p, c));
        return result;
    }

    // gram + s E_i + t E_j.
    [[nodiscard]] JetMatrix moved(const FieldMatrix& gram, std::size_t i, std::size_t j) const {
        JetMatrix result = map(gram, [](std::uint64_t x) { return Jet{.constant = x}; });
        const auto [p, c] = places_[i];
        result(p, c).s = result(c, p).s = 1;
        const auto [r, e] = places_[j];
        result(r, e).t = result(e, r).t = 1;
        return result;
    }

  private:
    struct TangentEntry {
        std::size_t p, c;
    };
    std::size_t width_;
    std::vector<TangentEntry> places_;
};

AttentionWeights<Jet> lifted(const AttentionWeights<std::uint64_t>& weights) {
    const auto lift = [](const FieldMatrix& a) {
        return map(a, [](std::uint64_t x) { return Jet{.constant = x}; });
    };
    AttentionWeights<Jet> result;
    for (const auto& heads : weights.layers) {
        auto& layer = result.layers.emplace_back();
        for (const auto& head : heads)
            layer.push_back({lift(head.query), lift(head.key), lift(head.value), lift(head.output)});
    }
    return result;
}

// g = r G r^T for row 0 of the network's P(G).
Jet collapsed_form(const Attention<JetRing>& net, const JetMatrix& gram) {
    const JetMatrix transform = net.gram_transform(gram);
    JetMatrix row(1, gram.cols());
    for (std::size_t j = 0; j < gram.cols(); ++j) row(0, j) = transform(0, j);
    return product(net.ring(), row, gram, transpose(row))(0, 0);
}

struct Derivatives {
    FieldMatrix first;   // (D, 1)
    FieldMatrix second;  // (D, D)
};

Derivatives derivatives_at(const Attention<JetRing>& net, const SymmetricBasis& basis,
                           const FieldMatrix& gram) {
    Derivatives result{FieldMatrix(basis.size(), 1), FieldMatrix(basis.size(), basis.size())};
    for (std::size_t i = 0; i < basis.size(); ++i) {
        for (std::size_t j = i; j < basis.size(); ++j) {
            const Jet g = collapsed_form(net, basis.moved(gram, i, j));
            result.first(i, 0) = g.s;
            result.second(i, j) = result.second(j, i) = g.st;
        }
    }
    return result;
}

// The tangent vectors at x x^T, as columns of coordinates; (D, d q).
FieldMatrix tangent_vectors(const PrimeField& field, const SymmetricBasis& basis, const FieldMatrix& x) {
    FieldMatrix result(basis.size(), x.rows() * x.cols());
    for (std::size_t k = 0; k < result.cols(); ++k) {
        FieldMatrix step(x.rows(), x.cols());
        step.data()[k] = 1;
        const auto half = product(field, step, transpose(x));
        const auto entries = basis.coordinates(sum(field, half, transpose(half)));
        for (std::size_t i = 0; i < entries.size(); ++i) result(i, k) = entries[i];
    }
    return result;
}

// The derivative along y y^T for column `at` of y.
std::uint64_t slope_along(const PrimeField& field, const SymmetricBasis& basis, const FieldMatrix& first,
                          const FieldMatrix& y, std::size_t at) {
    FieldMatrix one(y.rows(), 1);
    for (std::size_t i = 0; i < y.rows(); ++i) one(i, 0) = y(i, at);
    const auto gram = basis.coordinates(product(field, one, transpose(one)));
    return product(field, transpose(first), column(gram))(0, 0);
}

// Random data of side B whose Gram matrix is orthogonal to the gradient, the last column scaled to fit.
std::optional<FieldMatrix> orthogonal_data(const PrimeField& field, const SymmetricBasis& basis,
                                           const FieldMatrix& first, std::size_t positions,
                                           RandomStream& stream) {
    FieldMatrix y = random_matrix(field, basis.width(), positions, stream);
    std::uint64_t rest = 0;
    for (std::size_t j = 0; j + 1 < positions; ++j)
        rest = field.add(rest, slope_along(field, basis, first, y, j));
    const auto own = slope_along(field, basis, first, y, positions - 1);
    if (own == 0 && rest == 0) return y;
    if (own == 0 || rest == 0) return std::nullopt;
    const auto root = square_root(field, field.multiply(field.subtract(0, rest), field.inverse(own)));
    if (!root) return std::nullopt;
    for (std::size_t i = 0; i < y.rows(); ++i)
        y(i, positions - 1) = field.multiply(*root, y(i, positions - 1));
    return y;
}

// Data of side A and a vector with g = 0.
struct ZeroPoint {
    FieldMatrix x;  // (d, q)
    FieldVector a;  // n entries
};

std::optional<ZeroPoint> zero_point(const PrimeField& field, const D2Shape& core, D2Kind kind, std::int64_t q,
                                    RandomStream& stream) {
    const FieldMatrix x =
        random_matrix(field, static_cast<std::size_t>(core.width), static_cast<std::size_t>(q), stream);
    const auto form =
        d2_closed_form(field, core, kind, d2_free(core, kind, q), product(field, x, transpose(x)));
    const auto a = isotropic(field, form.quadratic, stream);
    return a ? std::optional<ZeroPoint>({x, *a}) : std::nullopt;
}

}  // namespace

TangentForm d2_tangent_form(const PrimeField& field, const D2Shape& shape, D2Kind kind, std::int64_t q,
                            std::uint64_t seed) {
    PLIMSOLL_CHECK(q >= 1 && q <= shape.width, "q is at least 1 and at most d");
    RandomStream stream(seed, "nets/tangent_form");
    D2Shape core = shape;
    core.depth = shape.core;
    const ZeroPoint at = first_of([&] { return zero_point(field, core, kind, q, stream); });
    const Attention<JetRing> net(JetRing(field), lifted(d2_weights(field, core, kind, at.a)));
    const SymmetricBasis basis(at.x.rows());
    const Derivatives g = derivatives_at(net, basis, product(field, at.x, transpose(at.x)));
    const FieldMatrix y =
        first_of([&] { return orthogonal_data(field, basis, g.first, at.x.cols(), stream); });
    const FieldMatrix left = tangent_vectors(field, basis, at.x), right = tangent_vectors(field, basis, y);
    return {.second = product(field, transpose(left), g.second, right),
            .first_left = product(field, transpose(g.first), left).data(),
            .first_right = product(field, transpose(g.first), right).data()};
}

}  // namespace plimsoll::nets
