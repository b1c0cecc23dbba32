#include "plimsoll/cli/usage/option_facts.h"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::cli {
namespace {

std::string capitals(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; });
    return text;
}

std::vector<std::string> flags_of(const CLI::Option& option) {
    std::vector<std::string> flags;
    for (const auto& name : option.get_snames()) flags.push_back("-" + name);
    for (const auto& name : option.get_lnames()) flags.push_back("--" + name);
    return flags;
}

// "TEXT" of "TEXT:INT in [1 - 5]"; CLI11 repeats the type in front of what a validator says.
std::string value_of(const CLI::Option& option) {
    if (option.get_items_expected_max() == 0) return "";
    const std::string type = option.get_type_name(), name = type.substr(0, type.find(':'));
    if (name == "INT" || name == "UINT" || name == "FLOAT") return "NUMBER";
    return name;
}

std::string range_of(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    const auto open = type.find(" in ["), close = type.rfind(']');
    if (open == std::string::npos || close == std::string::npos) return "";
    std::string range = type.substr(open + 5, close - open - 5);
    if (const auto hyphen = range.find(" - "); hyphen != std::string::npos) range.replace(hyphen, 3, " to ");
    return range;
}

std::string names_of(const std::set<CLI::Option*>& options) {
    std::vector<std::string> names;
    for (const auto* option : options) names.push_back(option->get_name());
    std::ranges::sort(names);
    return join(names, ", ");
}

std::string meaning_of(const CLI::Option& option) {
    std::string text = option.get_description();
    if (const auto range = range_of(option); !range.empty()) text += "; " + range;
    if (!option.get_needs().empty()) text += "; with " + names_of(option.get_needs());
    if (!option.get_excludes().empty()) text += "; not with " + names_of(option.get_excludes());
    const bool said = text.find("default") != std::string::npos;
    if (!option.get_default_str().empty() && !said)
        text += fmt::format(" (default {})", option.get_default_str());
    return text;
}

}  // namespace

OptionFacts option_facts(const CLI::Option& option) {
    OptionFacts facts;
    facts.argument = option.get_positional();
    facts.flags = facts.argument ? std::vector<std::string>{} : flags_of(option);
    facts.names = facts.argument ? capitals(option.get_name(true, false)) : join(facts.flags, ", ");
    facts.value = facts.argument ? "" : value_of(option);
    facts.meaning = meaning_of(option);
    facts.group = option.get_group();
    facts.required = option.get_required();
    facts.many = option.get_expected_max() >= CLI::detail::expected_max_vector_size;
    return facts;
}

std::vector<OptionFacts> options_of(const CLI::App& verb) {
    std::vector<OptionFacts> arguments, flags;
    for (const auto* option : verb.get_options()) {
        if (option->get_group().empty()) continue;
        auto facts = option_facts(*option);
        (facts.argument ? arguments : flags).push_back(std::move(facts));
    }
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return arguments;
}

std::string full_name(const CLI::App& verb) {
    const auto* parent = verb.get_parent();
    return parent == nullptr ? verb.get_name() : full_name(*parent) + " " + verb.get_name();
}

}  // namespace plimsoll::cli
