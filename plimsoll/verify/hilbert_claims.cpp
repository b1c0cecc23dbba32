// The counts of functions that the repaired bounds are made of, each measured as the rank of an evaluation
// matrix.
#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"
#include "plimsoll/nets/sphere_rows.h"
#include "plimsoll/theory/capacity/hilbert.h"
#include "plimsoll/verify/claim_tables.h"
#include "plimsoll/verify/field_rank.h"

namespace plimsoll::verify {
namespace {

using nets::PrimeField;
using theory::Integer;

// Forms of degree k in the entries of G = X X^T, X of size d x q; with a vector, times each coordinate of X's
// first column.
struct FormCase {
    std::int64_t width, positions, degree;

    [[nodiscard]] std::int64_t entries() const { return width * (width + 1) / 2; }
    [[nodiscard]] Integer columns(bool vector) const {
        return theory::multiset(entries(), degree) * Integer(vector ? width : 1);
    }
    [[nodiscard]] std::string name() const { return fmt::format("d={} q={} k={}", width, positions, degree); }
};

// The upper triangle of X X^T.
std::vector<std::uint64_t> gram_entries(const PrimeField& field, const FieldMatrix& x) {
    const FieldMatrix gram = product(field, x, transpose(x));
    std::vector<std::uint64_t> entries;
    for (std::size_t i = 0; i < gram.rows(); ++i) {
        for (std::size_t j = i; j < gram.cols(); ++j) entries.push_back(gram(i, j));
    }
    return entries;
}

std::vector<std::uint64_t> form_values(const PrimeField& field, const FieldMatrix& x, std::int64_t degree) {
    const auto entries = gram_entries(field, x);
    std::vector<std::uint64_t> values;
    for (const auto& powers : nets::compositions(degree, static_cast<std::int64_t>(entries.size()))) {
        std::uint64_t value = 1;
        for (std::size_t e = 0; e < entries.size(); ++e) {
            for (std::int64_t k = 0; k < powers[e]; ++k) value = field.multiply(value, entries[e]);
        }
        values.push_back(value);
    }
    return values;
}

// One row per random X, a few more rows than functions.
MeasuredRank count_forms(const FormCase& c, bool vector) {
    const PrimeField field;
    RandomStream stream(71, "verify/forms");
    const auto columns = static_cast<std::size_t>(c.columns(vector).to_int64());
    FieldMatrix values(columns + 5, columns);
    for (std::size_t row = 0; row < values.rows(); ++row) {
        const auto x = nets::random_matrix(field, static_cast<std::size_t>(c.width),
                                           static_cast<std::size_t>(c.positions), stream);
        const auto forms = form_values(field, x, c.degree);
        for (std::size_t col = 0; col < columns; ++col) {
            const std::uint64_t factor = vector ? x(col / forms.size(), 0) : 1;
            values(row, col) = field.multiply(factor, forms[col % forms.size()]);
        }
    }
    return {field_rank(field, values), true};
}

std::function<std::vector<Trial>(Effort)> form_trials(bool vector) {
    return [=](Effort effort) {
        std::vector<Trial> trials;
        const Integer most = effort == Effort::quick ? 130 : 700;
        for (std::int64_t d = 1; d <= 4; ++d) {
            for (std::int64_t q = 1; q <= d; ++q) {
                for (std::int64_t k = 1; k <= 4; ++k) {
                    const FormCase c{d, q, k};
                    if (c.columns(vector) > most) continue;
                    trials.push_back({c.name(), "", [=](Measurements&) -> Result<Observation> {
                                          const theory::RankVariety variety{c.width, c.positions};
                                          const Integer said =
                                              vector
                                                  ? theory::covariant_forms_by_partitions(variety, c.degree)
                                                  : theory::invariant_forms_by_partitions(variety, c.degree);
                                          return equal_to(said, count_forms(c, vector));
                                      }});
                }
            }
        }
        return trials;
    };
}

}  // namespace

std::vector<Claim> hilbert_claims() {
    return {
        {.id = "FIX-HSYM",
         .statement =
             "h(d, q, k) counts the forms of degree k on symmetric d x d matrices of rank at most q.",
         .trials = form_trials(false)},
        {.id = "CAP-dimA_int",
         .statement = "a(d, q, k) counts the products of a coordinate and a form of degree k on q positions.",
         .trials = form_trials(true)},
    };
}

}  // namespace plimsoll::verify
