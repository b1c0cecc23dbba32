#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/usage/help_text.h"
#include "plimsoll/cli/usage/man_page.h"
#include "plimsoll/cli/usage/topics.h"
#include "plimsoll/cli/wrap.h"

namespace plimsoll::cli {
namespace {

std::string topic_text(const Topic& topic) {
    std::string out;
    for (const auto& line : split(trim(topic.text), '\n'))
        out += line.empty() || line.starts_with(' ') ? line + "\n" : wrapped(line, 0, 0);
    return topic.text.starts_with("\n ") ? "  " + out : out;
}

std::vector<std::string> help_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const auto* verb : app.get_subcommands({}))
        if (!verb->get_group().empty()) names.push_back(verb->get_name());
    for (const Topic& topic : topics()) names.emplace_back(topic.name);
    return names;
}

Result<int> help_verb(const CLI::App& app, const std::vector<std::string>& words) {
    const CLI::App* verb = &app;
    for (const auto& word : words) {
        const auto parts = verb->get_subcommands({});
        const auto part = std::ranges::find(parts, word, [](const auto* one) { return one->get_name(); });
        if (part == parts.end()) {
            std::vector<std::string> names;
            for (const auto* one : parts) names.push_back(one->get_name());
            if (verb == &app) names = help_names(app);
            return not_found("help", "no verb or topic '" + word + "'" + suggestion(word, names));
        }
        verb = *part;
    }
    fmt::print("{}", help_text(*verb, text_columns()));
    return 0;
}

int list_topics(const CLI::App& app) {
    fmt::print("{}\nTopics of plimsoll help:\n", help_text(app, text_columns()));
    for (const Topic& topic : topics()) fmt::print("  {:<13} {}\n", topic.name, topic.about);
    return 0;
}

Result<int> run_help(const CLI::App& app, const std::vector<std::string>& words) {
    if (words.empty()) return list_topics(app);
    const auto topic = std::ranges::find(topics(), words.front(), &Topic::name);
    if (topic == topics().end()) return help_verb(app, words);
    fmt::print("{}", topic_text(*topic));
    return 0;
}

Result<int> run_man(const CLI::App& app, const std::string& folder) {
    PLIMSOLL_RETURN_IF_ERROR(write_man_pages(app, folder));
    return 0;
}

}  // namespace

void add_help(CLI::App& app, Action& action) {
    auto words = std::make_shared<std::vector<std::string>>();
    auto man = std::make_shared<std::string>();
    auto* verb = app.add_subcommand("help", "a verb, or a topic: names, specs, numbers, words, ...");
    verb->add_option("topic", *words, "a verb with its part, as data info, or a topic")->expected(0, -1);
    verb->add_option("--man", *man, "write the manual pages of all verbs to this folder");
    verb->callback([&action, words, man, &app] {
        action = [words, man, &app] {
            return exit_code_of(man->empty() ? run_help(app, *words) : run_man(app, *man));
        };
    });
}

void add_version(CLI::App& app, Action& action) {
    auto* verb = app.add_subcommand("version", "the version, as --version");
    verb->callback([&action, &app] {
        action = [&app] { return fmt::print("{} {}\n", app.get_name(), PLIMSOLL_VERSION), 0; };
    });
}

}  // namespace plimsoll::cli
