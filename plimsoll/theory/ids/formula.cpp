#include "plimsoll/theory/ids/formula.h"

#include <algorithm>

#include "plimsoll/base/check.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/theory/ids/formula_tables.h"

namespace plimsoll::theory {
namespace {

std::string suffix() { return "-LOG3"; }

// The derived formula ID-LOG3 of an exact one.
Formula log3_twin(const Formula& exact) {
    Formula twin = exact;
    twin.id += suffix();
    twin.function += "_log3";
    twin.summary = "log3 of " + exact.id;
    twin.log3 = nullptr;
    if (exact.log3) {
        twin.evaluate = [log3 = exact.log3](const Inputs& inputs) -> Result<Value> {
            PLIMSOLL_ASSIGN(real, log3(inputs));
            return Value(real);
        };
        return twin;
    }
    twin.evaluate = [compute = exact.evaluate, id = exact.id](const Inputs& inputs) -> Result<Value> {
        PLIMSOLL_ASSIGN(value, compute(inputs));
        const auto* whole = std::get_if<Integer>(&value);
        const Rational number = whole != nullptr ? Rational(*whole) : std::get<Rational>(value);
        if (number <= 0) return bad_input(id, "is not positive here, so that it has no logarithm");
        return Value(Real([number](int bits) { return theory::log3(Ball(number, bits)); }));
    };
    return twin;
}

bool is_exact(const Formula& formula) { return formula.log3 != nullptr; }

std::vector<Formula> assembled() {
    std::vector<Formula> all;
    for (const auto& table :
         {separation_formulas(), levine_formulas(), repaired_formulas(), wies_formulas(), navon_formulas(),
          hayase_formulas(), capacity_formulas(), attainment_formulas()}) {
        all.insert(all.end(), table.begin(), table.end());
    }
    std::vector<Formula> with_twins;
    for (const auto& formula : all) {
        with_twins.push_back(formula);
        const bool written =
            std::any_of(all.begin(), all.end(), [&](const auto& f) { return f.id == formula.id + suffix(); });
        if (is_exact(formula) && !written) with_twins.push_back(log3_twin(formula));
    }
    return with_twins;
}

std::string range_text(const InputRule& rule) {
    const std::string high = rule.high.text();
    return fmt::format("an integer from {} to {}", rule.low.text(),
                       high.size() <= 20 ? high : fmt::format("10^{}", high.size() - 1));
}

Result<Integer> read_integer(const InputRule& rule, const Json& given) {
    std::optional<Integer> value;
    if (given.is_number_unsigned() || given.is_number_integer()) value = Integer::from_text(given.dump());
    if (given.is_string()) value = Integer::from_text(given.get_ref<const std::string&>());
    if (!value)
        return bad_input(rule.name, fmt::format("must be {}, got {}", range_text(rule), given.dump()));
    if (*value < rule.low || *value > rule.high) {
        return bad_input(rule.name, fmt::format("must be {}, got {}", range_text(rule), value->text()));
    }
    return *value;
}

Result<Rational> read_decimal(const InputRule& rule, const Json& given) {
    const std::string text = given.is_string() ? given.get<std::string>() : given.dump();
    const auto value = Rational::from_text(text);
    if (!value)
        return bad_input(rule.name,
                         fmt::format("must be a decimal number such as 1.5, got {}", given.dump()));
    if (*value < Rational(rule.low))
        return bad_input(rule.name, fmt::format("must be at least {}, got {}", rule.low.text(), text));
    if (*value == Rational(0) && rule.low > 0) return bad_input(rule.name, "must be positive");
    return *value;
}

Result<std::string> read_word(const InputRule& rule, const Json& given) {
    const std::string word = given.is_string() ? given.get<std::string>() : given.dump();
    if (std::find(rule.words.begin(), rule.words.end(), word) == rule.words.end()) {
        return bad_input(rule.name,
                         fmt::format("'{}' is not a choice{}", word, suggestion(word, rule.words)));
    }
    return word;
}

Result<std::vector<std::pair<std::int64_t, std::int64_t>>> read_pairs(const InputRule& rule,
                                                                      const Json& given) {
    Json list = given;
    if (given.is_string()) {
        PLIMSOLL_ASSIGN(parsed, parse_json(given.get<std::string>(), rule.name));
        list = std::move(parsed);
    }
    const auto wrong = [&] { return bad_input(rule.name, "must be a list of pairs such as [[1,2],[0,3]]"); };
    if (!list.is_array()) return wrong();
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    const auto fits = [](const Json& number) {
        return number.is_number_integer() && Integer::from_text(number.dump())->fits_int64();
    };
    for (const auto& item : list) {
        if (!item.is_array() || item.size() != 2 || !fits(item[0]) || !fits(item[1])) return wrong();
        pairs.emplace_back(item[0].get<std::int64_t>(), item[1].get<std::int64_t>());
    }
    return pairs;
}

Status read_one(const InputRule& rule, const Json& given, Inputs& inputs) {
    switch (rule.kind) {
        case InputKind::integer: {
            PLIMSOLL_ASSIGN(value, read_integer(rule, given));
            inputs.set(rule.name, value);
            return {};
        }
        case InputKind::decimal: {
            PLIMSOLL_ASSIGN(value, read_decimal(rule, given));
            inputs.set(rule.name, value);
            return {};
        }
        case InputKind::word: {
            PLIMSOLL_ASSIGN(value, read_word(rule, given));
            inputs.set(rule.name, value);
            return {};
        }
        case InputKind::pairs: {
            PLIMSOLL_ASSIGN(value, read_pairs(rule, given));
            inputs.set(rule.name, value);
            return {};
        }
    }
    return {};
}

}  // namespace

std::string_view to_text(Standing standing) {
    switch (standing) {
        case Standing::proved:
            return "proved";
        case Standing::refuted:
            return "refuted";
        case Standing::repaired:
            return "repaired";
        case Standing::conjectured:
            return "conjectured";
        case Standing::defined:
            return "defined";
        case Standing::reported:
            return "reported";
    }
    return "";
}

const Inputs::Value& Inputs::at(const std::string& name) const {
    const auto found = values_.find(name);
    PLIMSOLL_CHECK(found != values_.end(), "input " + name + " was not declared");
    return found->second;
}

const Integer& Inputs::integer(const std::string& name) const { return std::get<Integer>(at(name)); }
const std::string& Inputs::word(const std::string& name) const { return std::get<std::string>(at(name)); }
const std::vector<std::pair<std::int64_t, std::int64_t>>& Inputs::pairs(const std::string& name) const {
    return std::get<std::vector<std::pair<std::int64_t, std::int64_t>>>(at(name));
}
Rational Inputs::rational(const std::string& name) const {
    const Value& value = at(name);
    if (const auto* whole = std::get_if<Integer>(&value)) return *whole;
    return std::get<Rational>(value);
}

const std::vector<Formula>& all_formulas() {
    static const std::vector<Formula> formulas = assembled();
    return formulas;
}

Result<const Formula*> find_formula(std::string_view id) {
    const auto& all = all_formulas();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Formula& f) { return f.id == id; });
    if (found != all.end()) return &*found;
    std::vector<std::string> ids;
    for (const auto& formula : all) ids.push_back(formula.id);
    const auto near = near_misses(id, ids);
    const std::string hint =
        near.empty() ? " (plimsoll bounds --list shows all)" : " (did you mean " + join(near, " or ") + "?)";
    return not_found(std::string(id), "no such id" + hint);
}

