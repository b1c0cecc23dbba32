#include "plimsoll/verify/attainment_trials.h"

#include <algorithm>
#include <iterator>

#include "plimsoll/base/format.h"
#include "plimsoll/nets/attainment/d1.h"
#include "plimsoll/nets/attainment/split_heads.h"
#include "plimsoll/nets/attainment/tangent_form.h"
#include "plimsoll/nets/attainment/zero_points.h"
#include "plimsoll/theory/attainment/gram_powers.h"
#include "plimsoll/theory/attainment/norm_powers.h"
#include "plimsoll/verify/field_rank.h"

namespace plimsoll::verify {
namespace {

using nets::D2Kind;
using nets::D2Shape;
using nets::PrimeField;
using theory::Integer;

// `quick`, and with more effort `normal` and `deep` after it.
template <class Case>
std::vector<Case> cases_of(Effort effort, std::vector<Case> quick, const std::vector<Case>& normal,
                           const std::vector<Case>& deep) {
    if (effort >= Effort::normal) std::copy(normal.begin(), normal.end(), std::back_inserter(quick));
    if (effort == Effort::deep) std::copy(deep.begin(), deep.end(), std::back_inserter(quick));
    return quick;
}

FieldMatrix column_of(const FieldMatrix& x, std::size_t at) {
    FieldMatrix result(x.rows(), 1);
    for (std::size_t i = 0; i < x.rows(); ++i) result(i, 0) = x(i, at);
    return result;
}

Observation same_values(const char* closed_form, bool same) {
    return checked(closed_form, same ? "the same" : "another value", same);
}

// The matrix of a D1 network, and the closed form of every entry.
Result<Observation> d1_observation(const nets::D1Shape& shape) {
    const PrimeField field;
    const std::size_t n = nets::d1_free(shape);
    const Integer claim = theory::d1_attained(shape.depth, as_integer(n));
    const auto size = static_cast<std::size_t>(claim.to_int64()) + 3;
    RandomStream stream(81, "verify/d1");
    const auto a = nets::random_matrix(field, size, n, stream),
               b = nets::random_matrix(field, size, n, stream);
    const auto literal = nets::d1_submatrix(field, shape, nets::d1_weights(shape), a, b);
    for (std::size_t s = 0; s < size; ++s) {
        const auto left = column_of(transpose(a), s).data(), right = column_of(transpose(b), s).data();
        if (literal(s, s) != nets::d1_closed_form(field, shape, left, right))
            return same_values("N^c ||a + b||^(2 lambda)", false);
    }
    return equal_to(claim, {field_rank(field, literal), true});
}

std::string d1_name(const nets::D1Shape& s) {
    std::string text =
        fmt::format("network L={} H={} d_a={} N={}", s.depth, s.heads, s.head_dim, s.positions);
    if (s.rank != 0) text += fmt::format(" r={}", s.rank);
    return s.shared ? text + ", one constant" : text;
}

// One of the D2 networks; q positions on each side.
struct D2Case {
    D2Kind kind;
    D2Shape shape;
    std::int64_t q;

