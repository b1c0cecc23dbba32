#include "plimsoll/lab/sweep/condition.h"

#include "plimsoll/lab/sweep/setting.h"

namespace plimsoll::lab {

Result<Condition> read_condition(std::string_view text, std::span<const std::string> keys,
                                 const std::string& place) {
    ConditionWords words{keys};
    words.example = "model.depth <= 12";
    words.must_be_key = [](const std::string& word) {
        const auto dot = word.find('.');
        return dot != std::string::npos && is_run_section(word.substr(0, dot));
    };
    words.hint = [keys](const std::string& word) { return key_hint(word, keys); };
    return plimsoll::read_condition(text, words, place);
}

}  // namespace plimsoll::lab
