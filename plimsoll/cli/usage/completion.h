#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

// What may stand in the place of the last of `words` (behind the program's name): verbs, parts, flags, and
// values: models of the zoo, families and their keys, ids of claims, runs. Empty where a file is meant.
std::vector<std::string> completions(const CLI::App& app, const std::vector<std::string>& words);

// The script for bash, zsh or fish that asks the program itself at every Tab.
Result<std::string_view> completion_script(const std::string& shell);

}  // namespace plimsoll::cli
