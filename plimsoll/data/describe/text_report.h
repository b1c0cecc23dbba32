#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plimsoll/base/progress.h"
#include "plimsoll/base/result.h"
#include "plimsoll/data/dataset.h"

namespace plimsoll::data {

// Bytes in any portions, counted as they come; two tallies of neighbouring pieces need not add, two of whole
// files do.
class TextTally {
  public:
    void add(std::span<const std::uint8_t> bytes);
    // Says that no more bytes come.
    void finish();

    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    // Line ends, and one more for a last line without.
    [[nodiscard]] std::uint64_t lines() const { return lines_; }
    [[nodiscard]] std::uint64_t longest_line_bytes() const { return longest_; }
    // Well-formed UTF-8 characters.
    [[nodiscard]] std::uint64_t characters() const { return characters_; }
    // Where the first byte stands that is not UTF-8; nothing when all is.
    [[nodiscard]] const std::optional<std::uint64_t>& first_bad_byte() const { return first_bad_; }
    [[nodiscard]] const std::array<std::uint64_t, 256>& histogram() const { return histogram_; }

  private:
    void count_lines(std::span<const std::uint8_t> bytes);
    void count_characters(std::span<const std::uint8_t> bytes);
    void mark_bad(std::uint64_t at);
    void start_character(std::uint8_t byte, std::uint64_t at);

    std::uint64_t bytes_ = 0, lines_ = 0, longest_ = 0, line_bytes_ = 0, characters_ = 0;
    std::optional<std::uint64_t> first_bad_;
    std::array<std::uint64_t, 256> histogram_{};
    // The character that is being read: where it began, bytes still to come, and what the next may be.
    std::uint64_t began_ = 0;
    int left_ = 0;
    std::uint8_t low_ = 0x80, high_ = 0xbf;
};

// Bits per byte of a message with these counts: 0 for one letter, at most 8.
double entropy_bits(std::span<const std::uint64_t> counts);

struct TextFileReport {
    std::string name;
    std::uint64_t bytes = 0, lines = 0, characters = 0, longest_line_bytes = 0;
    std::optional<std::uint64_t> first_bad_byte;
    std::string same_as;  // an earlier file with the same bytes, if there is one
};
struct TextReport {
    std::vector<TextFileReport> files;
    std::uint64_t bytes = 0, lines = 0, characters = 0;
    double entropy_bits_per_byte = 0;
    std::uint64_t distinct_bytes = 0;
    std::vector<LeftOutFile> left_out;  // files that are no text
};

// Reads a text file or folder once, piece by piece: memory does not grow with it.
Result<TextReport> report_text(const std::filesystem::path& path, const ProgressCallback& progress = nullptr);
// The same of a text in memory.
TextReport report_text(const TextFiles& text);

}  // namespace plimsoll::data
