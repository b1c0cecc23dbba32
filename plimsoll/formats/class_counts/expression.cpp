#include "plimsoll/formats/class_counts/expression.h"

#include <array>
#include <cctype>
#include <cmath>
#include <vector>

#include "plimsoll/base/check.h"
#include "plimsoll/base/text.h"

namespace plimsoll::formats {
namespace {

using Value = ExpressionValue;
using Whole = Value::Whole;

constexpr double largest_whole = 1e36;  // below 2^127

Error beyond() { return bad_input("", "its numbers are too large"); }

// The whole number below a quotient, as Python rounds.
Whole floored(Whole a, Whole b) { return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0); }

Result<Value> whole_of(double value) {
    if (!(std::abs(value) < largest_whole)) return beyond();
    return Value::of(static_cast<Whole>(value));
}

Result<Value> power(const Value& a, const Value& b) {
    if (a.is_real || b.is_real || b.whole < 0) return Value::of_real(std::pow(a.as_real(), b.as_real()));
    Whole product = 1;
    for (Whole i = 0; i < b.whole; ++i)
        if (__builtin_mul_overflow(product, a.whole, &product) || i > 127) return beyond();
    return Value::of(product);
}

// + - * between whole numbers.
Result<Value> whole_sum(char op, Whole a, Whole b) {
    Whole out = 0;
    const bool over = op == '+'   ? __builtin_add_overflow(a, b, &out)
                      : op == '-' ? __builtin_sub_overflow(a, b, &out)
                                  : __builtin_mul_overflow(a, b, &out);
    if (over) return beyond();
    return Value::of(out);
}

Result<Value> sum_or_product(char op, const Value& a, const Value& b) {
    if (!a.is_real && !b.is_real) return whole_sum(op, a.whole, b.whole);
    const double x = a.as_real(), y = b.as_real();
    return Value::of_real(op == '+' ? x + y : op == '-' ? x - y : x * y);
}

Result<Value> quotient(std::string_view op, const Value& a, const Value& b) {
    if (b.as_real() == 0) return bad_input("", "it divides by zero");
    if (op == "/") return Value::of_real(a.as_real() / b.as_real());
    if (!a.is_real && !b.is_real) {
        const Whole below = floored(a.whole, b.whole);
        return Value::of(op == "//" ? below : a.whole - below * b.whole);
    }
    const double below = std::floor(a.as_real() / b.as_real());
    return Value::of_real(op == "//" ? below : a.as_real() - below * b.as_real());
}

Result<Value> rounded(std::string_view name, const Value& a) {
    if (!a.is_real) return a;
    if (name == "ceil") return whole_of(std::ceil(a.real));
    if (name == "floor") return whole_of(std::floor(a.real));
    if (name == "round") return whole_of(std::nearbyint(a.real));  // halves to even, as Python
    return whole_of(std::trunc(a.real));
}

bool part_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

// A recursive descent that computes as it reads.
class Evaluator {
  public:
    Evaluator(std::string_view text, const ExpressionNames& names) : text_(text), names_(names) {}

    Result<Value> whole_text() {
        PLIMSOLL_ASSIGN(value, sum());
        PLIMSOLL_CHECK(at_ == text_.size(), "expression of the table: " + std::string(text_));
        return value;
    }

  private:
    bool take(std::string_view word) {
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }

    void expect(std::string_view word) {
        PLIMSOLL_CHECK(take(word), "expression of the table: " + std::string(text_));
    }

    Result<Value> sum() {
        PLIMSOLL_ASSIGN(left, product());
        while (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) {
            const char op = text_[at_++];
            PLIMSOLL_ASSIGN(right, product());
            PLIMSOLL_ASSIGN(both, sum_or_product(op, left, right));
            left = both;
        }
        return left;
    }

    // The operator of a product at this place, or empty.
    std::string_view product_operator() {
        for (const std::string_view op : {"//", "%", "/"})
            if (take(op)) return op;
        if (text_.substr(at_).starts_with("*") && !text_.substr(at_).starts_with("**")) return ++at_, "*";
        return {};
    }

