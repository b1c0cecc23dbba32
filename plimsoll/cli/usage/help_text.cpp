#include "plimsoll/cli/usage/help_text.h"

#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/session.h"
#include "plimsoll/cli/usage/option_facts.h"
#include "plimsoll/cli/wrap.h"

namespace plimsoll::cli {
namespace {

constexpr std::size_t indent = 2, widest_name = 22, gap = 2;

struct Entry {
    std::string name, meaning;
};

struct Section {
    std::string heading;
    std::vector<Entry> entries;
};

// The name, and its meaning beside it, or below it where the name is long.
std::string entry_text(const Entry& entry, std::size_t column, std::size_t columns) {
    const std::string name = std::string(indent, ' ') + entry.name;
    const std::string meaning = wrapped(entry.meaning, column, column, columns);
    if (name.size() + gap > column) return name + "\n" + meaning;
    return name + meaning.substr(name.size());
}

Section& section_named(std::vector<Section>& sections, const std::string& heading) {
    const auto found = std::ranges::find(sections, heading, &Section::heading);
    if (found != sections.end()) return *found;
    return sections.emplace_back(Section{heading, {}});
}

std::string heading_of(const OptionFacts& option) {
    if (option.argument) return "Arguments";
    return option.group == "Options" ? "Flags" : option.group;
}

std::vector<Section> sections_of(const CLI::App& verb) {
    std::vector<Section> sections;
    for (const auto* part : verb.get_subcommands({}))
        if (!part->get_group().empty())
            section_named(sections, verb.get_parent() == nullptr ? "Verbs" : "Parts")
                .entries.push_back({part->get_name(), part->get_description()});
    for (const auto& option : options_of(verb)) {
        const std::string value = option.value.empty() ? "" : " " + option.value;
        section_named(sections, heading_of(option)).entries.push_back({option.names + value, option.meaning});
    }
    std::ranges::stable_partition(sections, [](const Section& one) { return one.heading != session_group; });
    return sections;
}

std::size_t column_of(const std::vector<Section>& sections) {
    std::size_t longest = 0;
    for (const auto& section : sections)
        for (const auto& entry : section.entries)
            if (entry.name.size() <= widest_name) longest = std::max(longest, entry.name.size());
    return indent + longest + gap;
}

// A footer is paragraphs; a line that begins with a space stands as it is.
std::string footer_text(const std::string& footer, std::size_t columns) {
    std::string out;
    for (const auto& line : split(footer, '\n'))
        out += line.starts_with(' ') ? line + "\n" : wrapped(line, 0, 0, columns);
    return out;
}

class HelpLayout final : public CLI::FormatterBase {
  public:
    std::string make_help(const CLI::App* verb, std::string, CLI::AppFormatMode) const override {
        return help_text(*verb, text_columns());
    }
};

void set_layout(CLI::App& app, const std::shared_ptr<HelpLayout>& layout) {
    app.formatter(layout);
    for (CLI::App* part : app.get_subcommands({})) set_layout(*part, layout);
}

}  // namespace

std::string usage_line(const CLI::App& verb) {
    std::string line = full_name(verb);
    const bool parts = !verb.get_subcommands([](const CLI::App*) { return true; }).empty();
    if (parts) line += verb.get_parent() == nullptr ? " VERB" : " PART";
    for (const auto& option : options_of(verb)) {
        if (!option.argument) continue;
        const std::string name = option.names + (option.many ? "..." : "");
        line += option.required ? " " + name : " [" + name + "]";
    }
    return line + " [flags]";
}

std::string help_text(const CLI::App& verb, std::size_t columns) {
    std::string out = wrapped(usage_line(verb), 0, 4, columns);
    if (!verb.get_description().empty()) out += "\n" + wrapped(verb.get_description(), 0, 0, columns);
    const auto sections = sections_of(verb);
    const std::size_t column = column_of(sections);
    for (const auto& section : sections) {
        out += "\n" + section.heading + ":\n";
        for (const auto& entry : section.entries) out += entry_text(entry, column, columns);
    }
    if (!verb.get_footer().empty()) out += "\n" + footer_text(verb.get_footer(), columns);
    return out;
}

void use_help_text(CLI::App& app) { set_layout(app, std::make_shared<HelpLayout>()); }

}  // namespace plimsoll::cli
