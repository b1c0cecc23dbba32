#include "plimsoll/nets/attainment/zero_points.h"

namespace plimsoll::nets {
namespace {

using FieldMatrix = MatrixOver<PrimeField>;

std::uint64_t pairing(const PrimeField& field, const FieldMatrix& u, const FieldMatrix& m,
                      const FieldMatrix& v) {
    return product(field, transpose(u), m, v)(0, 0);
}

std::uint64_t inner(const PrimeField& field, const FieldMatrix& u, const FieldMatrix& v) {
    return product(field, transpose(u), v)(0, 0);
}

// x after the reflection that takes `from` to `to`, two columns of one norm.
FieldMatrix reflected(const PrimeField& field, const FieldMatrix& from, const FieldMatrix& to,
                      const FieldMatrix& x) {
    const auto minus_one = field.subtract(0, 1);
    const FieldMatrix v = sum(field, from, scale(field, minus_one, to));
    const auto factor = field.multiply(field.from_integer(-2), field.inverse(inner(field, v, v)));
    return sum(field, x, scale(field, factor, product(field, v, product(field, transpose(v), x))));
}

}  // namespace

// For p = 5 modulo 8 it is a^((p+3)/8) or that times a root of -1.
std::optional<std::uint64_t> square_root(const PrimeField& field, std::uint64_t square) {
    PLIMSOLL_CHECK(field.prime() % 8 == 5, "square roots are powers only for primes that are 5 modulo 8");
    const auto candidate = power(field, square, (field.prime() + 3) / 8);
    for (const auto factor : {std::uint64_t{1}, *field.root_of_minus_one()}) {
        const auto root = field.multiply(candidate, factor);
        if (field.multiply(root, root) == square) return root;
    }
    return std::nullopt;
}

std::optional<FieldVector> isotropic(const PrimeField& field, const FieldMatrix& m, RandomStream& stream) {
    const auto u = random_matrix(field, m.rows(), 1, stream), v = random_matrix(field, m.rows(), 1, stream);
    const auto vv = pairing(field, v, m, v), uv = pairing(field, u, m, v), uu = pairing(field, u, m, u);
    const auto root = square_root(field, field.subtract(field.multiply(uv, uv), field.multiply(uu, vv)));
    if (!root || vv == 0) return std::nullopt;
    const auto z = field.multiply(field.subtract(*root, uv), field.inverse(vv));
    return sum(field, u, scale(field, z, v)).data();
}

// Random data have a zero for some other vector; a reflection takes that vector to `a`.
FieldMatrix zero_data(const PrimeField& field, const FieldVector& a, std::int64_t core, std::size_t positions,
                      RandomStream& stream) {
    const FieldMatrix to = column(a);
    return first_of([&]() -> std::optional<FieldMatrix> {
        const FieldMatrix x = random_matrix(field, a.size(), positions, stream);
        const auto other = isotropic(
            field, matrix_power(field, product(field, x, transpose(x)), power_of_three(core)), stream);
        if (!other) return std::nullopt;
        const FieldMatrix from = column(*other);
        const auto ratio = field.multiply(inner(field, to, to), field.inverse(inner(field, from, from)));
        const auto root = square_root(field, ratio);
        return root ? std::optional(reflected(field, scale(field, *root, from), to, x)) : std::nullopt;
    });
}

FieldMatrix gram_power_gradient(const PrimeField& field, const FieldVector& a, std::int64_t core,
                                const FieldMatrix& gram) {
    std::vector<FieldMatrix> words = {column(a)};
    while (words.size() < power_of_three(core)) words.push_back(product(field, gram, words.back()));
    FieldMatrix result(gram.rows(), gram.cols());
    for (std::size_t i = 0; i < words.size(); ++i)
        result = sum(field, result, product(field, words[i], transpose(words[words.size() - 1 - i])));
    return result;
}

}  // namespace plimsoll::nets
