#include "plimsoll/theory/ids/vectors.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "plimsoll/base/format.h"
#include "plimsoll/base/hash.h"
#include "plimsoll/base/text.h"

namespace plimsoll::theory {
namespace {

// Longer integers are summarised when printed.
constexpr double printed_digits = 2000;
constexpr double bits_per_digit = 3.3219280948873626;

int bits_for(int digits) { return static_cast<int>(std::ceil(digits * bits_per_digit)) + 16; }

Json summary_of(const Integer& value, int digits) {
    const std::string decimal = value.text();
    const Real log = [&](int bits) { return log3(Ball(value, bits)); };
    return {{"digits", decimal.size()},
            {"first30", decimal.substr(0, 30)},
            {"last30", decimal.substr(decimal.size() - std::min<std::size_t>(30, decimal.size()))},
            {"mod_2^61-1", mod(value, pow(Integer(2), 61) - 1).text()},
            {"mod_1000000007", mod(value, 1'000'000'007).text()},
            {"log3", refine(log, bits_for(digits)).text(digits)},
            {"sha256_of_decimal", sha256_hex(decimal)}};
}

Json integer_json(const Integer& value, int digits) {
    if (static_cast<double>(value.bits()) * 0.30103 <= printed_digits) return {{"int", value.text()}};
    return {{"int_summary", summary_of(value, digits)}};
}

Json rational_json(const Rational& value, int digits) {
    if (value.is_integer()) return integer_json(value.numerator(), digits);
    Json out = {{"floor", integer_json(value.floor(), digits)}};
    if (value > 0) {
        const Real log = [&](int bits) { return log3(Ball(value, bits)); };
        out["log3"] = refine(log, bits_for(digits)).text(digits);
    }
    if (value.numerator().bits() + value.denominator().bits() < 8000) out["frac"] = value.text();
    return {{"rational", out}};
}

// The weight of the last digit of a decimal text, as an exact fraction: "12.50" gives 1/100, "1.25e+3"
// gives 10.
std::optional<Rational> unit_of(const std::string& decimal, std::optional<int> significant) {
    if (!Rational::from_text(decimal)) return std::nullopt;
    if (const auto mark = decimal.find_first_of("eE"); mark != std::string::npos) {
        const auto scale = Rational::from_text("1" + decimal.substr(mark));
        return *unit_of(decimal.substr(0, mark), significant) * *scale;
    }
    const auto point = decimal.find('.');
    auto decimals =
        point == std::string::npos ? std::int64_t{0} : static_cast<std::int64_t>(decimal.size() - point - 1);
    if (significant) {
        // dec30: trailing zeros are cut, so count from the first significant digit instead.
        std::string digits = decimal.substr(decimal.front() == '-' ? 1 : 0);
        const auto whole = static_cast<std::int64_t>(std::min(digits.find('.'), digits.size()));
        const auto first = digits.find_first_not_of("0.");
        if (first == std::string::npos) {
            decimals = *significant;
        } else {
            const auto place = static_cast<std::int64_t>(first);
            decimals = place < whole ? *significant - (whole - place) : *significant + place - whole - 1;
        }
    }
    const Rational ten(10);
    return decimals >= 0 ? Rational(1) / pow(ten, static_cast<std::uint64_t>(decimals))
                         : pow(ten, static_cast<std::uint64_t>(-decimals));
}

std::optional<Real> as_real(const Value& value) {
    if (const auto* real = std::get_if<Real>(&value)) return *real;
    if (const auto* whole = std::get_if<Integer>(&value))
        return Real([n = *whole](int bits) { return Ball(n, bits); });
    if (const auto* ratio = std::get_if<Rational>(&value))
        return Real([r = *ratio](int bits) { return Ball(r, bits); });
    return std::nullopt;
}

// Certified: |value - expected| <= one unit of the last place, at a precision that decides it.
bool agrees(const Real& value, const std::string& decimal, std::optional<int> significant) {
    const auto expected = Rational::from_text(decimal);
    const auto unit = unit_of(decimal, significant);
    if (!expected || !unit) return false;
    for (int bits = 192; bits <= default_precision_limit; bits *= 2) {
        const Verdict outside = less(Ball(*unit, bits), abs(value(bits) - Ball(*expected, bits)));
        if (outside != Verdict::undecided) return outside == Verdict::refuted;
    }
    return true;  // indistinguishable from exactly one unit away
}

std::optional<Integer> as_integer(const Value& value) {
    if (const auto* whole = std::get_if<Integer>(&value)) return *whole;
    if (const auto* ratio = std::get_if<Rational>(&value); ratio != nullptr && ratio->is_integer())
        return ratio->numerator();
    return std::nullopt;
}

std::string text_of(const Json& json) { return json.is_string() ? json.get<std::string>() : json.dump(); }

bool matches_integer(const Integer& value, const Json& expected);

bool matches_summary(const Integer& value, const Json& expected) {
    if (!expected.is_object() || expected.empty()) return false;
    const std::string decimal = value.text();
    const Json actual = summary_of(value, 30);
    for (const auto& [key, wanted] : expected.items()) {
        if (key == "log3") {
            if (!agrees([&](int bits) { return log3(Ball(value, bits)); }, text_of(wanted), 30)) return false;
        } else if (!actual.contains(key) || text_of(actual[key]) != text_of(wanted)) {
            return false;
        }
    }
    return true;
}

bool matches_integer(const Integer& value, const Json& expected) {
    if (expected.contains("int")) return value.text() == text_of(expected["int"]);
    return expected.contains("int_summary") && matches_summary(value, expected["int_summary"]);
}

bool matches_rational(const Value& value, const Json& expected) {
    if (!expected.is_object() || expected.empty()) return false;
    if (!refuse_unknown_keys(expected, {"frac", "floor", "log3"}, "rational").ok()) return false;
    Rational number;
    if (const auto whole = as_integer(value)) {
        number = *whole;
    } else if (const auto* ratio = std::get_if<Rational>(&value)) {
        number = *ratio;
    } else {
        return false;
    }
    if (expected.contains("frac") && number.text() != text_of(expected["frac"])) return false;
    if (expected.contains("floor") && !matches_integer(number.floor(), expected["floor"])) return false;
    const auto log = [&](int bits) { return log3(Ball(number, bits)); };
    return !expected.contains("log3") || (number > 0 && agrees(log, text_of(expected["log3"]), 30));
}

bool matches_list(const Value& value, const Json& expected) {
    const auto* list = std::get_if<std::vector<Integer>>(&value);
    if (list == nullptr || !expected.is_array() || list->size() != expected.size()) return false;
    for (std::size_t i = 0; i < list->size(); ++i) {
        if ((*list)[i].text() != text_of(expected[i])) return false;
    }
    return true;
}

Result<bool> matches(const Value& value, const Json& output) {
    const std::string& kind = output.begin().key();
    const Json& expected = output.begin().value();
    if (kind == "int" || kind == "int_summary") {
        const auto whole = as_integer(value);
        return whole && matches_integer(*whole, output);
    }
    if (kind == "rational") return matches_rational(value, expected);
    if (kind == "dec30" || kind == "dec") {
        const auto real = as_real(value);
        return real && agrees(*real, text_of(expected), kind == "dec30" ? std::optional(30) : std::nullopt);
    }
    if (kind == "str")
        return std::holds_alternative<std::string>(value) &&
               std::get<std::string>(value) == text_of(expected);
    if (kind == "bool") return std::holds_alternative<bool>(value) && Json(std::get<bool>(value)) == expected;
    if (kind == "null") return std::holds_alternative<None>(value);
    if (kind == "ints") return matches_list(value, expected);
    return bad_input(
        "output",
        fmt::format(
            "unknown kind '{}' (one of: int, int_summary, rational, dec30, dec, str, bool, null, ints)",
            kind));
}

// What is wrong with this vector, or nothing.
Result<std::optional<std::string>> difference_in(const Json& vector) {
    const auto formula = find_formula(vector["id"].get<std::string>());
    if (!formula.ok()) return std::optional(formula.error().text());
    std::map<std::string, Json> given;
    for (const auto& [name, value] : vector["inputs"].items()) given[name] = value;
    const auto inputs = read_inputs(**formula, given);
    if (!inputs.ok()) return std::optional(inputs.error().text());
    const auto value = evaluate(**formula, *inputs);
    if (!value.ok()) return std::optional(value.error().text());
    PLIMSOLL_ASSIGN(same, matches(*value, vector["output"]));
    if (same) return std::optional<std::string>();
    PLIMSOLL_ASSIGN(actual, to_json(*value));
    return std::optional(fmt::format("expected {}, got {}", vector["output"].dump(), actual.dump()));
}

Status check_form(const Json& vector, const std::string& where) {
    if (!vector.is_object()) return bad_input(where, "must be an object with id, inputs and output");
    PLIMSOLL_RETURN_IF_ERROR(refuse_unknown_keys(vector, {"id", "fn", "inputs", "output"}, where));
    if (!vector.contains("id") || !vector["id"].is_string()) return bad_input(where, "id must be a text");
    if (!vector.contains("inputs") || !vector["inputs"].is_object())
        return bad_input(where, "inputs must be an object");
    if (!vector.contains("output") || !vector["output"].is_object() || vector["output"].size() != 1) {
        return bad_input(where, "output must be an object with one kind, such as {\"int\": \"3\"}");
    }
    return {};
}

}  // namespace

Result<Json> to_json(const Value& value, int digits) {
    if (std::holds_alternative<None>(value)) return Json{{"null", true}};
    if (const auto* truth = std::get_if<bool>(&value)) return Json{{"bool", *truth}};
    if (const auto* text = std::get_if<std::string>(&value)) return Json{{"str", *text}};
    if (const auto* whole = std::get_if<Integer>(&value)) return integer_json(*whole, digits);
    if (const auto* ratio = std::get_if<Rational>(&value)) return rational_json(*ratio, digits);
    if (const auto* list = std::get_if<std::vector<Integer>>(&value)) {
        Json out = Json::array();
        for (const auto& item : *list) out.push_back(item.text());
        return Json{{"ints", out}};
    }
    const Ball ball = refine(std::get<Real>(value), bits_for(digits));
    if (!ball.is_finite()) return bad_input("", "the formula is not defined for these inputs");
    if (ball.accuracy_bits() < bits_for(digits)) {
        // Zero to thousands of digits: a cancellation such as log3 9 - 2.
        if (abs(ball).upper() < 1e-300) return Json{{digits == 30 ? "dec30" : "dec", "0.0"}};
        return unsupported("", fmt::format("{} digits cannot be decided for these inputs", digits));
    }
    return Json{{digits == 30 ? "dec30" : "dec", ball.text(digits)}};
}

Result<CheckReport> check_vectors(const Json& file, const std::string& where) {
    if (!file.is_object() || !file.contains("vectors") || !file["vectors"].is_array()) {
        return bad_input(where, "must be an object with a list 'vectors'");
    }
    PLIMSOLL_RETURN_IF_ERROR(refuse_unknown_keys(file, {"count", "vectors"}, where));
    const Json& vectors = file["vectors"];
    if (file.contains("count") && file["count"] != vectors.size()) {
        return bad_input(where, fmt::format("count is {}, but there are {} vectors", file["count"].dump(),
                                            vectors.size()));
    }
    CheckReport report;
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        const Json& vector = vectors[i];
        const std::string place = fmt::format("{}: vectors[{}]", where, i);
        PLIMSOLL_RETURN_IF_ERROR(check_form(vector, place));
        auto problem = difference_in(vector);
        if (!problem.ok()) return bad_input(place, problem.error().text());
        ++report.checked;
        if (*problem) report.differences.push_back({i, vector["id"], vector["inputs"].dump(), **problem});
    }
    return report;
}

}  // namespace plimsoll::theory
