#pragma once

#include <string>

#include "plimsoll/base/result.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace plimsoll::cli {

// What is wrong with a command line that `app` could not parse, and what would have been right: the nearest
// verb, part or flag.
Error usage_error(const CLI::App& app, const CLI::ParseError& problem);

}  // namespace plimsoll::cli
