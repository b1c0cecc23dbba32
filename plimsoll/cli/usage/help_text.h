#pragma once

#include <string>

namespace CLI {
class App;
}

namespace plimsoll::cli {

// What `--help` of a verb shows, in lines of at most `columns`.
std::string help_text(const CLI::App& verb, std::size_t columns);

// "plimsoll fit [DATA...] [flags]".
std::string usage_line(const CLI::App& verb);

// Lets `app` and every verb below it answer --help so, as wide as the terminal.
void use_help_text(CLI::App& app);

}  // namespace plimsoll::cli
