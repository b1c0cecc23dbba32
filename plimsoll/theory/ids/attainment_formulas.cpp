#include "plimsoll/base/format.h"
#include "plimsoll/theory/attainment/alternating_words.h"
#include "plimsoll/theory/attainment/attained.h"
#include "plimsoll/theory/attainment/gram_powers.h"
#include "plimsoll/theory/attainment/norm_powers.h"
#include "plimsoll/theory/ids/formula_tables.h"

namespace plimsoll::theory {
namespace {

constexpr std::int64_t widest = 1'000'000;

InputRule width_input(const std::string& name, std::int64_t low = 1) {
    InputRule rule = count_input(name, low);
    rule.high = widest;
    return rule;
}

Formula attainment(const std::string& function, std::string summary, std::string page,
                   std::vector<InputRule> inputs) {
    return our_formula("ATT", function, std::move(summary), std::move(page), std::move(inputs));
}

Formula theorem(std::string id, std::string summary, std::string page) {
    return statement(std::move(id), std::move(summary), "ours", std::move(page));
}

// The pair ID_int and ID_log3 of one theorem: the exact value where it can be written out, its logarithm
// everywhere in the domain.
template <class Domain, class Exact, class Log>
std::vector<Formula> exact_and_log(Formula exact_one, const std::string& log_function, Domain domain,
                                   Exact exact_value, Log log_value) {
    Formula log_one = exact_one;
    log_one.id = "ATT-" + log_function;
    log_one.function = log_function;
    log_one.summary = "log3 of " + exact_one.id;
    log_one.evaluate = guarded(domain, really(log_value));
    exact_one.evaluate = guarded(domain, exactly(exact_value));
    exact_one.log3 = guarded(domain, log3_by(log_value));
    return {exact_one, log_one};
}

std::vector<Formula> norm_power_formulas() {
    const auto directions = [](const Inputs& in) {
        return d1_directions(in.integer("H"), in.integer("da"),
                             in.has("r") ? std::optional(in.integer("r")) : std::nullopt);
    };
    auto both = exact_and_log(
        attainment(
            "d1_int", "sep >= ((n+2, lam)) - ((n+2, lam-2)), lam = 3^(L-2), n = H(da-1) or r-1", "att-d1",
            {depth_input("L", 2), size_input("H"), size_input("da", 2), optional_input(size_input("r", 2))}),
        "d1_log3", [](const Inputs&) -> Status { return {}; },
        [directions](const Inputs& in) { return d1_attained(in.small("L"), directions(in)); },
        [directions](const Inputs& in, int bits) {
            return d1_attained_log3(in.small("L"), directions(in), bits);
        });
    both.insert(both.begin(), theorem("ATT-D1", "a power of |a+b|^2: holds from two positions on", "att-d1"));
    return both;
}

std::vector<Formula> gram_power_formulas() {
    const std::vector<InputRule> layers{depth_input("L", 2), depth_input("L0"), count_input("d"),
                                        count_input("q", 2)};
    Formula rank = attainment("d2_rho", "rho = k d - k(k-1)/2, k = min(d, q, 3^L0 - 1)", "att-d2",
                              {count_input("d"), count_input("q", 2), depth_input("L0")});
    const auto rho = [](const Inputs& in) { return d2_rank(in.small("d"), in.small("q"), in.small("L0")); };
    rank.evaluate = exactly([rho](const Inputs& in) { return Integer(rho(in)); });
    const auto fewer = [](const Inputs& in) { return need_greater(in, "L", "L0"); };
    auto all = exact_and_log(
        attainment("d2_int", "sep >= ((rho, (3^(L-L0)-1)/2)), one head", "att-d2", layers), "d2_log3", fewer,
        [rho](const Inputs& in) { return d2_attained(in.small("L"), in.small("L0"), rho(in)); },
        [rho](const Inputs& in, int bits) {
            return d2_attained_log3(in.small("L"), in.small("L0"), rho(in), bits);
        });
    all.insert(all.begin(), rank);
    all.insert(all.begin(), theorem("ATT-D2", "a power of one form in the Gram matrix, one head", "att-d2"));
    return all;
}

Status heads_cover_width(const Inputs& in) {
    if (in.integer("H") * in.integer("da") >= in.integer("d")) return {};
    return bad_input("H", "H da must be at least d; use d = H da otherwise");
}

CollapseShape collapse_shape(const Inputs& in) {
    return {in.small("L"), in.small("d"), std::max<std::int64_t>(2, in.small("d")), in.small("H"),
            in.small("da")};
}

std::vector<Formula> best_collapse_formulas() {
    const std::vector<InputRule> shape{depth_input("L", 2), count_input("d"), count_input("H"),
                                       count_input("da")};
    Formula layers = attainment("d2_best_L0", "the L0 of the largest D2, or D2-H for H >= 2, N >= 2d",
                                "att-d2-heads", shape);
    layers.evaluate = guarded(heads_cover_width, exactly([](const Inputs& in) {
                                  return Integer(best_collapse(collapse_shape(in)).first_layers);
                              }));
    Formula value = attainment("d2_best_log3", "log3 of the largest D2, or D2-H for H >= 2, N >= 2d",
                               "att-d2-heads", shape);
    value.evaluate = [](const Inputs& in) -> Result<Value> {
        PLIMSOLL_RETURN_IF_ERROR(heads_cover_width(in));
        const Collapse best = best_collapse(collapse_shape(in));
        return Value(Real([depth = in.small("L"), best](int bits) {
            return d2_attained_log3(depth, best.first_layers, best.rank, bits);
        }));
    };
    return {layers, value};
}

std::vector<Formula> head_formulas() {
    Formula by_pairs =
        attainment("d2h_rho_b", "rho of D2-H(b): k = min(d, q, 2 min(da, 3^(L0-1)))", "att-d2-heads",
                   {count_input("d"), count_input("q", 2), count_input("da"), depth_input("L0")});
    by_pairs.evaluate = exactly([](const Inputs& in) {
        return Integer(d2_heads_rank_b(in.small("d"), in.small("q"), in.small("da"), in.small("L0")));
    });
    Formula by_blocks =
        attainment("d2h_rho_c", "rho of D2-H(c): n(d-n) + r(d-n) - r(r-1)/2", "att-d2-heads",
                   {count_input("d"), count_input("H", 2), count_input("da"), depth_input("L0", 2)});
    by_blocks.evaluate = [](const Inputs& in) -> Result<Value> {
        PLIMSOLL_RETURN_IF_ERROR(heads_cover_width(in));
        const auto n = d2_block_size(in.small("d"), in.small("H"), in.small("da"), in.small("L0"));
        if (n < 2) return bad_input("da", "n = min(da, H(3^(L0-1)-1), d) must be at least 2");
        return Value(Integer(d2_heads_rank_c(in.small("d"), n)));
    };
    std::vector<Formula> all{
        theorem("ATT-D2-H", "a power of one form, H heads with H da >= d", "att-d2-heads"), by_pairs,
        by_blocks};
    for (auto& formula : best_collapse_formulas()) all.push_back(std::move(formula));
    return all;
}

AlternatingWord word_of(const Inputs& in) {
    return alternating_word(in.small("L"), in.small("L0"), in.small("d"));
}

// Both the Weyl products, pair by pair, and the number must be short enough to write out.
Status need_short_product(const Inputs& in, const Integer& products) {
    constexpr double most_factors = 2e6, most_digits = 1e7;
    const auto block = static_cast<double>((in.small("d") - 2) / 2);
    const double factors = products.to_double() * block * block / 2;
    if (factors <= most_factors &&
        d3_canonical_log3(word_of(in), 64).middle() * digits_per_trit <= most_digits) {
        return {};
    }
    return unsupported("ATT-d3", "is too long to write out; ask for ATT-d3_canon_log3");
}

// The number of terms of the sum, or an error when there are far too many.
Result<Integer> number_of_modules(const AlternatingWord& word) {
    constexpr std::int64_t most_steps = 1 << 20;
    if (word.corner == 1) return Integer(1);
    if (word.power > most_steps)
        return unsupported("ATT-d3_sum_int", "has too many terms; ask for ATT-d3_canon_int");
    return multiset(word.corner, word.power);
}

std::vector<Formula> word_formulas() {
    const std::vector<InputRule> inputs{depth_input("L", 3), depth_input("L0", 2), width_input("d", 6)};
    const auto fewer = [](const Inputs& in) { return need_greater(in, "L", "L0"); };
    const auto log_value = [](const Inputs& in, int bits) { return d3_canonical_log3(word_of(in), bits); };
    Formula sum =
        attainment("d3_sum_int", "sep >= sum of dim V over all q, one head, N >= 2d", "att-d3", inputs);
    sum.evaluate = [fewer](const Inputs& in) -> Result<Value> {
        PLIMSOLL_RETURN_IF_ERROR(fewer(in));
        PLIMSOLL_ASSIGN(modules, number_of_modules(word_of(in)));
        PLIMSOLL_RETURN_IF_ERROR(need_short_product(in, modules));
        return Value(d3_sum(word_of(in)));
    };
    const auto short_product = [fewer](const Inputs& in) -> Status {
        PLIMSOLL_RETURN_IF_ERROR(Status(fewer(in)));
        return need_short_product(in, 1);
    };
    auto all = exact_and_log(
        attainment("d3_canon_int", "its term for the canonical q", "att-d3", inputs), "d3_canon_log3", fewer,
        [](const Inputs& in) { return d3_canonical(word_of(in)); }, log_value);
    all.front().evaluate = guarded(short_product, all.front().evaluate);
    all.insert(all.begin(), sum);
    all.insert(all.begin(), theorem("ATT-D3", "words that alternate between the sides, one head", "att-d3"));
    return all;
}

std::vector<Formula> transfer_formulas() {
    Formula best = attainment(
        "attained_log3", "log3 of the largest of D1, D2, D2-H, D3 and E, balanced split", "att-transfers",
        {depth_input("L"), width_input("d"), width_input("H"), width_input("da"), count_input("N"),
         optional_input(width_input("r"))});
    best.evaluate = [](const Inputs& in) -> Result<Value> {
        const std::int64_t rank = in.has("r") ? in.small("r") : in.small("d");
        const AttainedShape shape{in.small("L"),  in.small("d"), in.small("H"),
                                  in.small("da"), in.small("N"), rank};
        if (!attained_log3(shape, 64)) return Value(None{});
        return Value(Real([shape](int bits) { return attained_log3(shape, bits)->log3; }));
    };
    return {theorem("ATT-R", "residual connections keep every lower bound, and kappa for N >= 2d",
                    "att-transfers"),
            theorem("ATT-P", "a learned positional matrix keeps every lower bound", "att-transfers"),
            theorem("ATT-E", "s^2 heads of size da contain one head of size s da", "att-transfers"), best};
}

}  // namespace

std::vector<Formula> attainment_formulas() {
    std::vector<Formula> all;
    for (const auto& part : {norm_power_formulas(), gram_power_formulas(), head_formulas(), word_formulas(),
                             transfer_formulas()}) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

}  // namespace plimsoll::theory
