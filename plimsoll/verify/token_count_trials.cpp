#include "plimsoll/verify/token_count_trials.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/nets/lemma4.h"
#include "plimsoll/verify/field_rank.h"

namespace plimsoll::verify {
namespace {

using nets::Lemma4Shape;
using nets::PrimeField;
using theory::Integer;

using Rows = std::vector<std::vector<std::int64_t>>;

// An embedding of rank r = 2 d + 1 + H <= H d_a and rows of d natural numbers with one norm.
struct CountCase {
    std::int64_t depth = 2, heads = 1, head_dim = 3;
    Rows rows{};  // A

    [[nodiscard]] std::int64_t columns() const { return static_cast<std::int64_t>(rows.front().size()); }
    // E, the largest entry.
    [[nodiscard]] std::int64_t largest() const {
        std::int64_t most = 0;
        for (const auto& row : rows) most = std::max(most, *std::max_element(row.begin(), row.end()));
        return most;
    }
    // r = 2 d + 1 + H and N = E (r - 1 - H).
    [[nodiscard]] std::int64_t rank() const { return 2 * columns() + 1 + heads; }
    [[nodiscard]] std::int64_t positions() const { return largest() * 2 * columns(); }
    [[nodiscard]] Lemma4Shape shape() const { return {depth, heads, head_dim, positions()}; }
    [[nodiscard]] std::string name() const {
        return fmt::format("L={} H={} d_a={} r={} E={} N={}", depth, heads, head_dim, rank(), largest(),
                           positions());
    }
};

// The tokens of one side for row j, counted from 1 like the columns; 0 is the token without a column. As
// printed position t belongs to segment floor(t/E), repaired to floor((t-1)/E).
std::vector<std::size_t> side_tokens(const CountCase& c, std::size_t row, bool as_printed) {
    const std::int64_t e = c.largest();
    std::vector<std::size_t> tokens;
    for (std::int64_t t = 1; t <= e * c.columns(); ++t) {
        const std::int64_t segment = (as_printed ? t : t - 1) / e;
        const bool counted =
            segment < c.columns() && (t - 1) % e < c.rows[row][static_cast<std::size_t>(segment)];
        tokens.push_back(counted ? static_cast<std::size_t>(segment) + 1 : 0);
    }
    return tokens;
}

// Whether every column is repeated as often as the row says.
bool spells_rows(const CountCase& c, bool as_printed) {
    for (std::size_t row = 0; row < c.rows.size(); ++row) {
        const auto tokens = side_tokens(c, row, as_printed);
        for (std::size_t k = 0; k < c.rows[row].size(); ++k) {
            if (std::count(tokens.begin(), tokens.end(), k + 1) != c.rows[row][k]) return false;
        }
    }
    return true;
}

// M_V with 2 d + 1 tokens: every column has the ones of the heads; token k of side A adds a first half's
// coordinate, token d + k one of a second half.
FieldMatrix token_embedding(const PrimeField& field, const CountCase& c) {
    const auto columns = static_cast<std::size_t>(c.columns());
    FieldMatrix unit(columns, static_cast<std::size_t>(nets::lemma4_columns(c.shape())));
    for (std::size_t k = 0; k < columns; ++k) unit(k, k) = 1;
    return nets::lemma4_templates(field, c.shape(), unit);
}

FieldMatrix count_scores(const PrimeField& field, const CountCase& c) {
    auto weights = nets::lemma4_weights(field, c.shape());
    const FieldMatrix embedding = token_embedding(field, c);
    const auto last = embedding.cols() - 1, columns = static_cast<std::size_t>(c.columns());
    const nets::Attention<PrimeField> net(field, std::move(weights));
    FieldMatrix scores(c.rows.size(), c.rows.size());
    for (std::size_t s = 0; s < scores.rows(); ++s) {
        for (std::size_t t = 0; t < scores.cols(); ++t) {
            std::vector<std::size_t> tokens;
            for (const auto token : side_tokens(c, s, false)) tokens.push_back(token == 0 ? last : token - 1);
            for (const auto token : side_tokens(c, t, false))
                tokens.push_back(token == 0 ? last : columns + token - 1);
            const auto x = product(field, embedding, nets::one_hot(field, tokens, embedding.cols()));
            scores(s, t) = net.forward(x)(0, 0);
        }
    }
    return scores;
}

Result<Observation> count_observation(const CountCase& c) {
    const PrimeField field(nets::prime_with_root_of_minus_one);
    const Integer promised =
        theory::multiset(c.columns(), static_cast<std::int64_t>(nets::lemma4_power(c.shape())));
    return equal_to(promised, {field_rank(field, count_scores(field, c)), true});
}

// Rows of squared norm 65, and of 41; their cubes are independent.
const Rows four_rows = {{1, 8}, {8, 1}, {4, 7}, {7, 4}};
const Rows ten_rows = {{0, 4, 5}, {0, 5, 4}, {1, 2, 6}, {1, 6, 2}, {2, 1, 6},
                       {2, 6, 1}, {3, 4, 4}, {4, 0, 5}, {4, 3, 4}, {4, 4, 3}};

const std::vector<CountCase> count_cases = {{2, 1, 7, {{1, 2}, {2, 1}}},
                                            {2, 3, 5, {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}},
                                            {3, 1, 7, four_rows},
                                            {3, 2, 5, four_rows},
                                            {3, 1, 9, ten_rows}};

}  // namespace

std::vector<Trial> token_count_trials(Effort) {
    std::vector<Trial> trials;
    for (const CountCase& c : count_cases)
        trials.push_back({c.name(), "", [=](Measurements&) { return count_observation(c); }});
    return trials;
}

std::vector<Trial> printed_token_count_trials(Effort) {
    std::vector<Trial> trials;
    for (const CountCase& c : count_cases) {
        trials.push_back({c.name(), "", [=](Measurements&) -> Result<Observation> {
                              const bool right = spells_rows(c, true);
                              return checked("the rows of A", right ? "the rows of A" : "other counts",
                                             right);
                          }});
    }
    return trials;
}

}  // namespace plimsoll::verify
