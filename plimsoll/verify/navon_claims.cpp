// Claims of Navon and Bronstein 2022 about square mixers.
#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/nets/permutation.h"
#include "plimsoll/nets/square_nets.h"
#include "plimsoll/theory/papers/levine_bounds.h"
#include "plimsoll/theory/papers/navon_bounds.h"
#include "plimsoll/verify/attention_cases.h"
#include "plimsoll/verify/claim_tables.h"
#include "plimsoll/verify/field_rank.h"
#include "plimsoll/verify/mixer_cases.h"

namespace plimsoll::verify {
namespace {

using nets::PrimeField;
using theory::Integer;

// A bilinear function sum_v <a_v, x_A> <b_v, x_B> of a 1 x 2n input: separation rank `terms` for n >= terms.
struct Bilinear {
    PrimeField field;
    FieldMatrix a, b;

    Bilinear(std::size_t terms, std::size_t half, std::uint64_t seed) {
        RandomStream stream(seed, "verify/bilinear");
        a = nets::random_matrix(field, terms, half, stream);
        b = nets::random_matrix(field, terms, half, stream);
    }

    [[nodiscard]] std::uint64_t operator()(const FieldMatrix& x) const {
        std::uint64_t total = 0;
        for (std::size_t v = 0; v < a.rows(); ++v) {
            std::uint64_t left = 0, right = 0;
            for (std::size_t j = 0; j < a.cols(); ++j) {
                left = field.add(left, field.multiply(a(v, j), x(0, j)));
                right = field.add(right, field.multiply(b(v, j), x(0, a.cols() + j)));
            }
            total = field.add(total, field.multiply(left, right));
        }
        return total;
    }
};

MeasuredRank rank_on_row(std::size_t half, std::size_t size,
                         std::function<std::uint64_t(const FieldMatrix&)> value) {
    return sampled_rank(
        {.rows = 1, .cols = 2 * half, .left = left_columns(1, 2 * half, half), .value = std::move(value)},
        size, 41);
}

std::vector<Trial> sum_trials(Effort) {
    std::vector<Trial> trials;
    for (const auto& [k_f, k_g] : {std::pair<std::size_t, std::size_t>{1, 1}, {1, 2}, {2, 3}, {4, 4}}) {
        trials.push_back(
            {fmt::format("k_f={} k_g={}", k_f, k_g), "", [k_f, k_g](Measurements&) -> Result<Observation> {
                 const std::size_t half = 8;
                 const Bilinear f(k_f, half, 1), g(k_g, half, 2);
                 const auto k = rank_on_row(half, 16, f).rank + rank_on_row(half, 16, g).rank;
                 return at_most(as_integer(k), rank_on_row(half, 16, [&](const FieldMatrix& x) {
                                    return f.field.add(f(x), g(x));
                                }));
             }});
    }
    return trials;
}

std::vector<Trial> square_trials(Effort) {
    std::vector<Trial> trials;
    for (const std::size_t k : {1, 2, 3, 4, 5}) {
        trials.push_back({fmt::format("k_f={}", k), "", [=](Measurements&) -> Result<Observation> {
                              const Bilinear f(k, 5, 3);
                              const auto measured = rank_on_row(5, 12, f).rank;
                              return at_most(theory::navon_square(as_integer(measured)),
                                             rank_on_row(5, 24, [&](const FieldMatrix& x) {
                                                 return f.field.multiply(f(x), f(x));
                                             }));
                          }});
    }
    return trials;
}

// The largest rank over the entries of a mixer's output, permuted or not.
std::size_t largest_over_entries(const arch::SquareMixerSpec& spec, const nets::Permutation& images) {
    const PrimeField field;
    const auto rows = static_cast<std::size_t>(spec.rows), cols = static_cast<std::size_t>(spec.cols);
    const auto weights = nets::draw_square_mixer(field, spec, 17);
    std::size_t largest = 0;
    for (std::size_t k = 0; k < rows * cols; ++k) {
        const auto measured = sampled_rank(
            {.rows = rows,
             .cols = cols,
             .left = left_columns(rows, cols, cols / 2),
             .value =
                 [&](const FieldMatrix& x) {
                     return nets::permute_entries(images, nets::square_mixer(field, weights, x)).data()[k];
                 }},
            24, 18);
        largest = std::max(largest, measured.rank);
    }
    return largest;
}

std::vector<Trial> permutation_trials(Effort) {
    std::vector<Trial> trials;
    for (const auto& spec : {arch::SquareMixerSpec{.rows = 2, .cols = 2, .depth = 1},
                             {.rows = 2, .cols = 2, .depth = 2},
                             {.rows = 2, .cols = 2, .depth = 3},
                             {.rows = 3, .cols = 2, .depth = 2},
                             {.rows = 2, .cols = 4, .depth = 2},
                             {.rows = 4, .cols = 2, .depth = 2}}) {
        trials.push_back({fmt::format("{}x{} mixer, p={}", spec.rows, spec.cols, spec.depth), "",
                          [=](Measurements&) -> Result<Observation> {
                              const auto entries = static_cast<std::size_t>(spec.rows * spec.cols);
                              RandomStream stream(5, "verify/permutation");
                              const auto plain =
                                  largest_over_entries(spec, nets::identity_permutation(entries));
                              const auto permuted =
                                  largest_over_entries(spec, nets::random_permutation(entries, stream));
                              return equal_to(as_integer(plain), {permuted, true});
                          }});
    }
    return trials;
}

// The largest rank over the entries of X itself, the first half of the columns on side A.
Result<Observation> identity_observation(std::size_t rows, std::size_t cols) {
    std::size_t largest = 0;
    for (std::size_t k = 0; k < rows * cols; ++k) {
        const auto one = sampled_rank({.rows = rows,
                                       .cols = cols,
                                       .left = left_columns(rows, cols, cols / 2),
                                       .value = [=](const FieldMatrix& x) { return x.data()[k]; }},
                                      10, 19);
        largest = std::max(largest, one.rank);
    }
    return at_most(2, {largest, true});
}

std::vector<Trial> identity_trials(Effort) {
    std::vector<Trial> trials;
    for (const auto& [rows, cols] :
         {std::pair<std::size_t, std::size_t>{1, 2}, {2, 2}, {3, 2}, {2, 4}, {4, 4}}) {
        trials.push_back({fmt::format("the entries of X, {}x{}", rows, cols), "",
                          [rows, cols](Measurements&) { return identity_observation(rows, cols); }});
    }
    return trials;
}

// The largest rank of the first p - 1 layers over their entries, or 1 for the input itself.
Result<std::size_t> rank_before_last_layer(const MixerCase& c, Measurements& measurements) {
    if (c.depth == 1) return std::size_t{1};
    MixerCase shorter = c;
    shorter.depth = c.depth - 1;
    std::size_t largest = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(c.rows * c.cols); ++k) {
        RankCase question = shorter.question();
        const auto cols = static_cast<std::size_t>(c.cols);
        question.output = {k / cols, k % cols};
        PLIMSOLL_ASSIGN(measured, measurements.rank(question));
        if (measured.exact) largest = std::max(largest, measured.rank);
    }
    return largest;
}

using LayerBound = Integer (*)(const Integer& k, const Integer& summed);

// One more layer, with the number of entries that are summed as printed (n) or as it is (m in even layers).
std::function<std::vector<Trial>(Effort)> layer_trials(LayerBound bound, bool as_printed) {
    return [=](Effort effort) {
        std::vector<Trial> trials;
        for (const MixerCase& c : mixer_cases(effort)) {
            const std::int64_t summed = as_printed || c.depth % 2 == 1 ? c.rows : c.cols;
            trials.push_back({c.name(), c.question().command(), [=](Measurements& m) -> Result<Observation> {
                                  PLIMSOLL_ASSIGN(before, rank_before_last_layer(c, m));
                                  PLIMSOLL_ASSIGN(measured, m.rank(c.question()));
                                  return at_most(bound(as_integer(before), summed), measured);
                              }});
        }
        return trials;
    };
}

std::optional<Integer> t55(const MixerCase& c) { return theory::navon_t55({c.depth, c.cols, c.rows, 1}); }

std::optional<Integer> recursion(const MixerCase& c) {
    return theory::navon_recursion_alternating(c.depth, c.rows, c.cols);
}

// T5.6 takes X as N x d.
std::vector<Trial> t56_trials(Effort effort) {
    return attention_trials(attention_cases(effort), at_most,
                            [](const AttentionCase& c) -> std::optional<Integer> {
                                return theory::navon_t56({c.depth, c.width, c.positions, c.heads});
                            });
}

// T5.7 is stated for p < log_3 m with m = d; like theorem 1 it needs heads of size 2 or more.
std::optional<Integer> t57(const AttentionCase& c) {
    const bool published = c.heads * c.head_size() == c.width && c.head_size() >= 2 && c.balanced();
    if (!published || theory::depth_regime(c.depth, c.width) != "efficient") return std::nullopt;
    const auto log_3 = theory::navon_t57_log3({c.depth, c.width, c.positions, c.heads}, 200);
    const auto floor = pow(theory::Ball(3, 200), log_3).unique_floor();
    return floor ? std::optional(*floor + 1) : std::nullopt;
}

std::vector<Trial> t57_trials(Effort effort) {
    return attention_trials(attention_cases(effort), at_least, t57);
}

}  // namespace