    [[nodiscard]] std::string name(const std::string& what) const {
        std::string text = fmt::format("{} L0={} d={}", what, shape.core, shape.width);
        if (kind != D2Kind::one_head) text += fmt::format(" H={} d_a={}", shape.heads, shape.head_dim);
        return text + fmt::format(" q={}{}", q, kind == D2Kind::blocks ? ", a block a head" : "");
    }
};

Result<Observation> d2_values(const D2Case& c) {
    const PrimeField field;
    RandomStream stream(82, "verify/d2");
    const auto width = static_cast<std::size_t>(c.shape.width), positions = static_cast<std::size_t>(2 * c.q);
    const auto a = nets::random_matrix(field, 1, nets::d2_free(c.shape, c.kind, c.q), stream).data();
    const auto x = nets::random_matrix(field, width, positions, stream);
    const nets::Attention<PrimeField> net(field, nets::d2_weights(field, c.shape, c.kind, a));
    const auto y = net.forward(x);
    const auto form = nets::d2_closed_form(field, c.shape, c.kind, a.size(), product(field, x, transpose(x)));
    for (std::size_t i = 0; i < positions; ++i) {
        if (y(0, i) != nets::d2_value(field, c.shape, form, a, column_of(x, i)))
            return same_values("phi g^Lambda", false);
    }
    return same_values("phi g^Lambda", true);
}

std::int64_t proved_rho(const D2Case& c) {
    const D2Shape& s = c.shape;
    if (c.kind == D2Kind::one_head) return theory::d2_rank(s.width, c.q, s.core);
    if (c.kind == D2Kind::shared) return theory::d2_heads_rank_b(s.width, c.q, s.head_dim, s.core);
    return theory::d2_heads_rank_c(s.width, theory::d2_block_size(s.width, s.heads, s.head_dim, s.core));
}

// Theorem A at a random point of g = 0: the gradient is not zero on either side, the second derivative has
// rank rho or more.
Result<Observation> d2_second_derivative(const D2Case& c) {
    const PrimeField field(nets::prime_for_zeros);
    const auto form = nets::d2_tangent_form(field, c.shape, c.kind, c.q, 83);
    const auto vanishes = [](const nets::FieldVector& v) {
        return std::count(v.begin(), v.end(), 0U) == static_cast<std::ptrdiff_t>(v.size());
    };
    if (vanishes(form.first_left) || vanishes(form.first_right))
        return checked("a gradient other than zero", "zero", false);
    return at_least(Integer(proved_rho(c)), {field_rank(field, form.second), true});
}

// Theorem A for one head, L0 = 1 and q = d: (tr grad g(A) B)^i over the zeros A of g has rank ((rho - 1, i))
// or more.
Result<Observation> tangent_powers(std::int64_t width, std::int64_t i) {
    const PrimeField field(nets::prime_for_zeros);
    const Integer claim = theory::multiset(theory::d2_rank(width, width, 1) - 1, i);
    const auto d = static_cast<std::size_t>(width), size = static_cast<std::size_t>(claim.to_int64()) + 3;
    RandomStream stream(90, "verify/d2/powers");
    const auto a = nets::random_matrix(field, 1, d, stream).data();
    FieldMatrix left(size, d * d), right(size, d * d);
    for (std::size_t s = 0; s < size; ++s) {
        const auto x = nets::zero_data(field, a, 1, d, stream), y = nets::random_matrix(field, d, d, stream);
        const auto slope = nets::gram_power_gradient(field, a, 1, product(field, x, transpose(x)));
        const auto gram = product(field, y, transpose(y));
        std::copy(slope.data().begin(), slope.data().end(), &left(s, 0));
        std::copy(gram.data().begin(), gram.data().end(), &right(s, 0));
    }
    const auto powers =
        nets::hadamard_power(field, product(field, left, transpose(right)), static_cast<std::uint64_t>(i));
    const std::size_t rank = field_rank(field, powers);
    return at_least(claim, {rank, rank < size});
}

std::vector<Trial> tangent_power_trials(Effort effort) {
    const std::int64_t widest = effort == Effort::quick ? 4 : 5, highest = effort == Effort::quick ? 3 : 4;
    std::vector<Trial> trials;
    for (std::int64_t d = 2; d <= widest; ++d) {
        for (std::int64_t i = 1; i <= highest; ++i)
            trials.push_back({fmt::format("powers of the tangent form, d={} i={}", d, i), "",
                              [=](Measurements&) { return tangent_powers(d, i); }});
    }
    return trials;
}

std::vector<Trial> d2_trials(const std::vector<D2Case>& values, const std::vector<D2Case>& derivatives) {
    std::vector<Trial> trials;
    for (const D2Case& c : values)
        trials.push_back({c.name(fmt::format("network L={}", c.shape.depth)), "",
                          [=](Measurements&) { return d2_values(c); }});
    for (const D2Case& c : derivatives)
        trials.push_back({c.name("rho"), "", [=](Measurements&) { return d2_second_derivative(c); }});
    return trials;
}

D2Case one_head(std::int64_t depth, std::int64_t core, std::int64_t width, std::int64_t q) {
    return {D2Kind::one_head, {.depth = depth, .core = core, .width = width}, q};
}

D2Case with_heads(D2Kind kind, const D2Shape& shape, std::int64_t q) { return {kind, shape, q}; }

// A random network of one head and width d', as it is and split.
Result<Observation> split_observation(const nets::SplitShape& shape) {
    const PrimeField field;
    const std::int64_t inner = nets::split_width(shape);
    const arch::AttentionSpec spec{
        .depth = 2, .width = inner, .heads = 1, .head_dim = inner, .embedding_rank = inner};
    const auto single = nets::draw_attention(field, spec, 3, 84);
    RandomStream stream(85, "verify/split");
    const auto x = nets::random_matrix(field, static_cast<std::size_t>(inner), 3, stream);
    FieldMatrix padded(static_cast<std::size_t>(shape.width), 3);
    std::copy(x.data().begin(), x.data().end(), padded.data().begin());
    auto y = nets::Attention<PrimeField>(field, single).forward(x).data();
    y.resize(padded.data().size());
    const auto split = nets::split_into_heads(field, shape, single);
    const bool same = nets::Attention<PrimeField>(field, split).forward(padded).data() == y;
    return same_values("the outputs of one head", same);
}

}  // namespace

std::vector<Trial> d1_network_trials(Effort effort) {
    using Shape = nets::D1Shape;
    const std::vector<Shape> quick = {
        {.depth = 2, .heads = 1, .head_dim = 2, .positions = 2},
        {.depth = 2, .heads = 3, .head_dim = 4, .positions = 4},
        {.depth = 3, .heads = 1, .head_dim = 3, .positions = 5},
        {.depth = 3, .heads = 3, .head_dim = 2, .positions = 3},
        {.depth = 4, .heads = 1, .head_dim = 2, .positions = 2},
        {.depth = 3, .heads = 2, .head_dim = 3, .positions = 2, .rank = 3},
        {.depth = 3, .heads = 2, .head_dim = 2, .positions = 3, .shared = true},
        {.depth = 3, .heads = 3, .head_dim = 1, .positions = 2, .shared = true},
    };
    const std::vector<Shape> normal = {
        {.depth = 3, .heads = 2, .head_dim = 3, .positions = 4},
        {.depth = 4, .heads = 2, .head_dim = 2, .positions = 2},
        {.depth = 3, .heads = 2, .head_dim = 3, .positions = 2, .shared = true}};
    const std::vector<Shape> deep = {{.depth = 4, .heads = 3, .head_dim = 2, .positions = 2}};
    std::vector<Trial> trials;
    for (const Shape& shape : cases_of(effort, quick, normal, deep))
        trials.push_back({d1_name(shape), "", [=](Measurements&) { return d1_observation(shape); }});
    return trials;
}

std::vector<Trial> d2_network_trials(Effort effort) {
    const auto values =
        cases_of<D2Case>(effort, {one_head(2, 1, 2, 2), one_head(3, 2, 4, 4), one_head(5, 3, 3, 3)},
                         {one_head(4, 2, 8, 8), one_head(6, 4, 4, 2)}, {});
    const auto derivatives = cases_of<D2Case>(
        effort, {one_head(1, 1, 2, 2), one_head(1, 1, 4, 3), one_head(2, 2, 4, 4), one_head(2, 2, 5, 3)},
        {one_head(1, 1, 7, 7), one_head(2, 2, 6, 2), one_head(3, 3, 5, 5), one_head(2, 2, 9, 9),
         one_head(2, 2, 10, 6)},
        {one_head(2, 2, 10, 10), one_head(2, 2, 12, 6), one_head(3, 3, 8, 8)});
    auto trials = d2_trials(values, derivatives);
    auto powers = tangent_power_trials(effort);
    std::move(powers.begin(), powers.end(), std::back_inserter(trials));
    return trials;
}

std::vector<Trial> d2_heads_network_trials(Effort effort) {
    const D2Shape four{.depth = 3, .core = 2, .width = 4, .heads = 2, .head_dim = 2};
    const D2Shape six{.depth = 3, .core = 2, .width = 6, .heads = 2, .head_dim = 3};
    const D2Shape three{.depth = 4, .core = 3, .width = 6, .heads = 3, .head_dim = 2};
    const D2Shape eight{.depth = 3, .core = 2, .width = 8, .heads = 4, .head_dim = 2};
    const D2Shape first{.depth = 3, .core = 1, .width = 4, .heads = 4, .head_dim = 1};
    const D2Shape wide{.depth = 3, .core = 2, .width = 12, .heads = 4, .head_dim = 3};
    const D2Shape deeper{.depth = 4, .core = 3, .width = 12, .heads = 3, .head_dim = 4};
    const auto shared = [](const D2Shape& s, std::int64_t q) { return with_heads(D2Kind::shared, s, q); };
    const auto blocks = [](const D2Shape& s) { return with_heads(D2Kind::blocks, s, s.width); };
    const auto values =
        cases_of<D2Case>(effort, {shared(first, 4), shared(four, 4), blocks(four), blocks(six)},
                         {shared(three, 6), blocks(three), blocks(eight)}, {});
    const auto derivatives = cases_of<D2Case>(
        effort, {shared(first, 2), shared(four, 4), shared(four, 3), blocks(four)},
        {shared(six, 6), shared(six, 4), blocks(six), shared(three, 5), blocks(three), blocks(eight)},
        {shared(wide, 5), blocks(wide), shared(deeper, 12)});
    return d2_trials(values, derivatives);
}

std::vector<Trial> split_network_trials(Effort) {
    std::vector<Trial> trials;
    for (const nets::SplitShape& s : {nets::SplitShape{.width = 4, .heads = 4, .head_dim = 1},
                                      {.width = 4, .heads = 4, .head_dim = 2},
                                      {.width = 6, .heads = 5, .head_dim = 2},
                                      {.width = 5, .heads = 9, .head_dim = 2}}) {
        trials.push_back({fmt::format("network d={} H={} d_a={}", s.width, s.heads, s.head_dim), "",
                          [=](Measurements&) { return split_observation(s); }});
    }
    return trials;
}

}  // namespace plimsoll::verify