    Result<Value> product() {
        PLIMSOLL_ASSIGN(left, powers());
        for (auto op = product_operator(); !op.empty(); op = product_operator()) {
            PLIMSOLL_ASSIGN(right, powers());
            PLIMSOLL_ASSIGN(both, op == "*" ? sum_or_product('*', left, right) : quotient(op, left, right));
            left = both;
        }
        return left;
    }

    Result<Value> powers() {
        PLIMSOLL_ASSIGN(base, atom());
        if (!take("**")) return base;
        PLIMSOLL_ASSIGN(exponent, powers());
        return power(base, exponent);
    }

    Result<Value> atom() {
        if (take("(")) {
            PLIMSOLL_ASSIGN(inside, sum());
            expect(")");
            return inside;
        }
        if (take("-")) {
            PLIMSOLL_ASSIGN(value, atom());
            return sum_or_product('-', Value::of(0), value);
        }
        if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) return number();
        return name_or_call();
    }

    // Digits with a fraction or an exponent: 12, 0.25, 1e-05.
    Result<Value> number() {
        const std::size_t start = at_;
        while (at_ < text_.size() && (part_of_name(text_[at_]) || after_exponent())) ++at_;
        const std::string digits(text_.substr(start, at_ - start));
        if (digits.find_first_not_of("0123456789") == std::string::npos) {
            PLIMSOLL_ASSIGN(value, parse_integer(digits, "table"));
            return Value::of(value);
        }
        PLIMSOLL_ASSIGN(value, parse_real(digits, "table"));
        return Value::of_real(value);
    }

    [[nodiscard]] bool after_exponent() const {
        return (text_[at_] == '-' || text_[at_] == '+') && (text_[at_ - 1] == 'e');
    }

    std::string_view name() {
        const std::size_t start = at_;
        while (at_ < text_.size() && part_of_name(text_[at_])) ++at_;
        PLIMSOLL_CHECK(at_ > start, "expression of the table: " + std::string(text_));
        return text_.substr(start, at_ - start);
    }

    Result<Value> name_or_call() {
        const std::string_view word = name();
        if (take("(")) return word == "count" ? entries() : call(word);
        const auto value = names_.number(word);
        if (!value) return bad_input(std::string(word), "has no number");
        return *value;
    }

    Result<Value> entries() {
        const std::string_view key = name();
        expect(",");
        const std::size_t close = text_.find(')', at_);
        const auto words = text_.substr(at_, close - at_);
        at_ = close;
        expect(")");
        const auto count = names_.entries(key, words);
        if (!count) return bad_input(std::string(key), "is not known");
        return Value::of(*count);
    }

    Result<Value> call(std::string_view function) {
        std::vector<Value> values;
        do {
            PLIMSOLL_ASSIGN(value, sum());
            values.push_back(value);
        } while (take(","));
        expect(")");
        if (values.size() == 1) return rounded(function, values[0]);
        const bool first = (values[0].as_real() < values[1].as_real()) == (function == "min");
        return first ? values[0] : values[1];
    }

    std::string_view text_;
    const ExpressionNames& names_;
    std::size_t at_ = 0;
};

bool compared(std::string_view op, const Value& a, const Value& b) {
    const double x = a.as_real(), y = b.as_real();
    const bool same = a.is_real || b.is_real ? x == y : a.whole == b.whole;
    if (op == "==") return same;
    if (op == "!=") return !same;
    if (op == "<") return x < y;
    if (op == "<=") return x <= y;
    if (op == ">") return x > y;
    return x >= y;
}

}  // namespace

Result<ExpressionValue> evaluate_expression(std::string_view text, const ExpressionNames& names) {
    return Evaluator(text, names).whole_text();
}

Result<bool> evaluate_comparison(std::string_view text, const ExpressionNames& names) {
    for (const std::string_view op : {" == ", " != ", " <= ", " >= ", " < ", " > "}) {
        const std::size_t at = text.find(op);
        if (at == std::string_view::npos) continue;
        PLIMSOLL_ASSIGN(left, evaluate_expression(text.substr(0, at), names));
        PLIMSOLL_ASSIGN(right, evaluate_expression(text.substr(at + op.size()), names));
        return compared(trim(op), left, right);
    }
    PLIMSOLL_CHECK(false, "comparison of the table: " + std::string(text));
    return false;
}

}  // namespace plimsoll::formats
