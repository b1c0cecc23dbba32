#include "plimsoll/cli/bounds/bounds_text.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/wrap.h"

namespace plimsoll::cli {
namespace {

using theory::Ball;
using theory::BoundRow;
using theory::Formula;
using theory::Integer;
using theory::Rational;
using theory::Side;
using theory::Standing;

constexpr double digits_per_trit = 0.4771212547196624;
constexpr std::size_t longest_written = 70;

std::string_view to_text(Side side) { return side == Side::lower ? "lower" : "upper"; }

std::string input_names(const Formula& formula) {
    std::vector<std::string> names;
    for (const auto& rule : formula.inputs)
        names.push_back(rule.optional ? "[" + rule.name + "]" : rule.name);
    return join(names, " ");
}

std::string with_erratum(std::string words, const std::string& erratum) {
    return erratum.empty() ? words : words + ", " + erratum;
}

// "proved for odd d_a, E14": never without the condition.
std::string standing_text(const Formula& formula) {
    return with_erratum(conditional_text(theory::status_of(formula.id)), formula.erratum);
}

// "title            right", the right part ending at column 80.
void print_title(const std::string& title, const std::string& right) {
    if (right.empty()) return fmt::print("{}\n", title);
    fmt::print("{:<{}}{}\n", title, static_cast<int>(line_width - right.size()), right);
}

std::string shortened(const std::string& digits) {
    if (digits.size() <= longest_written) return digits;
    return fmt::format("{}...{} ({} digits)", digits.substr(0, 20), digits.substr(digits.size() - 20),
                       digits.size());
}

void print_line(std::string_view name, const std::string& text) { fmt::print("  {:<10}{}\n", name, text); }

void print_logs(const Rational& number, int digits) {
    if (number <= Rational(0)) return;
    const auto log3 = [&](int bits) { return theory::log3(Ball(number, bits)); };
    const auto log10 = [&](int bits) { return log(Ball(number, bits)) / log(Ball(10, bits)); };
    const int wanted = static_cast<int>(digits * 3.33) + 8;
    print_line("log3", theory::refine(log3, wanted).text(digits));
    print_line("log10", theory::refine(log10, wanted).text(digits));
}

// Under the other values, further lines too.
void print_scope(const theory::ClaimStatus& status) {
    constexpr std::size_t indent = 12;
    const std::string text = scope_text(status);
    if (!text.empty()) fmt::print("  {:<10}{}", "scope", wrapped(text, indent).substr(indent));
}

Status print_number(const theory::Value& value, int digits) {
    if (const auto* whole = std::get_if<Integer>(&value)) {
        print_line("value", shortened(whole->text()));
        print_logs(*whole, std::min(digits, 12));
        return {};
    }
    if (const auto* ratio = std::get_if<Rational>(&value)) {
        print_line("value", shortened(ratio->text()));
        if (!ratio->is_integer()) print_line("floor", shortened(ratio->floor().text()));
        print_logs(*ratio, std::min(digits, 12));
        return {};
    }
    PLIMSOLL_ASSIGN(json, theory::to_json(value, digits));
    const Json content = json.begin().value();
    if (json.contains("null")) {
        print_line("value", "none");
    } else {
        print_line("value", content.is_string() ? content.get<std::string>() : content.dump());
    }
    return {};
}

Mark mark_of(const BoundRow& row) {
    if (row.tightest) return Mark::advised;
    if (row.standing == Standing::refuted && !row.sound) return Mark::act;
    return row.sound ? Mark::passed : Mark::note;
}

std::string reading_of(const BoundRow& row) {
    std::string text = with_erratum(std::string(theory::to_text(row.standing)), row.erratum);
    if (!row.note.empty()) text += "; " + row.note;
    return text;
}

std::string number_text(double value) {
    if (std::abs(value) < 1e6) return fmt::format("{:.2f}", value);
    return fmt::format("{:.4g}", value);
}

void print_summary(const theory::BoundTable& table) {
    const BoundRow* lower = table.tightest(Side::lower);
    const BoundRow* upper = table.tightest(Side::upper);
    if (upper == nullptr) return;
    const std::string low = lower == nullptr ? "0" : number_text(std::max(0.0, lower->log3.lower()));
    fmt::print("\n  Proved for almost all weights: log3 sep lies in [{}, {}].\n", low,
               number_text(upper->log3.upper()));
    if (lower != nullptr && lower->log3.lower() > 0)
        fmt::print("  The lower end is {:.3g} times the upper end.\n",
                   lower->log3.lower() / upper->log3.upper());
}

// One table per side, with columns of the same width.
void print_side(const theory::BoundTable& table, Side side) {
    Table rows({{fmt::format("{:<21}", fmt::format("{} bound", to_text(side))), Align::left},
                {"      log3"},
                {"     log10"},
                {"reading", Align::left}});
    bool any = false;
    for (const auto& row : table.rows) {
        if (row.side != side) continue;
        const double log3 = side == Side::upper ? row.log3.upper() : row.log3.lower();
        rows.add({row.id, number_text(log3), number_text(log3 * digits_per_trit), reading_of(row)},
                 mark_of(row));
        any = true;
    }
    if (!any) return;
    rows.print();
    fmt::print("\n");
}

}  // namespace

void print_formulas() {
    Table table({{"id", Align::left}, {"status", Align::left}, {"inputs", Align::left}});
    for (const auto& formula : theory::all_formulas()) {
        const std::string inputs = formula.is_number() ? input_names(formula) : "(statement)";
        table.add({formula.id, standing_text(formula), inputs});
    }
    table.print();
    fmt::print("\n{} ids.  One of them: plimsoll bounds LEVINE-T3 L=3 dx=8 H=2\n",
               theory::all_formulas().size());
}

Json formulas_json() {
    Json list = Json::array();
    for (const auto& formula : theory::all_formulas()) {
        Json inputs = Json::array();
        for (const auto& rule : formula.inputs)
            inputs.push_back({{"name", rule.name}, {"optional", rule.optional}});
        list.push_back({{"id", formula.id},
                        {"function", formula.function},
                        {"summary", formula.summary},
                        {"source", formula.source},
                        {"standing", theory::to_text(formula.standing)},
                        {"scope", scope_text(theory::status_of(formula.id))},
                        {"needs", theory::status_of(formula.id).needs},
                        {"erratum", formula.erratum},
                        {"page", "docs/bounds/" + formula.page + ".md"},
                        {"number", formula.is_number()},
                        {"inputs", inputs}});
    }
    return list;
}

Status print_value(const Formula& formula, const theory::Value& value, int digits) {
    print_title(formula.id, formula.source);
    fmt::print("{}\n\n", formula.summary);
    PLIMSOLL_RETURN_IF_ERROR(print_number(value, digits));
    print_line("status", standing_text(formula));
    print_scope(theory::status_of(formula.id));
    print_line("page", "docs/bounds/" + formula.page + ".md");
    return {};
}

Result<Json> value_json(const Formula& formula, const Json& inputs, const theory::Value& value, int digits) {
    PLIMSOLL_ASSIGN(output, theory::to_json(value, digits));
    return Json{{"id", formula.id},
                {"fn", formula.function},
                {"inputs", inputs},
                {"output", output},
                {"standing", theory::to_text(formula.standing)},
                {"scope", scope_text(theory::status_of(formula.id))},
                {"needs", theory::status_of(formula.id).needs},
                {"erratum", formula.erratum},
                {"source", formula.source}};
}

void print_bounds(const theory::BoundTable& table) {
    const std::string context = table.context ? fmt::format("context {}", *table.context) : "context N >= 2d";
    print_title(table.subject, table.takes_context ? context : "");
    if (!table.reading.empty()) fmt::print("  {}\n", table.reading);
    print_summary(table);
    fmt::print("\n");
    print_side(table, Side::lower);
    print_side(table, Side::upper);
    for (const auto& fact : table.facts) fmt::print("  {:<21}{:<17}{}\n", fact.name, fact.value, fact.note);
    const bool refuted = std::any_of(table.rows.begin(), table.rows.end(),
                                     [](const auto& row) { return row.standing == Standing::refuted; });
    fmt::print("\n{}\n",
               refuted ? "Refuted: docs/ERRATA.md.  For one bound: plimsoll bounds LEVINE-T3 L=3 dx=8 H=2"
                       : "All ids: plimsoll bounds --list");
}

Json bounds_json(const std::string& spec, const theory::BoundTable& table) {
    Json rows = Json::array(), facts = Json::array();
    for (const auto& row : table.rows) {
        rows.push_back({{"id", row.id},
                        {"side", to_text(row.side)},
                        {"log3", row.log3.middle()},
                        {"log3_low", row.log3.lower()},
                        {"log3_high", row.log3.upper()},
                        {"log10", row.log3.middle() * digits_per_trit},
                        {"standing", theory::to_text(row.standing)},
                        {"erratum", row.erratum},
                        {"sound", row.sound},
                        {"tightest", row.tightest},
                        {"note", row.note}});
    }
    for (const auto& fact : table.facts)
        facts.push_back({{"name", fact.name}, {"value", fact.value}, {"note", fact.note}});
    const BoundRow* lower = table.tightest(Side::lower);
    const BoundRow* upper = table.tightest(Side::upper);
    Json proved = {{"lower", lower == nullptr ? Json(0.0) : Json(std::max(0.0, lower->log3.lower()))},
                   {"upper", upper == nullptr ? Json() : Json(upper->log3.upper())}};
    return {{"spec", spec},
            {"context", table.context ? Json(*table.context) : Json()},
            {"reading", table.reading},
            {"proved_log3", proved},
            {"facts", facts},
            {"bounds", rows}};
}

void print_check(const std::string& file, const theory::CheckReport& report) {
    for (const auto& difference : report.differences) {
        fmt::print("! vectors[{}] {} {}: {}\n", difference.index, difference.id, difference.inputs,
                   difference.reason);
    }
    const std::size_t agreed = report.checked - report.differences.size();
    fmt::print("{}: {} of {} vectors agree\n", file, agreed, report.checked);
}

Json check_json(const std::string& file, const theory::CheckReport& report) {
    Json differences = Json::array();
    for (const auto& difference : report.differences) {
        differences.push_back({{"index", difference.index},
                               {"id", difference.id},
                               {"inputs", difference.inputs},
                               {"reason", difference.reason}});
    }
    return {{"file", file}, {"checked", report.checked}, {"differences", differences}};
}

}  // namespace plimsoll::cli
