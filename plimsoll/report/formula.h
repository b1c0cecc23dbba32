#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"

namespace plimsoll::report {

// What a formula came to: a finite number, nothing because a name had no value, or nothing because the
// arithmetic has no answer, with the reason ("division by zero").
struct FormulaValue {
    std::optional<double> number;
    std::string reason;  // empty when there is a number, or a name had none
};

// An arithmetic expression over named numbers: + - * / ^ ( ), log2 log3 log10 ln exp sqrt min max, numbers as
// 12, 1e-3 and 64K. The power binds to the right and before a sign: -2 ^ 2 is -4.
class Formula {
  public:
    // Gives the value of a name, nothing when it has none.
    using Lookup = std::function<std::optional<double>(const std::string& name)>;

    static Result<Formula> parse(std::string_view text, const std::string& place);

    // The names it uses, each once, in order of appearance.
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    [[nodiscard]] FormulaValue value(const Lookup& lookup) const;
    [[nodiscard]] const std::string& text() const { return text_; }

    struct Node;

  private:
    std::string text_;
    std::vector<std::string> names_;
    std::shared_ptr<const Node> root_;
};

// The value of a formula without names, such as 2 * log2(64); anything else is an error at `place`.
Result<double> constant_value(std::string_view text, const std::string& place);

}  // namespace plimsoll::report
