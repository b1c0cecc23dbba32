#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/formats/class_counts/expression.h"

namespace plimsoll::formats {

// A line of the table together with a file: the value of each key, from the file or from the class.
class ClassRow {
  public:
    ClassRow(const Json& row, const Json& config) : row_(row), config_(config) {}

    [[nodiscard]] const Json& row() const { return row_; }
    [[nodiscard]] const Json& config() const { return config_; }
    // A member of the line, or an empty object where it has none.
    [[nodiscard]] const Json& part(std::string_view name) const;

    // What the file says of a key ("text_config.hidden_size", "depths.2"), by any of its names; null when it
    // says nothing.
    [[nodiscard]] const Json* in_file(std::string_view path) const;
    // The same, else the default of the class; JSON's null where neither has one.
    [[nodiscard]] Json value(std::string_view path) const;

    // Numbers and counts of entries for expressions.
    [[nodiscard]] ExpressionNames names() const;
    // The names of the layers: the file's list, else the one that the class fills in; nothing when the rule
    // of the class is not known.
    [[nodiscard]] std::optional<std::vector<std::string>> layers(std::string_view path) const;

  private:
    [[nodiscard]] std::optional<ExpressionValue> number(std::string_view path, int levels) const;
    [[nodiscard]] std::optional<std::size_t> length(const Json& key) const;
    [[nodiscard]] std::optional<std::vector<std::string>> default_layers(const Json& rule) const;

    const Json& row_;
    const Json& config_;
};

// Whether a value of a file is what the class has: 1 is true, an empty list is null.
bool same_value(const Json& a, const Json& b);

// The first thing in which a file leaves what its line was derived for, with the key first.
Status check_row(const ClassRow& row);

}  // namespace plimsoll::formats
