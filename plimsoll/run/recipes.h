#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll::run {

// Published defaults, under a name.
struct Recipe {
    std::string name;
    std::string source;
    std::vector<std::pair<std::string, std::string>> values;  // key to value as TOML
    std::vector<std::string> differs;  // what the source does not say, or what we do otherwise
};

const std::vector<Recipe>& recipes();

}  // namespace plimsoll::run
