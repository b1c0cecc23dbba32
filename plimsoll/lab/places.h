#pragma once

#include <map>
#include <string>
#include <string_view>

#include "plimsoll/base/format.h"
#include "plimsoll/base/toml.h"

namespace plimsoll::lab {

// Where things stand in a TOML file.
class Places {
  public:
    Places(std::string file, std::string_view text) : file_(std::move(file)), lines_(toml_lines(text)) {}

    // "sweep.toml:5: axes.model.depth", without the line when nobody knows it.
    [[nodiscard]] std::string at(const std::string& path) const {
        const auto line = lines_.find(path);
        if (line == lines_.end() || line->second == 0) return fmt::format("{}: {}", file_, path);
        return fmt::format("{}:{}: {}", file_, line->second, path);
    }
    [[nodiscard]] const std::string& file() const { return file_; }

  private:
    std::string file_;
    std::map<std::string, std::size_t> lines_;
};

}  // namespace plimsoll::lab
