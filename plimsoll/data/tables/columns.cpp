#include "plimsoll/data/tables/columns.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/data/tables/dialect.h"

namespace plimsoll::data {
namespace {

constexpr float no_number = std::numeric_limits<float>::quiet_NaN();

enum class NumberKind { fine, missing, infinite, none };

// The number of a cell, quick for the usual ones.
NumberKind read_number(std::string_view text, float& value) {
    if (!text.empty() && (text.front() == ' ' || text.back() == ' ' || text.front() == '+')) {
        text = trim(text);
        if (text.starts_with('+')) text.remove_prefix(1);
    }
    double number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc() && stop == end) {
        value = static_cast<float>(number);
        if (std::isfinite(value)) return NumberKind::fine;
        return std::isnan(number) ? NumberKind::missing : NumberKind::infinite;
    }
    if (is_missing(text)) return NumberKind::missing;
    return error == std::errc::result_out_of_range && stop == end ? NumberKind::infinite : NumberKind::none;
}

// 3,14 or 1.234,5: a number as most of Europe writes it.
bool has_decimal_comma(std::string_view text) {
    const auto comma = text.find(',');
    if (comma == std::string_view::npos || comma == 0 || comma + 1 == text.size()) return false;
    const auto digits = [](std::string_view part) {
        return std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
    };
    std::string_view whole = text.substr(0, comma);
    if (whole.starts_with('-') || whole.starts_with('+')) whole.remove_prefix(1);
    return !whole.empty() && digits(text.substr(comma + 1)) &&
           std::ranges::all_of(whole, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

// Whole numbers in their order, other texts in the alphabet's.
std::vector<std::uint16_t> order_of(const std::vector<std::string>& values) {
    std::vector<std::uint16_t> order(values.size());
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    const bool numbers = std::ranges::all_of(values, is_number);
    std::ranges::sort(order, [&](std::uint16_t a, std::uint16_t b) {
        if (!numbers) return values[a] < values[b];
        const double first = std::strtod(values[a].c_str(), nullptr),
                     second = std::strtod(values[b].c_str(), nullptr);
        return first != second ? first < second : values[a] < values[b];
    });
    return order;
}

}  // namespace

bool is_meant_as_number(std::string_view cell) {
    float value = 0;
    return read_number(cell, value) != NumberKind::none || has_decimal_comma(trim(cell));
}

ColumnPiece::ColumnPiece(const std::vector<ColumnKind>& all)
    : kinds(all), numbers(all.size()), codes(all.size()), not_numbers(all.size()) {}

Status ColumnPiece::add_number(const Cell& cell, std::size_t column, const RecordReader& reader,
                               const std::vector<std::string>& names) {
    float value = 0;
    switch (read_number(cell.text, value)) {
        case NumberKind::fine:
            numbers[column].push_back(value);
            return {};
        case NumberKind::missing:
            numbers[column].push_back(no_number);
            return {};
        case NumberKind::infinite:
            return reader.wrong(fmt::format("column '{}': {} is no finite number of 32 bits",
                                            printable(names[column]), printable(cell.text, 40)));
        case NumberKind::none:
            break;
    }
    if (has_decimal_comma(cell.text))
        return reader.wrong(fmt::format("column '{}': {} has a decimal comma; write the numbers with a point",
                                        printable(names[column]), printable(cell.text, 40)));
    not_numbers[column] = true;
    numbers[column].push_back(no_number);
    return {};
}

void ColumnPiece::add_category(const Cell& cell, std::size_t column) {
    Codes& all = codes[column];
    if (!cell.quoted && is_missing(cell.text)) {
        all.cells.push_back(missing_code);
        return;
    }
    const bool spaces =
        !cell.quoted && !cell.text.empty() && (cell.text.front() == ' ' || cell.text.back() == ' ');
    const std::string_view text = spaces ? trim(cell.text) : cell.text;
    const auto [entry, is_new] =
        all.of.try_emplace(std::string(text), static_cast<std::uint32_t>(all.values.size()));
    if (is_new) all.values.push_back(entry->first);
    all.cells.push_back(entry->second);
    if (all.values.size() <= most_categories) return;
    all = {};
    kinds[column] = ColumnKind::passed_over;
}

Status ColumnPiece::read(const Chunk& chunk, const Dialect& dialect, const std::string& where,
                         const std::vector<std::string>& names) {
    RecordReader reader(chunk.text, dialect, where, chunk.line);
    for (std::size_t i = 0; i < kinds.size(); ++i)
        if (kinds[i] == ColumnKind::number) numbers[i].reserve(chunk.lines);
    std::vector<Cell> cells;
    while (true) {
        PLIMSOLL_ASSIGN(more, reader.next(cells, kinds.size()));
        if (!more) return {};
        if (cells.size() != kinds.size())
            return reader.wrong(
                fmt::format("{} cells where the first line has {}", cells.size(), kinds.size()));
        ++rows;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (kinds[i] == ColumnKind::number)
                PLIMSOLL_RETURN_IF_ERROR(add_number(cells[i], i, reader, names));
            if (kinds[i] == ColumnKind::category) add_category(cells[i], i);
        }
    }
}

Columns::Columns(std::vector<std::string> names, std::vector<ColumnKind> kinds, std::uint64_t most_bytes)
    : names_(std::move(names)),
      kinds_(std::move(kinds)),
      most_bytes_(most_bytes),
      numbers_(names_.size()),
      known_(names_.size()) {}

Status Columns::add(ColumnPiece&& piece, const std::string& where) {
    rows_ += piece.rows;
    std::uint64_t bytes = 0;
    for (const ColumnKind kind : kinds_)
        bytes += rows_ * (kind == ColumnKind::number ? sizeof(float) : sizeof(std::uint16_t));
    if (bytes > most_bytes_)
        return bad_input(where, fmt::format("holds more than the {} that are allowed here",
                                            human_bytes(static_cast<double>(most_bytes_))));
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
        if (kinds_[i] == ColumnKind::number)
            numbers_[i].insert(numbers_[i].end(), piece.numbers[i].begin(), piece.numbers[i].end());
        if (piece.kinds[i] == ColumnKind::passed_over) kinds_[i] = ColumnKind::passed_over;
        if (kinds_[i] == ColumnKind::category) add_codes(std::move(piece.codes[i]), i);
        if (kinds_[i] == ColumnKind::passed_over) known_[i] = {};
    }
    return {};
}

