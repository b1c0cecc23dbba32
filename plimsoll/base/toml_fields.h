#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"
#include "plimsoll/base/toml.h"

namespace plimsoll {

// One table of a TOML file whose values are read by key, each error at its line.
class TomlFields {
  public:
    TomlFields(const Json& table, std::string path, const TomlPlaces& places)
        : table_(table), path_(std::move(path)), places_(places) {}

    // An error at the first key that is not among `known`, with what could have been meant.
    [[nodiscard]] Status refuse_others(std::initializer_list<std::string_view> known) const;

    [[nodiscard]] bool has(const std::string& key) const { return table_.contains(key); }
    [[nodiscard]] const Json& value(const std::string& key) const { return table_.at(key); }
    [[nodiscard]] std::string path(const std::string& key) const {
        return path_.empty() ? key : path_ + "." + key;
    }
    // Where a key stands, or the table itself (the file, for the outermost).
    [[nodiscard]] std::string place(const std::string& key) const { return places_.at(path(key)); }
    [[nodiscard]] std::string place() const { return path_.empty() ? places_.file() : places_.at(path_); }
    [[nodiscard]] const TomlPlaces& places() const { return places_; }

    // Text; `otherwise` when the key is not there.
    [[nodiscard]] Result<std::string> text(const std::string& key, const std::string& otherwise = "") const;
    // Text that must be there and not be empty.
    [[nodiscard]] Result<std::string> needed(const std::string& key) const;
    // A list of texts, empty when the key is not there.
    [[nodiscard]] Result<std::vector<std::string>> texts(const std::string& key) const;
    // true or false, false when the key is not there.
    [[nodiscard]] Result<bool> truth(const std::string& key) const;
    // The same, or one text alone.
    [[nodiscard]] Result<std::vector<std::string>> texts_or_one(const std::string& key) const;
    // A whole number from 0 on, or a text such as "20M"; it must be there.
    [[nodiscard]] Result<std::int64_t> count(const std::string& key) const;
    // A list of whole numbers from 1 on, empty when the key is not there.
    [[nodiscard]] Result<std::vector<std::int64_t>> counts(const std::string& key) const;
    // A table that is there.
    [[nodiscard]] Result<TomlFields> table(const std::string& key) const;
    // A list of tables, empty when the key is not there.
    [[nodiscard]] Result<std::vector<TomlFields>> tables(const std::string& key) const;

    // One of named values, the first when the key is not there.
    template <class T>
    [[nodiscard]] Result<T> choice(const std::string& key,
                                   std::initializer_list<std::pair<std::string_view, T>> choices) const {
        PLIMSOLL_ASSIGN(word, text(key, std::string(choices.begin()->first)));
        for (const auto& [name, value] : choices)
            if (name == word) return value;
        std::vector<std::string> names;
        for (const auto& [name, value] : choices) names.emplace_back(name);
        return not_a_choice(key, word, names);
    }

  private:
    [[nodiscard]] Error not_a_choice(const std::string& key, const std::string& word,
                                     const std::vector<std::string>& names) const;

    const Json& table_;
    std::string path_;
    const TomlPlaces& places_;
};

}  // namespace plimsoll
