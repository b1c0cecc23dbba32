#include "plimsoll/cli/usage/usage_errors.h"

#include <algorithm>
#include <vector>

#include <CLI/CLI.hpp>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/usage/help_text.h"
#include "plimsoll/cli/usage/option_facts.h"

namespace plimsoll::cli {
namespace {

// The verb, or part of a verb, that the words named last.
const CLI::App& chosen(const CLI::App& app) {
    const auto parts = app.get_subcommands();
    return parts.empty() ? app : chosen(*parts.back());
}

std::vector<std::string> part_names(const CLI::App& verb) {
    std::vector<std::string> names;
    for (const auto* part : verb.get_subcommands({}))
        if (!part->get_group().empty()) names.push_back(part->get_name());
    return names;
}

std::vector<std::string> flag_names(const CLI::App& verb) {
    std::vector<std::string> names;
    for (const auto* option : verb.get_options())
        for (const auto& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

// A flag that belongs to another part or verb is named with it: "plimsoll runs list has it".
std::string who_has(const CLI::App& app, const std::string& flag) {
    std::vector<std::string> owners;
    for (const auto* part : app.get_subcommands({})) {
        if (part->get_group().empty()) continue;
        const auto flags = flag_names(*part);
        if (std::ranges::find(flags, flag) != flags.end()) owners.push_back(full_name(*part));
    }
    constexpr std::size_t most = 3;
    if (owners.empty() || owners.size() > most) return "";
    return fmt::format(" ({} {} it)", join(owners, " and "), owners.size() == 1 ? "has" : "have");
}

const CLI::App& root_of(const CLI::App& verb) {
    return verb.get_parent() == nullptr ? verb : root_of(*verb.get_parent());
}

Error unknown_flag(const CLI::App& verb, const std::string& word) {
    const std::string flag = word.substr(0, word.find('='));
    const auto near = near_misses(flag, flag_names(verb));
    const std::string hint = near.empty() ? who_has(root_of(verb), flag) : suggestion(flag, near);
    return bad_input(flag,
                     fmt::format("is no flag of {}{}{}", full_name(verb), hint,
                                 hint.empty() ? fmt::format("; {} --help lists them", full_name(verb)) : ""));
}

Error missing_part(const CLI::App& verb) {
    const auto words = verb.remaining();
    const std::string where = verb.get_parent() == nullptr ? "verb" : verb.get_name();
    const std::string word = words.empty() ? "" : words.front();
    if (word.starts_with('-') && word.size() > 1) return unknown_flag(verb, word);
    const auto names = part_names(verb);
    return bad_input(where, (word.empty() ? "missing" : "unknown '" + word + "'") + suggestion(word, names));
}

Error unexpected_word(const CLI::App& verb) {
    auto words = verb.remaining();
    if (words.empty()) words = root_of(verb).remaining();  // it stands before the verb
    const auto flag =
        std::ranges::find_if(words, [](const auto& word) { return word.size() > 1 && word[0] == '-'; });
    if (flag != words.end()) return unknown_flag(verb, *flag);
    const std::string word = words.empty() ? "" : words.front();
    return bad_input(verb.get_name(), fmt::format("'{}' is one word too many: {}", word, usage_line(verb)));
}

bool has_unknown_flag(const CLI::App& verb) {
    return std::ranges::any_of(verb.remaining(),
                               [](const auto& word) { return word.size() > 1 && word[0] == '-'; });
}

// The option of that name that a value was given to: the verb's own, or one before the verb.
const CLI::Option* given_option(const CLI::App& verb, const std::string& name) {
    const CLI::Option* found = nullptr;
    for (const CLI::App* app = &verb; app != nullptr; app = app->get_parent()) {
        const auto* option = app->get_option_no_throw(name);
        if (option != nullptr && !option->results().empty()) return option;
        if (found == nullptr) found = option;
    }
    return found;
}

Error missing_option(const CLI::App& verb, const std::string& what) {
    if (has_unknown_flag(verb)) return unexpected_word(verb);
    for (const auto* option : verb.get_options()) {
        if (!option->get_required() || option->count() > 0) continue;
        const auto facts = option_facts(*option);
        const std::string where = facts.argument ? option->get_name() : facts.flags.back();
        return bad_input(where, fmt::format("missing: {}", facts.meaning));
    }
    return bad_input("", what);
}

// "Could not convert: --steps = abc" as "--steps: must be a number, got 'abc'".
Error wrong_value(const CLI::App& verb, const std::string& what) {
    constexpr std::string_view before = "Could not convert: ", between = " = ";
    const auto equals = what.find(between);
    if (!what.starts_with(before) || equals == std::string::npos) return bad_input("", what);
    const std::string name = what.substr(before.size(), equals - before.size());
    const auto* option = verb.get_option_no_throw(name);
    const bool number = option != nullptr && option_facts(*option).value == "NUMBER";
    return bad_input(name, fmt::format("must be a {}, got '{}'", number ? "number" : "value of its kind",
                                       what.substr(equals + between.size())));
}

// "--workers: Value 0 not in range 1 to 10000" as "--workers: must be 1 to 10000, got 0"; a choice is
// compared with its members.
Error refused_value(const CLI::App& verb, const std::string& what) {
    const auto colon = what.find(": ");
    const std::string name = what.substr(0, colon);
    const auto* option = given_option(verb, name);
    if (colon == std::string::npos || option == nullptr) return bad_input("", what);
    const std::string got = option->results().empty() ? "" : option->results().back();
    if (const auto range = what.find("not in range "); range != std::string::npos)
        return bad_input(name, fmt::format("must be {}, got {}", what.substr(range + 13), got));
    const auto open = what.find("{"), close = what.find("}");
    if (open == std::string::npos || close == std::string::npos)
        return bad_input(name, what.substr(colon + 2));
    const auto members = split(what.substr(open + 1, close - open - 1), ',');
    return bad_input(name, "unknown '" + got + "'" + suggestion(got, members));
}

// "--step: 1 required INT missing" and its kin: CLI11 has no fields for what is wrong.
Error wrong_number_of_values(const std::string& what) {
    const auto colon = what.find(": ");
    const std::string name = what.substr(0, colon);
    if (what.find("required") != std::string::npos && name.starts_with('-'))
        return bad_input(name, "needs a value behind it");
    return bad_input("", what);
}

// "--json excludes --csv" as "--json: not together with --csv".
Error two_flags(const std::string& what, const std::string& between, const std::string& instead) {
    const auto at = what.find(between);
    if (at == std::string::npos) return bad_input("", what);
    return bad_input(what.substr(0, at), instead + what.substr(at + between.size()));
}

}  // namespace

Error usage_error(const CLI::App& app, const CLI::ParseError& problem) {
    const CLI::App& verb = chosen(app);
    const std::string what = problem.what();
    const bool wants_part = verb.get_subcommands().empty() && !part_names(verb).empty();
    switch (static_cast<CLI::ExitCodes>(problem.get_exit_code())) {
        case CLI::ExitCodes::RequiredError:
            return wants_part ? missing_part(verb) : missing_option(verb, what);
        case CLI::ExitCodes::ExtrasError:
            return wants_part ? missing_part(verb) : unexpected_word(verb);
        case CLI::ExitCodes::ConversionError:
            return wrong_value(verb, what);
        case CLI::ExitCodes::ValidationError:
            return refused_value(verb, what);
        case CLI::ExitCodes::ArgumentMismatch:
            return wrong_number_of_values(what);
        case CLI::ExitCodes::ExcludesError:
            return two_flags(what, " excludes ", "not together with ");
        case CLI::ExitCodes::RequiresError:
            return two_flags(what, " requires ", "needs ");
        default:
            return bad_input("", what);
    }
}

}  // namespace plimsoll::cli
