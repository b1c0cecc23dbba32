#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"
#include "plimsoll/run/run_config.h"

// The table behind run.toml: one line adds one key to reading, writing, help and docs.
namespace plimsoll::run {

struct ConfigKey {
    std::string section;  // empty at the top of the file
    std::string name;
    std::string allowed;
    std::string meaning;
    bool required = false;
    bool words = false;                                  // the value is words, never a number
    std::function<std::string(const RunConfig&)> write;  // the value as TOML
    std::function<Status(RunConfig&, const Json&, const std::string& where)> read;
    // Whether the resolved config has the key; empty: always. A key that came after 0.1.0 is left out where
    // it changes nothing, so that the runs of old releases keep their ids.
    std::function<bool(const RunConfig&)> matters;

    // "optimizer.lr".
    [[nodiscard]] std::string full_name() const { return section.empty() ? name : section + "." + name; }
};

// Every key, section by section in the order of the written file.
const std::vector<ConfigKey>& config_key_table();

// `text` as a TOML string in quotes.
std::string toml_string(std::string_view text);

}  // namespace plimsoll::run
