#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace plimsoll::cli {

// A flag or an argument of a verb as --help, the manual page and the completions show it.
struct OptionFacts {
    std::string names;               // "--params", "-h, --help"; of an argument its name in capitals
    std::vector<std::string> flags;  // each with its hyphens; empty for an argument
    std::string value;               // what follows the flag: "TEXT"; empty where nothing does
    std::string meaning;             // with the default and what it goes with
    std::string group;               // the heading it stands under
    bool argument = false, required = false, many = false;
};

OptionFacts option_facts(const CLI::Option& option);

// Every argument, then every flag of `verb`, in the order of their making; hidden ones are left out.
std::vector<OptionFacts> options_of(const CLI::App& verb);

// "plimsoll data info": the program and the verbs down to this one.
std::string full_name(const CLI::App& verb);

}  // namespace plimsoll::cli
