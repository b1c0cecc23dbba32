#include "plimsoll/verify/patch_trials.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/nets/lemma4.h"
#include "plimsoll/nets/sphere_rows.h"
#include "plimsoll/verify/field_rank.h"

namespace plimsoll::verify {
namespace {

using nets::Lemma4Shape;
using nets::PrimeField;
using theory::Integer;

// The rank of the construction of LEVINE-L4 on templates that an embedding made: template s at position 0,
// template R + t in the middle, the last one elsewhere.
std::size_t template_rank(const PrimeField& field, const Lemma4Shape& shape, const FieldMatrix& templates) {
    const nets::Attention<PrimeField> net(field, nets::lemma4_weights(field, shape));
    const std::size_t count = templates.cols() / 2, positions = static_cast<std::size_t>(shape.positions);
    FieldMatrix scores(count, count);
    for (std::size_t s = 0; s < count; ++s) {
        for (std::size_t t = 0; t < count; ++t) {
            FieldMatrix x(templates.rows(), positions);
            for (std::size_t j = 0; j < positions; ++j) {
                const std::size_t from = j == 0 ? s : j == positions / 2 ? count + t : 2 * count;
                for (std::size_t p = 0; p < x.rows(); ++p) x(p, j) = templates(p, from);
            }
            scores(s, t) = net.forward(x)(0, 0);
        }
    }
    return field_rank(field, scores);
}

// Patches of V numbers in all for an embedding of rank r: lemma 5.
struct PatchCase {
    Lemma4Shape shape;
    std::int64_t rank = 1, patch = 1;  // r and V

    [[nodiscard]] std::int64_t width() const { return shape.heads * shape.head_dim; }
    [[nodiscard]] std::size_t columns() const { return static_cast<std::size_t>(rank - shape.heads) / 2; }
    [[nodiscard]] std::string name() const {
        return fmt::format("L={} H={} d_a={} r={} V={}", shape.depth, shape.heads, shape.head_dim, rank,
                           patch);
    }
};

// The templates that eq. 15 asks for: rows of A in (r - H)/2 columns, the other columns zero.
FieldMatrix wanted_templates(const PrimeField& field, const PatchCase& c) {
    RandomStream stream(8, "verify/lemma5");
    const Integer count = theory::multiset(static_cast<std::int64_t>(c.columns()),
                                           static_cast<std::int64_t>(nets::lemma4_power(c.shape)));
    const auto rows = static_cast<std::size_t>(count.to_int64());
    const auto a = nets::unit_rows(field, rows, c.columns(), stream);
    FieldMatrix v(rows, static_cast<std::size_t>(nets::lemma4_columns(c.shape)));
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < a.cols(); ++j) v(i, j) = a(i, j);
    }
    return nets::lemma4_templates(field, c.shape, v);
}

// Whether a template of eq. 15 has something in coordinate `row`.
bool is_used(const FieldMatrix& templates, std::size_t row) {
    for (std::size_t j = 0; j < templates.cols(); ++j) {
        if (templates(row, j) != 0) return true;
    }
    return false;
}

// Which number of the patch each coordinate reads; V for none. As printed coordinate alpha reads number
// alpha, in the repair the used coordinates read one after the other.
std::vector<std::size_t> patch_indices(const FieldMatrix& templates, std::size_t patch, bool as_printed) {
    std::vector<std::size_t> reads(templates.rows(), patch);
    std::size_t next = 0;
    for (std::size_t row = 0; row < reads.size(); ++row) {
        if (!is_used(templates, row)) continue;
        reads[row] = std::min(as_printed ? row : next, patch);
        ++next;
    }
    return reads;
}

// What the embedding makes of the patches: numbers that no coordinate reads are lost.
FieldMatrix embedded_templates(const PrimeField& field, const FieldMatrix& wanted, std::size_t patch,
                               const std::vector<std::size_t>& reads) {
    FieldMatrix kernel(wanted.rows(), patch), patches(patch, wanted.cols());
    for (std::size_t row = 0; row < reads.size(); ++row) {
        if (reads[row] == patch) continue;
        kernel(row, reads[row]) = 1;
        for (std::size_t j = 0; j < wanted.cols(); ++j) patches(reads[row], j) = wanted(row, j);
    }
    return product(field, kernel, patches);
}

Result<Observation> patch_observation(const PatchCase& c, bool as_printed) {
    const PrimeField field(nets::prime_with_root_of_minus_one);
    const auto patch = static_cast<std::size_t>(c.patch);
    const FieldMatrix wanted = wanted_templates(field, c);
    const auto reads = patch_indices(wanted, patch, as_printed);
    const FieldMatrix found = embedded_templates(field, wanted, patch, reads);
    const std::size_t promised = wanted.cols() / 2, rank = template_rank(field, c.shape, found);
    return checked(fmt::format("eq. 15 and rank {}", promised),
                   fmt::format("{}, rank {}", found == wanted ? "eq. 15" : "another vector", rank),
                   found == wanted && rank == promised);
}

}  // namespace

std::function<std::vector<Trial>(Effort)> patch_trials(bool as_printed) {
    return [=](Effort) {
        const std::vector<PatchCase> cases = {{{2, 1, 5, 2}, 5, 5},  {{3, 1, 7, 2}, 5, 5},
                                              {{3, 3, 3, 4}, 7, 8},  {{3, 2, 5, 2}, 8, 8},
                                              {{3, 2, 5, 2}, 8, 12}, {{3, 2, 7, 2}, 10, 10}};
        std::vector<Trial> trials;
        for (const PatchCase& c : cases) {
            trials.push_back({c.name(), "", [=](Measurements&) { return patch_observation(c, as_printed); }});
        }
        return trials;
    };
}

}  // namespace plimsoll::verify
