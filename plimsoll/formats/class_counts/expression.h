#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "plimsoll/base/result.h"

// Arithmetic of a table of counts, as Python writes and computes it: "num_hidden_layers*(4*hidden_size**2)".
namespace plimsoll::formats {

// A number as Python has them; a whole one has 128 bits.
struct ExpressionValue {
    __extension__ using Whole = __int128;

    bool is_real = false;
    Whole whole = 0;
    double real = 0;

    static ExpressionValue of(Whole value) { return {false, value, 0}; }
    static ExpressionValue of_real(double value) { return {true, 0, value}; }
    // Its nearest double.
    [[nodiscard]] double as_real() const { return is_real ? real : static_cast<double>(whole); }
};

// What the names of an expression stand for.
struct ExpressionNames {
    // The number of a key, or nothing where it has none.
    std::function<std::optional<ExpressionValue>(std::string_view key)> number;
    // How many entries of a list of words are among `words` ("full_attention|sliding_attention"), or nothing.
    std::function<std::optional<std::int64_t>(std::string_view key, std::string_view words)> entries;
};

// The value of an expression: sums, products, // % / **, int, ceil, floor, round, max, min and
// count(key,word|word). Names without a number, a division by zero and numbers beyond 128 bits are errors.
Result<ExpressionValue> evaluate_expression(std::string_view text, const ExpressionNames& names);

// Whether a comparison ("num_experts > 0", one of == != < <= > >= between two expressions) is true.
Result<bool> evaluate_comparison(std::string_view text, const ExpressionNames& names);

}  // namespace plimsoll::formats
