#include "plimsoll/theory/ids/formula_tables.h"

#include "plimsoll/base/format.h"

namespace plimsoll::theory {
namespace {

constexpr std::int64_t max_depth = 100'000;
constexpr std::int64_t max_count = std::int64_t{1} << 31;

const Integer& max_size() {
    static const Integer limit = pow(Integer(10), 1000);
    return limit;
}

}  // namespace

Formula statement(std::string id, std::string summary, std::string source, std::string page,
                  std::string erratum) {
    return {.id = std::move(id),
            .function = "",
            .summary = std::move(summary),
            .source = std::move(source),
            .erratum = std::move(erratum),
            .page = std::move(page),
            .inputs = {}};
}

Formula our_formula(const std::string& prefix, const std::string& function, std::string summary,
                    std::string page, std::vector<InputRule> inputs) {
    return {.id = prefix + "-" + function,
            .function = function,
            .summary = std::move(summary),
            .source = "ours",
            .erratum = "",
            .page = std::move(page),
            .inputs = std::move(inputs)};
}

InputRule depth_input(const std::string& name, std::int64_t low) {
    return {.name = name, .kind = InputKind::integer, .low = low, .high = max_depth, .words = {}};
}
InputRule size_input(const std::string& name, std::int64_t low) {
    return {.name = name, .kind = InputKind::integer, .low = low, .high = max_size(), .words = {}};
}
InputRule count_input(const std::string& name, std::int64_t low) {
    return {.name = name, .kind = InputKind::integer, .low = low, .high = max_count, .words = {}};
}
InputRule decimal_input(const std::string& name) {
    return {.name = name, .kind = InputKind::decimal, .low = 0, .high = 0, .words = {}};
}
InputRule word_input(const std::string& name, std::vector<std::string> words) {
    return {.name = name, .kind = InputKind::word, .words = std::move(words)};
}
InputRule pairs_input(const std::string& name) {
    return {.name = name, .kind = InputKind::pairs, .words = {}};
}
InputRule optional_input(InputRule rule) {
    rule.optional = true;
    return rule;
}

Status need_greater(const Inputs& in, const std::string& larger, const std::string& smaller) {
    if (in.integer(larger) > in.integer(smaller)) return {};
    return bad_input(larger, fmt::format("must exceed {} = {}, got {}", smaller, in.integer(smaller).text(),
                                         in.integer(larger).text()));
}

Status need_writable(const std::string& id, double digits) {
    constexpr double max_digits = 1e7;
    if (digits <= max_digits) return {};
    return unsupported(
        id, fmt::format("has about {:.3g} digits, too many to write out; ask for {}-LOG3", digits, id));
}

Status need_even_difference(const Inputs& in, const std::string& a, const std::string& b) {
    const Integer difference = in.integer(a) - in.integer(b);
    if (difference >= 0 && mod(difference, 2) == 0) return {};
    return bad_input(a,
                     fmt::format("{} - {} must be even and not negative, got {}", a, b, difference.text()));
}

std::vector<Formula> separation_formulas() {
    return {
        statement("SEP-DEF", "separation rank: least number of products of one-sided functions",
                  "Levine 2020, eq. 49", "sep-def"),
        statement("SEP-GRID", "a grid matrix never has more than the separation rank", "Levine 2020, claim 2",
                  "sep-grid"),
        statement("SEP-GENERIC", "rank at one point is reached almost everywhere", "Levine 2020, claim 3",
                  "sep-generic"),
        statement("counting", "at most the independent functions of either side", "ours", "sep-def"),
        statement("LEVINE-CLAIM1", "balanced partitions are all alike for attention without positions",
                  "Levine 2020, claim 1", "levine-claim1"),
        statement("NAVON-SUPINF", "sup and inf of separation rank over partitions and entries",
                  "Navon 2022, sec. 4.2", "navon-supinf"),
        statement("NAVON-ORDER", "more expressive: sup-sep of one below inf-sep of the other",
                  "Navon 2022, sec. 4.3", "navon-order"),
    };
}

std::vector<Formula> advice_formulas() {
    return {
        statement("ADVICE-R2", "at a fixed budget the bound rises with depth", "ours", "advice-claims"),
        statement("ADVICE-R3", "the load line: percent of loss by depth and width, fitted to measured losses",
                  "ours", "advice-claims"),
        statement("LOAD-LINE", "width = exp(5.039 + 0.0555 L)", "Levine 2020, sec. 5", "advice-claims"),
        statement("SCOPE", "the theorems are about attention and mixers", "ours", "advice-claims"),
        statement("COUNT", "parameters of a shape", "ours", "advice-claims"),
    };
}

}  // namespace plimsoll::theory
