#pragma once

namespace plimsoll::cli {

// Parses the command line of `plimsoll`, runs the verb and returns the exit code; catches and reports
// everything.
int run_plimsoll(int argc, const char* const* argv);

}  // namespace plimsoll::cli
