#include "plimsoll/base/csv.h"

#include "plimsoll/base/format.h"
#include "plimsoll/base/utf8.h"

namespace plimsoll {
namespace {

// Skipped at the start of a text; a cell that starts with one needs quotes.
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

class Reader {
  public:
    Reader(std::string_view text, const std::string& where) : text_(text), where_(where) {}

    Result<std::vector<CsvRow>> read() {
        if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
        std::vector<CsvRow> rows;
        while (at_ < text_.size()) {
            CsvRow row{line_, {}};
            PLIMSOLL_RETURN_IF_ERROR(read_row(row));
            rows.push_back(std::move(row));
        }
        return rows;
    }

  private:
    [[nodiscard]] Error wrong(std::size_t line, std::string message) const {
        return bad_input(fmt::format("{}:{}", where_, line), std::move(message));
    }
    [[nodiscard]] bool at_line_end() const {
        return at_ == text_.size() || text_[at_] == '\n' || text_.substr(at_, 2) == "\r\n";
    }

    Status read_row(CsvRow& row) {
        while (true) {
            PLIMSOLL_ASSIGN(cell, read_cell());
            if (!is_utf8(cell.text)) return wrong(line_, "is not valid UTF-8");
            row.cells.push_back(std::move(cell));
            if (at_line_end()) break;
            ++at_;  // the comma
        }
        if (at_ < text_.size()) at_ += text_[at_] == '\r' ? 2 : 1;
        ++line_;
        return {};
    }

    Result<CsvCell> read_cell() {
        if (at_ < text_.size() && text_[at_] == '"') return read_quoted();
        const std::size_t start = at_;
        for (; !at_line_end() && text_[at_] != ','; ++at_)
            if (text_[at_] == '"') return wrong(line_, "a quote inside a cell that does not start with one");
        return CsvCell{std::string(text_.substr(start, at_ - start)), false};
    }

    Result<CsvCell> read_quoted() {
        const std::size_t first_line = line_;
        CsvCell cell{"", true};
        for (++at_; at_ < text_.size(); ++at_) {
            const bool doubled = text_.substr(at_, 2) == "\"\"";
            if (text_[at_] == '"' && !doubled) {
                ++at_;
                if (at_line_end() || text_[at_] == ',') return cell;
                return wrong(line_, "text after the closing quote of a cell");
            }
            if (text_[at_] == '\n') ++line_;
            cell.text += text_[at_];
            if (doubled) ++at_;
        }
        return wrong(first_line, "a quote that is never closed");
    }

    std::string_view text_;
    const std::string& where_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
};

}  // namespace

Result<std::vector<CsvRow>> parse_csv(std::string_view text, const std::string& where) {
    return Reader(text, where).read();
}

std::vector<std::string> texts_of(CsvRow row) {
    std::vector<std::string> texts;
    for (CsvCell& cell : row.cells) texts.push_back(std::move(cell.text));
    return texts;
}

void append_csv(std::string& line, std::string_view cell, bool quote) {
    const bool special =
        cell.find_first_of(",\"\r\n") != std::string_view::npos || cell.starts_with(byte_order_mark);
    if (!quote && !special) {
        line += cell;
        return;
    }
    line += '"';
    for (const char c : cell) line.append(c == '"' ? 2 : 1, c);
    line += '"';
}

std::string csv_line(std::span<const std::string> cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0) line += ',';
        append_csv(line, cells[i]);
    }
    return line;
}

}  // namespace plimsoll
