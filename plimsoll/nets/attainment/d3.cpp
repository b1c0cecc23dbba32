#include "plimsoll/nets/attainment/d3.h"

namespace plimsoll::nets {
namespace {

using FieldMatrix = MatrixOver<PrimeField>;

constexpr std::size_t hub_at = 0, w_at = 1;

// Where things are; block 1 starts after the hub and w.
struct CoordinateLayout {
    std::size_t n, width;

    [[nodiscard]] std::size_t first(std::size_t k) const { return 2 + k; }
    [[nodiscard]] std::size_t second(std::size_t k) const { return 2 + n + k; }
};

CoordinateLayout places_of(const D3Shape& shape) {
    const std::int64_t least = 2 * shape.block + 2, width = shape.width == 0 ? least : shape.width;
    PLIMSOLL_CHECK(shape.block >= 1 && width >= least, "the construction needs d >= 2n + 2");
    PLIMSOLL_CHECK(shape.core >= 1 && shape.depth >= shape.core, "L >= L0 >= 1");
    return {static_cast<std::size_t>(shape.block), static_cast<std::size_t>(width)};
}

void set_both(FieldMatrix& gram, std::size_t i, std::size_t j, std::uint64_t value) {
    gram(i, j) = gram(j, i) = value;
}

void set_middle(FieldMatrix& gram, const CoordinateLayout& at, const FieldMatrix& x) {
    PLIMSOLL_CHECK(x.rows() == at.n && x.cols() == at.n, "block (1, 2) is (n, n)");
    for (std::size_t i = 0; i < at.n; ++i) {
        for (std::size_t j = 0; j < at.n; ++j) set_both(gram, at.first(i), at.second(j), x(i, j));
    }
}

FieldMatrix exchange(const CoordinateLayout& at) {
    FieldMatrix k(at.width, at.width);
    k(w_at, w_at) = 1;
    for (std::size_t i = 0; i < at.n; ++i) set_both(k, at.first(i), at.second(i), 1);
    return k;
}

// p'^T middle p.
std::uint64_t between(const PrimeField& field, const D3Data& data, const FieldMatrix& middle) {
    return product(field, transpose(column(data.p_prime)), middle, column(data.p))(0, 0);
}

// Rows (-C R, C), which are orthogonal to the columns of P = (I; R); (nu, n).
FieldMatrix orthogonal_rows(const PrimeField& field, const FieldMatrix& r, const FieldMatrix& c) {
    const FieldMatrix head = product(field, c, r);  // (nu, nu)
    FieldMatrix result(c.rows(), head.cols() + c.cols());
    for (std::size_t i = 0; i < c.rows(); ++i) {
        for (std::size_t j = 0; j < head.cols(); ++j) result(i, j) = field.subtract(0, head(i, j));
        for (std::size_t j = 0; j < c.cols(); ++j) result(i, head.cols() + j) = c(i, j);
    }
    return result;
}

}  // namespace

FieldMatrix random_square_zero(const PrimeField& field, std::size_t n, std::size_t nu, RandomStream& stream) {
    PLIMSOLL_CHECK(nu >= 1 && 2 * nu <= n, "a matrix of rank nu whose square is zero needs n >= 2 nu");
    const FieldMatrix r = random_matrix(field, n - nu, nu, stream),
                      c = random_matrix(field, nu, n - nu, stream);
    const FieldMatrix alpha = random_matrix(field, nu, nu, stream);
    FieldMatrix p(n, nu);  // (I; R)
    for (std::size_t j = 0; j < nu; ++j) {
        p(j, j) = 1;
        for (std::size_t i = nu; i < n; ++i) p(i, j) = r(i - nu, j);
    }
    return product(field, p, alpha, orthogonal_rows(field, r, c));
}

std::uint64_t d3_letters(const D3Shape& shape) { return (power_of_three(shape.core) - 3) / 2; }

AttentionWeights<std::uint64_t> d3_weights(const PrimeField& field, const D3Shape& shape) {
    const CoordinateLayout at = places_of(shape);
    const FieldMatrix one = identity(field, at.width);
    AttentionWeights<std::uint64_t> weights;
    for (std::int64_t l = 1; l <= shape.core; ++l)
        weights.layers.push_back({head_of({one, one}, {one, exchange(at)})});
    add_collapse(weights, {at.width, at.width}, 1, shape.depth - shape.core);
    return weights;
}

FieldMatrix d3_left_gram(const D3Shape& shape, const D3Data& data) {
    const CoordinateLayout at = places_of(shape);
    PLIMSOLL_CHECK(data.p.size() == at.n && data.p_prime.size() == at.n, "p and p' have n entries");
    FieldMatrix gram(at.width, at.width);
    set_middle(gram, at, data.x);
    set_both(gram, hub_at, w_at, data.theta);
    gram(w_at, w_at) = 1;
    for (std::size_t k = 0; k < at.n; ++k) {
        set_both(gram, hub_at, at.first(k), data.p[k]);
        set_both(gram, hub_at, at.second(k), data.p_prime[k]);
    }
    return gram;
}

FieldMatrix d3_right_gram(const D3Shape& shape, const FieldMatrix& x_b) {
    const CoordinateLayout at = places_of(shape);
    FieldMatrix gram(at.width, at.width);
    set_middle(gram, at, x_b);
    return gram;
}

// With y_j the part of column j above the diagonal and half the diagonal, G is the sum of e_j y_j^T + y_j
// e_j^T, and each term is (e_j + y_j/2)(e_j + y_j/2)^T - (e_j - y_j/2)(e_j - y_j/2)^T.
FieldMatrix gram_columns(const PrimeField& field, const FieldMatrix& gram) {
    const auto root = field.root_of_minus_one();
    PLIMSOLL_CHECK(root.has_value(), "the field needs a square root of -1");
    const auto half = field.inverse(2), quarter = field.multiply(half, half);
    const std::size_t d = gram.rows();
    FieldMatrix x(d, 2 * d);
    for (std::size_t j = 0; j < d; ++j) {
        for (std::size_t i = 0; i <= j; ++i) {
            const auto z = field.multiply(gram(i, j), i == j ? quarter : half);
            const std::uint64_t one = i == j ? 1 : 0;
            x(i, 2 * j) = field.add(one, z);
            x(i, 2 * j + 1) = field.multiply(*root, field.subtract(one, z));
        }
    }
    return x;
}

FieldMatrix d3_input(const PrimeField& field, const D3Shape& shape, const D3Data& data,
                     const FieldMatrix& x_b) {
    FieldMatrix rest = d3_left_gram(shape, data);
    rest(w_at, w_at) = field.subtract(rest(w_at, w_at), 1);  // e_w itself is a column
    const FieldMatrix left = gram_columns(field, rest),
                      right = gram_columns(field, d3_right_gram(shape, x_b));
    FieldMatrix input(rest.rows(), 1 + left.cols() + right.cols());
    input(w_at, 0) = 1;
    for (std::size_t i = 0; i < rest.rows(); ++i) {
        for (std::size_t j = 0; j < left.cols(); ++j) {
            input(i, 1 + j) = left(i, j);
            input(i, 1 + left.cols() + j) = right(i, j);
        }
    }
    return input;
}

std::uint64_t d3_closed_form(const PrimeField& field, const D3Shape& shape, const D3Data& data,
                             const FieldMatrix& x_b) {
    const FieldMatrix x = sum(field, data.x, x_b);
    const auto middle = between(field, data, matrix_power(field, x, 2 * d3_letters(shape) + 1));
    const auto g = field.add(field.add(middle, middle), field.multiply(data.theta, data.theta));
    return field.multiply(data.theta, power(field, g, collapse_power(shape.depth - shape.core)));
}

std::uint64_t d3_kernel(const PrimeField& field, const D3Data& data, const FieldMatrix& x_b, std::uint64_t k,
                        std::uint64_t lambda) {
    const FieldMatrix pair = product(field, data.x, x_b);
    return power(field, between(field, data, product(field, matrix_power(field, pair, k), data.x)), lambda);
}

}  // namespace plimsoll::nets
