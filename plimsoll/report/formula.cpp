#include "plimsoll/report/formula.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"

namespace plimsoll::report {

// Applies to the values of `parts`; a leaf is a number or a name.
struct Formula::Node {
    using Operation = FormulaValue (*)(double, double);
    Operation operation = nullptr;
    std::vector<std::shared_ptr<const Node>> parts;
    double number = 0;
    std::string name;
};

namespace {

using Node = Formula::Node;
using NodePointer = std::shared_ptr<const Node>;

constexpr int most_depth = 100;  // of nested parentheses and signs

FormulaValue finite(double value) {
    if (std::isfinite(value)) return {value, ""};
    return {std::nullopt, std::isnan(value) ? "not a real number" : "too large a number"};
}
FormulaValue nothing(const char* reason) { return {std::nullopt, reason}; }

FormulaValue add(double a, double b) { return finite(a + b); }
FormulaValue subtract(double a, double b) { return finite(a - b); }
FormulaValue multiply(double a, double b) { return finite(a * b); }
FormulaValue divide(double a, double b) { return b == 0 ? nothing("division by zero") : finite(a / b); }
FormulaValue power(double a, double b) {
    if (a == 0 && b < 0) return nothing("division by zero");
    if (a < 0 && b != std::floor(b)) return nothing("a broken power of a negative number");
    return finite(std::pow(a, b));
}
FormulaValue negative(double a, double) { return finite(-a); }
FormulaValue ln(double a, double) {
    return a > 0 ? finite(std::log(a)) : nothing("logarithm of a number that is not positive");
}
FormulaValue log2(double a, double) { return a > 0 ? finite(std::log2(a)) : ln(a, 0); }
FormulaValue log3(double a, double) { return a > 0 ? finite(std::log(a) / std::log(3.0)) : ln(a, 0); }
FormulaValue log10(double a, double) { return a > 0 ? finite(std::log10(a)) : ln(a, 0); }
FormulaValue exponential(double a, double) { return finite(std::exp(a)); }
FormulaValue square_root(double a, double) {
    return a >= 0 ? finite(std::sqrt(a)) : nothing("square root of a negative number");
}
FormulaValue least(double a, double b) { return finite(std::min(a, b)); }
FormulaValue most(double a, double b) { return finite(std::max(a, b)); }

struct Function {
    std::string_view name;
    std::size_t arguments;  // min and max take two or more
    Node::Operation operation;
};
constexpr std::array functions{Function{"log2", 1, log2},       Function{"log3", 1, log3},
                               Function{"log10", 1, log10},     Function{"ln", 1, ln},
                               Function{"exp", 1, exponential}, Function{"sqrt", 1, square_root},
                               Function{"min", 2, least},       Function{"max", 2, most}};

bool is_letter(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

NodePointer leaf(double number) {
    auto node = std::make_shared<Node>();
    node->number = number;
    return node;
}
NodePointer applied(Node::Operation operation, std::vector<NodePointer> parts) {
    auto node = std::make_shared<Node>();
    node->operation = operation;
    node->parts = std::move(parts);
    return node;
}

class Parser {
  public:
    Parser(std::string_view text, const std::string& place) : text_(text), place_(place) {}

    Result<NodePointer> parse(std::vector<std::string>& names) {
        names_ = &names;
        PLIMSOLL_ASSIGN(root, sum());
        if (peek() != '\0') return wrong(fmt::format("'{}' is out of place", rest()));
        return root;
    }

  private:
    [[nodiscard]] Error wrong(const std::string& message) const {
        return bad_input(place_, fmt::format("'{}': {}", printable(text_), message));
    }
    [[nodiscard]] std::string rest() const { return printable(text_.substr(at_), 20); }

    // The next character that is no space; 0 at the end.
    char peek() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool take(char wanted) {
        if (peek() != wanted || at_ == text_.size()) return false;
        ++at_;
        return true;
    }

    Result<NodePointer> sum() {
        PLIMSOLL_ASSIGN(left, product());
        while (peek() == '+' || peek() == '-') {
            const bool plus = text_[at_++] == '+';
            PLIMSOLL_ASSIGN(right, product());
            left = applied(plus ? add : subtract, {left, right});
        }
        return left;
    }

    Result<NodePointer> product() {
        PLIMSOLL_ASSIGN(left, signed_power());
        while (peek() == '*' || peek() == '/') {
            const bool times = text_[at_++] == '*';
            PLIMSOLL_ASSIGN(right, signed_power());
            left = applied(times ? multiply : divide, {left, right});
        }
        return left;
    }

    Result<NodePointer> signed_power() {
        if (++depth_ > most_depth) return wrong(fmt::format("is nested deeper than {}", most_depth));
        auto inner = take('-') ? negated() : raised();
        --depth_;
        return inner;
    }
    Result<NodePointer> negated() {
        PLIMSOLL_ASSIGN(inner, signed_power());
        return applied(negative, {inner});
    }
    Result<NodePointer> raised() {
        PLIMSOLL_ASSIGN(base, atom());
        if (!take('^')) return base;
        PLIMSOLL_ASSIGN(exponent, signed_power());
        return applied(power, {base, exponent});
    }

    Result<NodePointer> atom() {
        const char next = peek();
        if (take('(')) {
            PLIMSOLL_ASSIGN(inner, sum());
            if (!take(')')) return wrong("a parenthesis is never closed");
            return inner;
        }
        if (is_digit(next) || next == '.') return number();
        if (is_letter(next)) return word();
        if (next == '\0') return wrong("a number or a name is missing at the end");
        return wrong(fmt::format("'{}' where a number or a name belongs", rest()));
    }

    Result<NodePointer> number() {
        const std::size_t start = at_;
        while (at_ < text_.size() && (is_digit(text_[at_]) || is_letter(text_[at_]) || text_[at_] == '.' ||
                                      ((text_[at_] == '-' || text_[at_] == '+') && after_exponent(start))))
            ++at_;
        const auto digits = text_.substr(start, at_ - start);
        if (const auto real = parse_real(digits, place_); real.ok()) return leaf(*real);
        const auto count = parse_count(digits, place_);
        if (!count.ok()) return wrong(fmt::format("'{}' is no number", printable(digits)));
        return leaf(static_cast<double>(*count));
    }
    // Whether a sign here belongs to the number that starts at `start`: 1e-3, but not 64K-1.
    [[nodiscard]] bool after_exponent(std::size_t start) const {
        return at_ > start && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E');
    }

    Result<NodePointer> word() {
        const std::size_t start = at_;
        while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
        const std::string name(text_.substr(start, at_ - start));
        if (take('(')) return call(name);
        if (std::ranges::find(*names_, name) == names_->end()) names_->push_back(name);
        auto node = std::make_shared<Node>();
        node->name = name;
        return NodePointer(node);
    }

    Result<NodePointer> call(const std::string& name) {
        const auto* function = std::ranges::find(functions, name, &Function::name);
        if (function == functions.end()) return unknown_function(name);
        std::vector<NodePointer> arguments;
        do {
            PLIMSOLL_ASSIGN(argument, sum());
            arguments.push_back(argument);
        } while (take(','));
        if (!take(')')) return wrong("a parenthesis is never closed");
        const bool fits = function->arguments == 1 ? arguments.size() == 1 : arguments.size() >= 2;
        if (!fits)
            return wrong(fmt::format("{} takes {}, got {}", name,
                                     function->arguments == 1 ? "one number" : "two numbers or more",
                                     arguments.size()));
        return applied(function->operation, std::move(arguments));
    }
    [[nodiscard]] Error unknown_function(const std::string& name) const {
        std::vector<std::string> known;
        for (const Function& function : functions) known.emplace_back(function.name);
        return wrong(fmt::format("unknown function '{}'{}", printable(name), suggestion(name, known)));
    }

    std::string_view text_;
    const std::string& place_;
    std::size_t at_ = 0;
    int depth_ = 0;
    std::vector<std::string>* names_ = nullptr;
};

FormulaValue evaluate(const Node& node, const Formula::Lookup& lookup) {
    if (!node.name.empty()) {
        const auto found = lookup(node.name);
        return found ? finite(*found) : FormulaValue{};
    }
    if (node.operation == nullptr) return {node.number, ""};
    FormulaValue value = evaluate(*node.parts[0], lookup);
    if (!value.number) return value;
    if (node.parts.size() == 1) return node.operation(*value.number, 0);
    for (std::size_t i = 1; i < node.parts.size(); ++i) {
        const FormulaValue next = evaluate(*node.parts[i], lookup);
        if (!next.number) return next;
        value = node.operation(*value.number, *next.number);
        if (!value.number) return value;
    }
    return value;
}

}  // namespace

Result<Formula> Formula::parse(std::string_view text, const std::string& place) {
    Formula formula;
    formula.text_ = std::string(text);
    PLIMSOLL_ASSIGN(root, Parser(formula.text_, place).parse(formula.names_));
    formula.root_ = std::move(root);
    return formula;
}

FormulaValue Formula::value(const Lookup& lookup) const { return evaluate(*root_, lookup); }

Result<double> constant_value(std::string_view text, const std::string& place) {
    PLIMSOLL_ASSIGN(formula, Formula::parse(text, place));
    if (!formula.names().empty())
        return bad_input(place, fmt::format("'{}': must be a number or arithmetic of numbers; {} is a name",
                                            printable(text), formula.names().front()));
    const auto value = formula.value([](const std::string&) { return std::nullopt; });
    if (!value.number) return bad_input(place, fmt::format("'{}': {}", printable(text), value.reason));
    return *value.number;
}

}  // namespace plimsoll::report
