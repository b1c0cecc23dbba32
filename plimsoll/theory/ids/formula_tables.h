#pragma once

#include <vector>

#include "plimsoll/theory/ids/formula.h"

// The tables behind all_formulas(), one per source, without what is known about each (status.h); internal to
// theory.
namespace plimsoll::theory {

std::vector<Formula> separation_formulas();
std::vector<Formula> levine_formulas();
std::vector<Formula> repaired_formulas();
std::vector<Formula> wies_formulas();
std::vector<Formula> navon_formulas();
std::vector<Formula> hayase_formulas();
std::vector<Formula> capacity_formulas();
std::vector<Formula> attainment_formulas();
std::vector<Formula> advice_formulas();

constexpr double digits_per_trit = 0.4771212547196624;  // log10(3)

// A claim that is not a number.
Formula statement(std::string id, std::string summary, std::string source, std::string page,
                  std::string erratum = "");

// A number of ours, id PREFIX-FUNCTION, without its evaluation.
Formula our_formula(const std::string& prefix, const std::string& function, std::string summary,
                    std::string page, std::vector<InputRule> inputs);

// Input rules with the ranges every formula shares: depths to 100,000, sizes to 10^40.
InputRule depth_input(const std::string& name, std::int64_t low = 1);
InputRule size_input(const std::string& name, std::int64_t low = 1);
// A size that sums and products run over, to 2^31.
InputRule count_input(const std::string& name, std::int64_t low = 1);
InputRule decimal_input(const std::string& name);
InputRule word_input(const std::string& name, std::vector<std::string> words);
InputRule pairs_input(const std::string& name);
InputRule optional_input(InputRule rule);

// An evaluation that always succeeds, from a function of the inputs with an exact result.
template <class Function>
std::function<Result<Value>(const Inputs&)> exactly(Function function) {
    return [function](const Inputs& in) -> Result<Value> { return Value(function(in)); };
}

// A real number from a function of the inputs and the working precision.
template <class Function>
Real real_of(Function function, const Inputs& in) {
    return [function, in](int bits) { return function(in, bits); };
}
template <class Function>
std::function<Result<Value>(const Inputs&)> really(Function function) {
    return [function](const Inputs& in) -> Result<Value> { return Value(real_of(function, in)); };
}
// The same as the log3 member of a formula.
template <class Function>
std::function<Result<Real>(const Inputs&)> log3_by(Function function) {
    return [function](const Inputs& in) -> Result<Real> { return real_of(function, in); };
}

// `then` where `check` finds nothing wrong with the inputs.
template <class Check, class Then>
Then guarded(Check check, Then then) {
    return [check, then](const Inputs& in) -> typename Then::result_type {
        PLIMSOLL_RETURN_IF_ERROR(Status(check(in)));
        return then(in);
    };
}

// Wrong when `larger` does not exceed `smaller`; names both.
Status need_greater(const Inputs& in, const std::string& larger, const std::string& smaller);
// Wrong when writing out `id` would take more than ten million digits.
Status need_writable(const std::string& id, double digits);
// Wrong when the difference of the two is odd.
Status need_even_difference(const Inputs& in, const std::string& a, const std::string& b);

}  // namespace plimsoll::theory
