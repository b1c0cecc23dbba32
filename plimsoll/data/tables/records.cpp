#include "plimsoll/data/tables/records.h"

#include <algorithm>

#include "plimsoll/base/format.h"

namespace plimsoll::data {
namespace {

constexpr char mark = '"';

}  // namespace

std::string dialect_name(const Dialect& dialect) {
    if (dialect.delimiter == ',') return "CSV";
    if (dialect.delimiter == '\t') return "TSV";
    return fmt::format("a table with {} between cells", dialect.delimiter);
}

std::string_view without_mark(std::string_view text) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    return text.starts_with(byte_order_mark) ? text.substr(byte_order_mark.size()) : text;
}

RecordReader::RecordReader(std::string_view text, Dialect dialect, std::string where, std::size_t line)
    : text_(text), dialect_(dialect), where_(std::move(where)), line_(line) {}

Error RecordReader::wrong(std::string message) const {
    return bad_input(fmt::format("{}: line {}", where_, record_line_), std::move(message));
}

bool RecordReader::at_line_end() const {
    if (at_ == text_.size() || text_[at_] == '\n') return true;
    return text_[at_] == '\r' && (at_ + 1 == text_.size() || text_[at_ + 1] == '\n');
}

void RecordReader::skip_empty_lines() {
    while (at_ < text_.size() && at_line_end()) {
        if (text_[at_] == '\n') ++line_;
        ++at_;
    }
}

Result<bool> RecordReader::next(std::vector<Cell>& cells, std::size_t most_cells) {
    cells.clear();
    used_ = 0;
    skip_empty_lines();
    record_line_ = line_;
    record_byte_ = at_;
    if (at_ == text_.size()) return false;
    while (true) {
        Cell cell;
        if (dialect_.quotes && text_.substr(at_).starts_with(mark)) {
            PLIMSOLL_RETURN_IF_ERROR(read_quoted(cell));
        } else {
            PLIMSOLL_RETURN_IF_ERROR(read_plain(cell));
        }
        if (cells.size() == most_cells) return wrong(fmt::format("more than {} cells", most_cells));
        cells.push_back(cell);
        if (at_line_end()) break;
        ++at_;  // the delimiter
    }
    return true;
}

Status RecordReader::read_plain(Cell& cell) {
    const std::size_t start = at_;
    const char* data = text_.data();
    for (; at_ < text_.size() && data[at_] != dialect_.delimiter && data[at_] != '\n'; ++at_)
        if (data[at_] == mark && dialect_.quotes)
            return wrong(
                "a quotation mark inside a cell that does not start with one; such a cell stands in "
                "quotation "
                "marks, with that mark doubled");
    std::size_t end = at_;
    if (end > start && data[end - 1] == '\r' && (end == text_.size() || data[end] == '\n')) end = --at_;
    cell.text = text_.substr(start, end - start);
    return {};
}

Status RecordReader::read_quoted(Cell& cell) {
    cell.quoted = true;
    const std::size_t start = ++at_;
    std::string* own = nullptr;
    std::size_t copied = start;
    while (true) {
        const auto close = text_.find(mark, at_);
        if (close == std::string_view::npos) return wrong("a quotation mark that is never closed");
        line_ +=
            static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                text_.begin() + static_cast<std::ptrdiff_t>(close), '\n'));
        at_ = close + 1;
        if (!text_.substr(at_).starts_with(mark)) break;
        if (own == nullptr) {
            if (used_ == unquoted_.size()) unquoted_.emplace_back();
            own = &unquoted_[used_++];
            own->clear();
        }
        own->append(text_, copied, at_ - copied);
        copied = ++at_;
    }
    if (own != nullptr) own->append(text_, copied, at_ - 1 - copied);
    cell.text = own != nullptr ? std::string_view(*own) : text_.substr(start, at_ - 1 - start);
    if (at_line_end() || text_[at_] == dialect_.delimiter) return {};
    return wrong("text behind the closing quotation mark of a cell");
}

}  // namespace plimsoll::data
