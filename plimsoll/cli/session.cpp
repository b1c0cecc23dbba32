#include "plimsoll/cli/session.h"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "plimsoll/base/progress.h"

namespace plimsoll::cli {
namespace {

void add_flags_to(CLI::App& verb) {
    verb.add_option("--color", session().colour,
                    "auto (on a terminal, unless NO_COLOR is set), always, never")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->type_name("WHEN")
        ->group(session_group);
    verb.add_flag_callback(
            "-q,--quiet", [] { session().quiet = true, set_progress_talk(ProgressTalk::never); },
            "results and errors alone: no progress, no notes")
        ->group(session_group);
    verb.add_flag_callback(
            "-v,--verbose", [] { session().verbose = true, set_progress_talk(ProgressTalk::at_once); },
            "progress at once, also where stderr is no terminal")
        ->group(session_group);
}

}  // namespace

Session& session() {
    static thread_local Session one;
    return one;
}

void begin_session(int argc, const char* const* argv) {
    session() = Session{.capture = session().capture};
    session().words.assign(argv + std::min(argc, 1), argv + argc);
    set_progress_talk(ProgressTalk::usual);
}

bool json_wanted() {
    const auto& words = session().words;
    const auto end = std::ranges::find(words, "--");
    return std::find(words.begin(), end, "--json") != end;
}

void add_session_flags(CLI::App& app) {
    add_flags_to(app);
    for (CLI::App* verb : app.get_subcommands({})) add_session_flags(*verb);
}

}  // namespace plimsoll::cli
