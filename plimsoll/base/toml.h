#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"

namespace plimsoll {

// TOML text as the one value type, Json: tables become objects, dates and times their text. Errors give line
// and column.
Result<Json> parse_toml(std::string_view text, std::string_view where);

// The line of each value of a TOML text by its path, "axes.model.depth" or "zip[0].train.batch"; empty when
// the text is not TOML. Values inside a list are part of it.
std::map<std::string, std::size_t> toml_lines(std::string_view text);

// Where things stand in a TOML file.
class TomlPlaces {
  public:
    TomlPlaces(std::string file, std::string_view text) : file_(std::move(file)), lines_(toml_lines(text)) {}

    // "sweep.toml:5: axes.model.depth"; the line of what holds it where its own is not known, as inside a
    // list.
    [[nodiscard]] std::string at(const std::string& path) const;
    [[nodiscard]] const std::string& file() const { return file_; }

  private:
    std::string file_;
    std::map<std::string, std::size_t> lines_;
};

// Reads and parses a TOML file.
Result<Json> read_toml(const std::filesystem::path& path);

}  // namespace plimsoll