std::vector<Claim> navon_claims() {
    return {
        {.id = "NAVON-SUPINF",
         .statement = "A mixer's rank depends on the balanced partition: inf-sep < sup-sep.",
         .trials = sup_inf_trials},
        {.id = "NAVON-L5.2i", .statement = "sep(f + g) <= sep f + sep g.", .trials = sum_trials},
        {.id = "NAVON-L5.2ii",
         .statement = "Permuting the output's entries leaves sep as it is.",
         .trials = permutation_trials},
        {.id = "NAVON-L5.2iii", .statement = "sep Id <= 2 (each entry has 1).", .trials = identity_trials},
        {.id = "NAVON-L5.2iv",
         .statement = "sep of the entrywise square is at most binom(k + 1, 2).",
         .trials = square_trials},
        {.id = "NAVON-L5.4",
         .statement = "A layer takes rank k to at most s^2 k^2 + k, s = n (rows mixed) or m (columns mixed).",
         .trials = layer_trials(theory::navon_layer, false)},
        {.id = "NAVON-L5.4-BINOM",
         .statement = "A layer takes rank k to at most binom(s k + 1, 2) + k.",
         .trials = layer_trials(theory::navon_layer_binomial, false)},
        {.id = "NAVON-L5.4-PRINTED",
         .statement = "As printed: a layer of either kind takes rank k to at most n^2 k^2 + k.",
         .expected = ClaimVerdict::fails,
         .because = "E42: a layer that mixes columns sums m entries, not n",
         .trials = layer_trials(theory::navon_layer, true)},
        {.id = "NAVON-RECURSION-ALT",
         .statement = "p layers, rows and columns in turn, stay below the recursion from k = 2.",
         .trials = on_mixers(at_most, recursion)},
        {.id = "NAVON-T5.5",
         .statement = "A mixer's rank is at most (2 m^2 n^2)^(2^p).",
         .trials = on_mixers(at_most, t55)},
        {.id = "NAVON-T5.6",
         .statement = "The rank of attention is at most (2 H m^2 n^2)^(3^p).",
         .trials = t56_trials},
        {.id = "NAVON-T5.7",
         .statement =
             "For p < log_3 m, log_3 of the rank of attention is at least 3^(p-2) (log_3(m - H) - p + "
             "2 - log_3 2).",
         .trials = t57_trials},
    };
}

}  // namespace plimsoll::verify
