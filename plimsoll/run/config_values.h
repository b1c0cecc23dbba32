#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"

// Single values of run.toml to and from TOML; the table of keys is made of them.
namespace plimsoll::run {

// Whole numbers a key takes; `zero` is the word that stands for 0 ("none"), empty when 0 has no word.
struct WholeRange {
    std::int64_t least = 0;
    std::int64_t most = std::numeric_limits<std::int64_t>::max();
    std::string zero;

    [[nodiscard]] std::string text() const;
};

// Real numbers a key takes.
struct RealRange {
    double least = 0;
    bool open = false;  // least itself is not allowed
    double below = std::numeric_limits<double>::infinity();
    bool closed = false;  // `below` itself is allowed

    [[nodiscard]] bool fits(double value) const;
    [[nodiscard]] std::string text() const;
};

Result<std::int64_t> read_whole(const Json& value, const WholeRange& range, const std::string& where);
// `also` is added to what the error says is allowed.
Result<double> read_real(const Json& value, const RealRange& range, const std::string& where,
                         std::string_view also = "");
Result<bool> read_truth(const Json& value, const std::string& where);
Result<std::string> read_words(const Json& value, const std::string& where);
// The index among `names`.
Result<std::size_t> read_name(const Json& value, const std::vector<std::string>& names,
                              const std::string& where);

// The shortest text that reads back as the same number, with a point or an exponent.
std::string real_text(double value);

}  // namespace plimsoll::run