Result<Inputs> read_inputs(const Formula& formula, const std::map<std::string, Json>& given) {
    std::vector<std::string> names;
    for (const auto& rule : formula.inputs) names.push_back(rule.name);
    for (const auto& [name, value] : given) {
        if (std::find(names.begin(), names.end(), name) != names.end()) continue;
        const std::string allowed = names.empty() ? " (it takes no inputs)" : suggestion(name, names);
        return bad_input(formula.id, fmt::format("unknown input '{}'{}", name, allowed));
    }
    Inputs inputs;
    for (const auto& rule : formula.inputs) {
        const auto found = given.find(rule.name);
        if (found == given.end()) {
            if (rule.optional) continue;
            return bad_input(formula.id,
                             fmt::format("input '{}' is missing (inputs: {})", rule.name, join(names, ", ")));
        }
        PLIMSOLL_RETURN_IF_ERROR(read_one(rule, found->second, inputs));
    }
    return inputs;
}

Result<Value> evaluate(const Formula& formula, const Inputs& inputs) {
    if (!formula.is_number()) {
        return unsupported(formula.id,
                           fmt::format("is a statement, not a number; see docs/bounds/{}.md", formula.page));
    }
    if (formula.log3) {
        PLIMSOLL_ASSIGN(size, formula.log3(inputs));
        PLIMSOLL_RETURN_IF_ERROR(need_writable(formula.id, size(64).middle() * digits_per_trit));
    }
    return formula.evaluate(inputs);
}

}  // namespace plimsoll::theory
