#include "plimsoll/cli/usage/completion.h"

#include <algorithm>
#include <array>
#include <set>

#include <CLI/CLI.hpp>

#include "plimsoll/arch/spec.h"
#include "plimsoll/audit/models/zoo.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/run_flags.h"
#include "plimsoll/cli/usage/option_facts.h"
#include "plimsoll/cli/usage/topics.h"
#include "plimsoll/store/run_table.h"
#include "plimsoll/theory/ids/formula.h"

namespace plimsoll::cli {
namespace {

using Words = std::vector<std::string>;

void append(Words& to, Words more) {
    to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

Words zoo_words() {
    Words names;
    for (const auto& row : audit::zoo()) names.push_back(audit::zoo_argument(row));
    return names;
}

Words run_words() {
    const auto ids = store::run_ids(runs_folder(""));
    return ids.ok() ? *ids : Words{};
}

Words claim_ids() {
    Words ids;
    for (const auto& formula : theory::all_formulas()) ids.emplace_back(formula.id);
    return ids;
}

// "transformer:" for every family, or the keys that "transformer:depth=12," still lacks.
Words spec_starts(const std::string& word) {
    Words all;
    const auto colon = word.find(':');
    const auto comma = word.rfind(',');
    const auto written = word.substr(0, (comma == std::string::npos ? colon : comma) + 1);
    for (const auto& family : arch::families()) {
        if (colon == std::string::npos) all.push_back(std::string(family.name) + ":");
        if (colon == std::string::npos || word.substr(0, colon) != family.name) continue;
        for (const auto& key : family.keys)
            if (word.find(std::string(key.name) + "=") == std::string::npos)
                all.push_back(written + std::string(key.name) + "=");
    }
    return all;
}

Words model_names(const std::string& word) {
    Words all = spec_starts(word);
    if (word.find(':') != std::string::npos) return all;
    append(all, zoo_words());
    append(all, run_words());
    return all;
}

Words help_words(const CLI::App& app) {
    Words all;
    for (const auto* verb : app.get_subcommands({}))
        if (!verb->get_group().empty()) all.push_back(verb->get_name());
    for (const Topic& topic : topics()) all.emplace_back(topic.name);
    return all;
}

bool is_one_of(const std::string& word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

// What an argument of the verb may be.
Words argument_words(const CLI::App& app, const std::string& verb, const std::string& word) {
    if (is_one_of(verb, {"audit", "count", "rank", "spectra", "cka"})) return model_names(word);
    if (verb == "bounds") {
        Words all = model_names(word);
        append(all, claim_ids());
        return all;
    }
    if (verb == "zoo") return zoo_words();
    if (is_one_of(verb, {"eval", "sample", "export", "show", "diff"})) return run_words();
    if (verb == "help") return help_words(app);
    if (verb == "completion") return {"bash", "zsh", "fish"};
    return {};
}

// What may stand behind a flag: the choices of a validator, or what its name means.
Words flag_values(const std::string& flag, const CLI::Option& option) {
    const std::string type = option.get_type_name();
    if (flag == "--claim") return claim_ids();
    if (flag == "--run") return run_words();
    if (flag == "--device") return {"cpu", "cuda"};
    if (flag == "--color") return {"auto", "always", "never"};
    const auto open = type.find('{'), close = type.find('}');
    if (open == std::string::npos || close == std::string::npos) return {};
    return split(type.substr(open + 1, close - open - 1), ',');
}

const CLI::Option* flag_with_value(const CLI::App& verb, const std::string& word) {
    const auto* option = word.starts_with('-') ? verb.get_option_no_throw(word) : nullptr;
    return option != nullptr && option->get_items_expected_max() > 0 ? option : nullptr;
}

Words flag_words(const CLI::App& verb) {
    Words all;
    for (const auto& option : options_of(verb))
        for (const auto& flag : option.flags)
            if (flag.starts_with("--")) all.push_back(flag);
    return all;
}

Words part_words(const CLI::App& verb) {
    Words names;
    for (const auto* part : verb.get_subcommands({}))
        if (!part->get_group().empty()) names.push_back(part->get_name());
    return names;
}

Words beginning_with(const Words& all, const std::string& word) {
    std::set<std::string> found;
    for (const auto& one : all)
        if (one.starts_with(word)) found.insert(one);
    return {found.begin(), found.end()};
}

}  // namespace

std::vector<std::string> completions(const CLI::App& app, const std::vector<std::string>& words) {
    const CLI::App* verb = &app;
    const CLI::Option* waiting = nullptr;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        waiting = waiting != nullptr ? nullptr : flag_with_value(*verb, words[i]);
        const auto inner = verb->get_subcommands({});
        const auto part = std::ranges::find(inner, words[i], [](const auto* one) { return one->get_name(); });
        if (part != inner.end()) verb = *part;
    }
    const std::string word = words.empty() ? "" : words.back();
    if (waiting != nullptr) return beginning_with(flag_values(words[words.size() - 2], *waiting), word);
    if (word.starts_with('-')) return beginning_with(flag_words(*verb), word);
    const Words inner = part_words(*verb);
    return beginning_with(inner.empty() ? argument_words(app, verb->get_name(), word) : inner, word);
}

}  // namespace plimsoll::cli
