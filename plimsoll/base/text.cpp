#include "plimsoll/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

#include "plimsoll/base/format.h"

namespace plimsoll {
namespace {

// What a shell takes as it is.
constexpr std::string_view plain_letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=,@%+-";

// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b` (optimal string
// alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::swap(before, above);
        std::swap(above, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substitute = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, substitute});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
        }
    }
    return row[b.size()];
}

// What the last letter of a count multiplies by; 1 when it is no unit.
double scale_of(char unit) {
    switch (unit) {
        case 'k':
        case 'K':
            return 1e3;
        case 'm':
        case 'M':
            return 1e6;
        case 'b':
        case 'B':
        case 'g':
        case 'G':
            return 1e9;
        case 't':
        case 'T':
            return 1e12;
        default:
            return 1;
    }
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
    return out;
}

std::string with_unit(double value, double step, std::span<const char* const> units) {
    std::size_t unit = 0;
    while (value >= step * 0.9995 && unit + 1 < units.size()) {
        value /= step;
        ++unit;
    }
    if (unit == 0) return fmt::format("{:.0f}{}", value, units[0]);
    const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return fmt::format("{:.{}f}{}", value, decimals, units[unit]);
}

// Takes the unit of a number of bytes off its end and returns what it stands for.
double take_byte_unit(std::string_view& text) {
    constexpr std::string_view letters = "kmgt";
    const std::string small = lower(text);
    const bool binary = small.ends_with("ib"), named = small.ends_with('b');
    std::string_view left = text.substr(0, text.size() - (binary ? 2 : named ? 1 : 0));
    const auto power = left.empty() ? std::string_view::npos : letters.find(small[left.size() - 1]);
    if (power == std::string_view::npos) {
        if (!binary) text = left;  // "12B"; "12iB" stays and is no number
        return 1;
    }
    text = left.substr(0, left.size() - 1);
    return std::pow(named && !binary ? 1000.0 : 1024.0, static_cast<double>(power + 1));
}

}  // namespace

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> pieces;
    if (text.empty()) return pieces;
    std::size_t start = 0;
    while (true) {
        const std::size_t end = text.find(separator, start);
        pieces.emplace_back(text.substr(start, end - start));
        if (end == std::string_view::npos) return pieces;
        start = end + 1;
    }
}

std::string_view trim(std::string_view text) {
    constexpr std::string_view space = " \t\r\n";
    const auto first = text.find_first_not_of(space);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(space) - first + 1);
}

std::string join(std::span<const std::string> words, std::string_view separator) {
    return fmt::format("{}", fmt::join(words, separator));
}

std::vector<std::string> near_misses(std::string_view word, std::span<const std::string> candidates) {
    std::vector<std::pair<std::size_t, std::string>> near;
    const std::string wanted = lower(word);
    for (const auto& candidate : candidates) {
        const std::size_t distance = edit_distance(wanted, lower(candidate));
        const std::size_t allowed = std::max<std::size_t>(1, std::min(wanted.size(), candidate.size()) / 3);
        const bool shares_a_letter = distance < std::max(wanted.size(), candidate.size());
        if (distance <= allowed && shares_a_letter) near.emplace_back(distance, candidate);
    }
    std::stable_sort(near.begin(), near.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> out;
    for (const auto& [distance, candidate] : near) {
        if (out.size() < 3) out.push_back(candidate);
    }
    return out;
}

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
    const auto near = near_misses(word, candidates);
    if (!near.empty()) return " (did you mean " + join(near, " or ") + "?)";
    return " (one of: " + join(candidates, ", ") + ")";
}

Result<std::int64_t> parse_integer(std::string_view text, std::string_view where) {
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code == std::errc::result_out_of_range) {
        return bad_input(std::string(where), fmt::format("{} does not fit in 64 bits", text));
    }
    if (code != std::errc{} || end != text.data() + text.size()) {
        return bad_input(std::string(where), fmt::format("must be an integer, got '{}'", text));
    }
    return value;
}

Result<double> parse_real(std::string_view text, std::string_view where) {
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
        return bad_input(std::string(where), fmt::format("must be a finite number, got '{}'", text));
    }
    return value;
}

Result<std::int64_t> parse_count(std::string_view text, std::string_view where) {
    const auto wrong = [&] {
        return bad_input(
            std::string(where),
            fmt::format("must be a whole number such as 1024, 100M, 1.5B or 2e8, got '{}'", text));
    };
    if (text.empty()) return wrong();
    std::string_view digits = text;
    const double scale = scale_of(text.back());
    if (scale != 1) digits.remove_suffix(1);
    if (scale == 1) {
        if (const auto whole = parse_integer(digits, where); whole.ok() && *whole >= 0) return *whole;
    }
    const auto real = parse_real(digits, where);
    if (!real.ok()) return wrong();
    const double value = *real * scale;
    // 2^53: beyond it a double cannot tell neighbouring whole numbers apart.
    if (value < 0 || value > 9007199254740992.0 ||
        std::abs(value - std::round(value)) > 1e-6 * std::max(1.0, value * 1e-9)) {
        return wrong();
    }
    return static_cast<std::int64_t>(std::llround(value));
}

Result<std::uint64_t> parse_bytes(std::string_view text, std::string_view where) {
    constexpr double most = 1e18;
    std::string_view digits = trim(text);
    const double unit = take_byte_unit(digits);
    const auto number = parse_real(trim(digits), where);
    if (!number.ok() || *number < 0 || *number * unit > most)
        return bad_input(std::string(where),
                         fmt::format("must be bytes such as 8G, 512M or 1.5GiB, got '{}'", text));
    return static_cast<std::uint64_t>(*number * unit);
}

std::string shell_word(std::string_view text) {
    if (!text.empty() && text.find_first_not_of(plain_letters) == std::string_view::npos)
        return std::string(text);
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("'\"'\"'") : std::string(1, c);
    return word + "'";
}

std::string human_count(double count) {
    static constexpr std::array<const char*, 6> units{"", " K", " M", " B", " T", " P"};
    return with_unit(count, 1000, units);
}

std::string human_bytes(double bytes) {
    static constexpr std::array<const char*, 6> units{" B", " KiB", " MiB", " GiB", " TiB", " PiB"};
    return with_unit(bytes, 1024, units);
}

}  // namespace plimsoll
