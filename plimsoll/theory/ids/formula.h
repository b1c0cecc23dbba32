#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"
#include "plimsoll/theory/ids/status.h"
#include "plimsoll/theory/numbers/ball.h"

// Every claim of the papers and of our repairs by id, as something that can be listed, evaluated and checked.
namespace plimsoll::theory {

enum class InputKind { integer, decimal, word, pairs };

// One named input of a formula and what it may be.
struct InputRule {
    std::string name;
    InputKind kind = InputKind::integer;
    Integer low = 1;
    Integer high = 1;                // both ends included; for decimals only the sign of `low` counts
    std::vector<std::string> words;  // the choices of a word
    bool optional = false;
};

// Validated inputs by name.
class Inputs {
  public:
    [[nodiscard]] bool has(const std::string& name) const { return values_.contains(name); }
    [[nodiscard]] const Integer& integer(const std::string& name) const;
    [[nodiscard]] std::int64_t small(const std::string& name) const { return integer(name).to_int64(); }
    [[nodiscard]] Rational rational(const std::string& name) const;
    [[nodiscard]] const std::string& word(const std::string& name) const;
    [[nodiscard]] const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs(
        const std::string& name) const;

    using Value =
        std::variant<Integer, Rational, std::string, std::vector<std::pair<std::int64_t, std::int64_t>>>;
    void set(const std::string& name, Value value) { values_.insert_or_assign(name, std::move(value)); }

  private:
    [[nodiscard]] const Value& at(const std::string& name) const;
    std::map<std::string, Value> values_;
};

// No such number: the question has an answer and the answer is "none".
struct None {};

// What a formula evaluates to; a Real can be had to any number of digits.
using Value = std::variant<None, bool, std::string, Integer, Rational, Real, std::vector<Integer>>;

struct Formula {
    std::string id;
    std::string function;                       // name in the vectors files
    std::string summary;                        // one line for people
    std::string source;                         // "Levine 2020, Thm 3"
    Standing standing = Standing::conjectured;  // of the status table (status.h), filled in by all_formulas()
    std::string erratum;                        // "E1", or empty
    std::string page;                           // docs/bounds/<page>.md
    std::vector<InputRule> inputs;
    // Empty for a statement that is not a number. Returns an error for inputs outside the formula's domain.
    std::function<Result<Value>(const Inputs&)> evaluate;
    // log_3 of an exact value without writing it out; empty when evaluate is cheap or not exact.
    std::function<Result<Real>(const Inputs&)> log3;

    [[nodiscard]] bool is_number() const { return static_cast<bool>(evaluate); }
};

// All formulas in the order of SPEC.md; every exact one has a twin ID-LOG3.
const std::vector<Formula>& all_formulas();

// The formula with this id, or a not_found error with near misses.
Result<const Formula*> find_formula(std::string_view id);

// Inputs from JSON values or texts by name: unknown, missing and out-of-range names are errors that say what
// is allowed.
Result<Inputs> read_inputs(const Formula& formula, const std::map<std::string, Json>& given);

// Evaluates; refuses an exact value of more than ten million digits and points to its logarithm.
Result<Value> evaluate(const Formula& formula, const Inputs& inputs);

}  // namespace plimsoll::theory
