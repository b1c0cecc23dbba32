// Claims of Hayase and Karakida 2024: a mixer as a wide sparse MLP, checked in exact arithmetic.
#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/nets/kronecker.h"
#include "plimsoll/theory/papers/hayase_bounds.h"
#include "plimsoll/verify/claim_tables.h"

namespace plimsoll::verify {
namespace {

using nets::PrimeField;
using FieldMatrix = nets::MatrixOver<PrimeField>;

// X (S, C), token mixing W (S, S), channel mixing V (C, C), all random.
struct Block {
    PrimeField field;
    std::size_t tokens, channels;
    FieldMatrix x, w, v;

    Block(std::size_t s, std::size_t c) : tokens(s), channels(c) {
        RandomStream stream(51, "verify/mixer-block");
        x = nets::random_matrix(field, s, c, stream);
        w = nets::random_matrix(field, s, s, stream);
        v = nets::random_matrix(field, c, c, stream);
    }

    [[nodiscard]] FieldMatrix identity(std::size_t size) const { return nets::identity(field, size); }
    [[nodiscard]] FieldMatrix token_mixing() const { return kronecker(field, identity(channels), w); }
    [[nodiscard]] FieldMatrix channel_mixing() const {
        return kronecker(field, transpose(v), identity(tokens));
    }
    [[nodiscard]] FieldMatrix shuffle() const {
        return nets::permutation_matrix(field, nets::commutation(tokens, channels));
    }
    [[nodiscard]] std::vector<std::uint64_t> square(std::vector<std::uint64_t> values) const {
        for (auto& value : values) value = field.multiply(value, value);
        return values;
    }
};

bool vec_identity(const Block& b) {
    const auto both = product(b.field, product(b.field, b.w, b.x), b.v);
    return nets::vec(both) == apply(b.field, kronecker(b.field, transpose(b.v), b.w), nets::vec(b.x)) &&
           nets::vec(product(b.field, b.w, b.x)) == apply(b.field, b.token_mixing(), nets::vec(b.x)) &&
           nets::vec(product(b.field, b.x, b.v)) == apply(b.field, b.channel_mixing(), nets::vec(b.x));
}

// J_c vec(X) = vec(X^T), V^T kron I = J_c^T (I kron V^T) J_c, and the block with squares in between.
bool commutation_identity(const Block& b) {
    const auto j = b.shuffle(), inner = kronecker(b.field, b.identity(b.tokens), transpose(b.v));
    const auto conjugated = product(b.field, product(b.field, transpose(j), inner), j);
    const auto hidden = b.square(apply(b.field, j, apply(b.field, b.token_mixing(), nets::vec(b.x))));
    const auto block = b.square(apply(b.field, transpose(j), apply(b.field, inner, hidden)));
    auto literal = product(b.field, b.w, b.x);
    literal.data() = b.square(literal.data());
    literal = product(b.field, literal, b.v);
    literal.data() = b.square(literal.data());
    return apply(b.field, j, nets::vec(b.x)) == nets::vec(transpose(b.x)) &&
           conjugated == b.channel_mixing() && block == nets::vec(literal);
}

std::size_t nonzeros(const FieldMatrix& matrix) {
    return static_cast<std::size_t>(
        std::count_if(matrix.data().begin(), matrix.data().end(), [](std::uint64_t x) { return x != 0; }));
}

// The mixings are square of size S C with C S^2 and S C^2 entries that are not zero.
bool width_and_nonzeros(const Block& b) {
    const auto token = b.token_mixing(), channel = b.channel_mixing();
    const std::size_t width = b.tokens * b.channels;
    return token.rows() == width && channel.rows() == width && nonzeros(token) == width * b.tokens &&
           nonzeros(channel) == width * b.channels;
}

// Whether `matrix` is I_copies kron W for some W.
bool tied_blocks(const PrimeField& field, const FieldMatrix& matrix, std::size_t copies) {
    const std::size_t size = matrix.rows() / copies;
    FieldMatrix block(size, size);
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t k = 0; k < size; ++k) block(i, k) = matrix(i, k);
    }
    return matrix == kronecker(field, nets::identity(field, copies), block);
}

// The linear block V^T kron W is J_c^T L J_c R with L and R block-diagonal, all blocks of each the same.
bool monarch_form(const Block& b) {
    const auto whole = kronecker(b.field, transpose(b.v), b.w), j = b.shuffle();
    const auto right = b.token_mixing();
    const auto left = product(b.field, product(b.field, j, b.channel_mixing()), transpose(j));
    const auto monarch = product(b.field, product(b.field, transpose(j), left), product(b.field, j, right));
    return monarch == whole && tied_blocks(b.field, left, b.tokens) &&
           tied_blocks(b.field, right, b.channels);
}

std::function<std::vector<Trial>(Effort)> on_blocks(bool (*identity)(const Block&)) {
    return [=](Effort effort) {
        std::vector<Trial> trials;
        std::vector<std::pair<std::size_t, std::size_t>> shapes = {{1, 1}, {1, 3}, {2, 2},
                                                                   {2, 3}, {4, 3}, {5, 5}};
        if (effort >= Effort::normal) shapes.emplace_back(8, 12);
        for (const auto& [s, c] : shapes) {
            trials.push_back({fmt::format("S={} C={}", s, c), "", [=](Measurements&) -> Result<Observation> {
                                  const bool holds = identity(Block(s, c));
                                  return checked("both sides equal", holds ? "equal" : "different", holds);
                              }});
        }
        return trials;
    };
}

// (S C)^3 <= (Omega / gamma)^2, equal only for S = C.
Result<Observation> width_observation(std::int64_t tokens, std::int64_t channels) {
    const theory::Rational omega = theory::hayase_omega(tokens, channels, 1);
    const theory::Rational width(theory::hayase_width(tokens, channels));
    const auto cube = pow(width, 3), square = pow(omega, 2);
    const bool holds = tokens == channels ? cube == square : cube < square;
    return checked(tokens == channels ? "m = Omega^(2/3)" : "m < Omega^(2/3)",
                   fmt::format("m^3 = {}, Omega^2 = {}", cube.text(), square.text()), holds);
}

std::vector<Trial> width_trials(Effort effort) {
    std::vector<Trial> trials;
    const std::int64_t largest = effort == Effort::quick ? 8 : 64;
    for (std::int64_t s = 1; s <= largest; s = 2 * s) {
        for (std::int64_t c = 1; c <= largest; c = 2 * c) {
            trials.push_back(
                {fmt::format("S={} C={}", s, c), "", [=](Measurements&) { return width_observation(s, c); }});
        }
    }
    return trials;
}

}  // namespace

std::vector<Claim> hayase_claims() {
    return {
        {.id = "HAYASE-VEC",
         .statement = "vec(W X V) = (V^T kron W) vec(X), and both mixings apart.",
         .trials = on_blocks(vec_identity)},
        {.id = "HAYASE-COMM",
         .statement =
             "V^T kron I = J_c^T (I kron V^T) J_c, and the block with an entrywise activation is an MLP.",
         .trials = on_blocks(commutation_identity)},
        {.id = "HAYASE-WIDTH",
         .statement = "Both mixings act on S C entries, with C S^2 and S C^2 connections.",
         .trials = on_blocks(width_and_nonzeros)},
        {.id = "HAYASE-MONARCH",
         .statement = "The linear block is a Monarch matrix all of whose blocks are tied.",
         .trials = on_blocks(monarch_form)},
        {.id = "HAYASE-MAXW",
         .statement = "At fixed connections the effective width S C is largest at S = C.",
         .trials = width_trials},
    };
}

}  // namespace plimsoll::verify
