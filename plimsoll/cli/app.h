#pragma once

#include "plimsoll/cli/commands.h"

namespace plimsoll::cli {

// Parses the command line of `plimsoll`, runs the verb and returns the exit code; catches and reports
// everything.
int run_plimsoll(int argc, const char* const* argv);

// The same without the verbs of plimsoll-torch that have flags of plimsoll, and without the first steps.
int run_verb(int argc, const char* const* argv);

// Gives `app` its verbs, parses the command line, runs the verb and returns the exit code; both executables
// use it.
int run_face(CLI::App& app, void (*add_face_verbs)(CLI::App&, Action&), int argc, const char* const* argv);

}  // namespace plimsoll::cli
