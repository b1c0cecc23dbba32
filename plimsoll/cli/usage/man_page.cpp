#include "plimsoll/cli/usage/man_page.h"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/session.h"
#include "plimsoll/cli/usage/help_text.h"
#include "plimsoll/cli/usage/option_facts.h"
#include "plimsoll/cli/usage/topics.h"

namespace plimsoll::cli {
namespace {

// Text as roff takes it: no line begins with a control character, hyphens stay hyphens.
std::string roff(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\') {
            out += "\\(rs";
        } else if (c == '-') {
            out += "\\-";
        } else {
            if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
            out += c;
        }
    }
    return out;
}

std::string capital_name(const CLI::App& verb) {
    std::string name = full_name(verb);
    for (char& c : name) c = c == ' ' ? '-' : (c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c);
    return name;
}

std::string page_name(const CLI::App& verb) {
    std::string name = full_name(verb);
    std::ranges::replace(name, ' ', '-');
    return name;
}

std::string option_entry(const OptionFacts& option) {
    const std::string value = option.value.empty() ? "" : " \\fI" + roff(option.value) + "\\fR";
    return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(option.names), value, roff(option.meaning));
}

std::string options_text(const CLI::App& verb, bool arguments) {
    std::string out;
    for (const auto& option : options_of(verb))
        if (option.argument == arguments) out += option_entry(option);
    return out;
}

// Lines as they stand.
std::string verbatim(std::string_view text) { return fmt::format(".nf\n{}\n.fi\n", roff(trim(text))); }

std::string parts_text(const CLI::App& verb) {
    std::string out;
    for (const auto* part : verb.get_subcommands({})) {
        if (part->get_group().empty()) continue;
        out += fmt::format(".SS {}\n{}\n.PP\n\\fB{}\\fR\n", roff(part->get_name()),
                           roff(part->get_description()), roff(usage_line(*part)));
        out += options_text(*part, true) + options_text(*part, false);
    }
    return out;
}

std::string section(const std::string& heading, const std::string& text) {
    return text.empty() ? "" : fmt::format(".SH {}\n{}", heading, text);
}

std::string verbs_text(const CLI::App& app) {
    std::string out;
    for (const auto* verb : app.get_subcommands({}))
        if (!verb->get_group().empty())
            out += fmt::format(".TP\n\\fBplimsoll\\-{}\\fR(1)\n{}\n", roff(verb->get_name()),
                               roff(verb->get_description()));
    return out;
}

std::string topic_text_of(std::string_view name) {
    const auto topic = std::ranges::find(topics(), name, &Topic::name);
    return topic == topics().end() ? "" : verbatim(topic->text);
}

}  // namespace

std::string man_page(const CLI::App& verb) {
    const bool program = verb.get_parent() == nullptr;
    std::string out = fmt::format(".TH {} 1 \"\" \"plimsoll {}\" \"User Commands\"\n.ad l\n.nh\n",
                                  roff(capital_name(verb)), PLIMSOLL_VERSION);
    out += section("NAME", fmt::format("{} \\- {}\n", roff(page_name(verb)), roff(verb.get_description())));
    out += section("SYNOPSIS", fmt::format("\\fB{}\\fR\n", roff(usage_line(verb))));
    if (program) out += section("DESCRIPTION", verbatim(first_steps())) + section("VERBS", verbs_text(verb));
    if (!program) out += section("ARGUMENTS", options_text(verb, true)) + section("PARTS", parts_text(verb));
    out += section("OPTIONS", options_text(verb, false));
    if (!program && !verb.get_footer().empty()) out += section("NOTES", roff(verb.get_footer()) + "\n");
    if (program) out += section("NAMES", topic_text_of("names"));
    out += section("ENVIRONMENT", program ? topic_text_of("environment") : "");
    out += section("EXIT STATUS", topic_text_of("exit-codes"));
    return out + section("SEE ALSO", program ? "\\fBplimsoll help\\fR\n" : "\\fBplimsoll\\fR(1)\n");
}

Status write_man_pages(const CLI::App& app, const std::filesystem::path& folder) {
    PLIMSOLL_RETURN_IF_ERROR(atomic_write(folder / "plimsoll.1", man_page(app)));
    for (const auto* verb : app.get_subcommands({}))
        if (!verb->get_group().empty())
            PLIMSOLL_RETURN_IF_ERROR(atomic_write(folder / (page_name(*verb) + ".1"), man_page(*verb)));
    return {};
}

}  // namespace plimsoll::cli