void Columns::add_codes(ColumnPiece::Codes&& piece, std::size_t column) {
    Known& all = known_[column];
    std::vector<std::uint16_t> mine;
    for (auto& value : piece.values) {
        const auto [entry, is_new] = all.of.try_emplace(value, static_cast<std::uint16_t>(all.values.size()));
        if (is_new) all.values.push_back(std::move(value));
        mine.push_back(entry->second);
        if (all.values.size() <= most_categories) continue;
        kinds_[column] = ColumnKind::passed_over;
        return;
    }
    for (const std::uint32_t code : piece.cells)
        all.codes.push_back(code == missing_code ? missing_category : mine[code]);
}

NumberColumn Columns::take_number(std::size_t column) {
    NumberColumn taken{names_[column], std::move(numbers_[column]), 0};
    taken.missing = static_cast<std::uint64_t>(
        std::ranges::count_if(taken.values, [](float value) { return std::isnan(value); }));
    return taken;
}

CategoryColumn Columns::take_category(std::size_t column) {
    Known& known = known_[column];
    const auto order = order_of(known.values);
    std::vector<std::uint16_t> place(order.size());
    CategoryColumn taken{names_[column], std::move(known.codes), {}, 0};
    for (std::size_t i = 0; i < order.size(); ++i) {
        place[order[i]] = static_cast<std::uint16_t>(i);
        taken.values.push_back(std::move(known.values[order[i]]));
    }
    for (auto& code : taken.codes) {
        taken.missing += code == missing_category ? 1 : 0;
        code = code == missing_category ? static_cast<std::uint16_t>(taken.values.size()) : place[code];
    }
    return taken;
}

}  // namespace plimsoll::data
