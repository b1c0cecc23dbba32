#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/data/dataset.h"
#include "plimsoll/data/tables/chunks.h"

namespace plimsoll::data {

// What the cells of a column are read as; `passed_over` after too many different ones.
enum class ColumnKind { number, category, passed_over };

constexpr std::size_t most_categories = 65535;

// Whether a cell is a number, or was meant as one: an infinity, or one with a decimal comma.
bool is_meant_as_number(std::string_view cell);

// A chunk's cells by column, and which columns turned out to be no numbers.
class ColumnPiece {
  public:
    explicit ColumnPiece(const std::vector<ColumnKind>& kinds);

    // Reads all records; an infinity, a number beyond 32 bits and a decimal comma are errors with their line
    // and column.
    Status read(const Chunk& chunk, const Dialect& dialect, const std::string& where,
                const std::vector<std::string>& names);

    // Text to a number in the order of the first cells.
    struct Codes {
        std::unordered_map<std::string, std::uint32_t> of;
        std::vector<std::string> values;
        std::vector<std::uint32_t> cells;
    };
    std::vector<ColumnKind> kinds;
    std::vector<std::vector<float>> numbers;  // by column; empty where it is no number
    std::vector<Codes> codes;                 // by column; empty where it is no category
    std::vector<bool> not_numbers;            // columns with a cell that is neither a number nor missing
    std::size_t rows = 0;

  private:
    Status add_number(const Cell& cell, std::size_t column, const RecordReader& reader,
                      const std::vector<std::string>& names);
    void add_category(const Cell& cell, std::size_t column);
};

// The columns of a table, filled by pieces in their order.
class Columns {
  public:
    Columns(std::vector<std::string> names, std::vector<ColumnKind> kinds, std::uint64_t most_bytes);

    // Adds a piece behind those before; `bad_input` above the memory allowed.
    Status add(ColumnPiece&& piece, const std::string& where);
    [[nodiscard]] std::size_t rows() const { return rows_; }
    [[nodiscard]] ColumnKind kind(std::size_t column) const { return kinds_[column]; }

    [[nodiscard]] NumberColumn take_number(std::size_t column);
    // Categories in alphabetical order; whole numbers in theirs.
    [[nodiscard]] CategoryColumn take_category(std::size_t column);

  private:
    void add_codes(ColumnPiece::Codes&& piece, std::size_t column);

    std::vector<std::string> names_;
    std::vector<ColumnKind> kinds_;
    std::uint64_t most_bytes_;
    std::size_t rows_ = 0;
    std::vector<std::vector<float>> numbers_;
    struct Known {
        std::unordered_map<std::string, std::uint16_t> of;
        std::vector<std::string> values;
        std::vector<std::uint16_t> codes;
    };
    std::vector<Known> known_;
};

// Code of a cell without a value.
constexpr std::uint32_t missing_code = UINT32_MAX;
constexpr std::uint16_t missing_category = UINT16_MAX;

}  // namespace plimsoll::data
