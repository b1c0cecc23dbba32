#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

// Takes what a verb says, in the place of the terminal (answer.h).
struct Capture {
    std::optional<Json> document;    // of --json
    std::optional<Error> error;      // the first
    std::vector<std::string> notes;  // what was assumed
};

// What holds for the whole program because the command line says so; set before the verb runs.
struct Session {
    Capture* capture = nullptr;      // null: the terminal
    std::vector<std::string> words;  // of the command line, behind the program's name
    std::string colour = "auto";     // auto, always or never
    bool quiet = false;              // results and errors alone: no progress, no notes
    bool verbose = false;            // progress at once, and where stderr is no terminal
};

// The session of this thread; a program has one.
Session& session();

// Begins the session of a program that was called with these words; the capture stays.
void begin_session(int argc, const char* const* argv);

// True when the command line asks for JSON: an error is then a JSON document on stdout as well.
bool json_wanted();

// Gives `app` and every verb below it the flags that mean the same everywhere: --color, --quiet, --verbose.
void add_session_flags(CLI::App& app);

// The heading of those flags in --help.
inline constexpr const char* session_group = "Everywhere";

}  // namespace plimsoll::cli
