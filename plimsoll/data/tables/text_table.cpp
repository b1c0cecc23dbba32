#include "plimsoll/data/tables/text_table.h"

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <span>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/data/sniff/content.h"
#include "plimsoll/data/tables/columns.h"
#include "plimsoll/data/tables/table_label.h"

namespace plimsoll::data {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 22;

// Lines that end with a carriage return and never with a line feed.
bool has_lone_returns(std::string_view text) {
    const std::size_t first = text.find('\r');
    return first != text.npos && first + 1 < text.size() && text.find('\n') == text.npos;
}

bool can_be_numbers(const TableHead& head, std::size_t column) {
    return std::ranges::all_of(
        head.rows, [&](const auto& row) { return column >= row.size() || is_meant_as_number(row[column]); });
}

// The text behind the header, and the line it starts on.
struct Body {
    std::string_view text;
    std::size_t line = 1;
};
Result<Body> body_of(std::string_view text, const TableHead& head, const std::string& name) {
    if (!head.named) return Body{text, 1};
    RecordReader reader(text, head.dialect, name);
    std::vector<Cell> cells;
    PLIMSOLL_RETURN_IF_ERROR(reader.next(cells, head.columns.size()));
    PLIMSOLL_ASSIGN(more, reader.next(cells, head.columns.size()));
    if (!more) return bad_input(name, "has a header line and no rows");
    return Body{text.substr(reader.byte()), reader.line()};
}

using Parts = std::span<const TablePart>;

// Whole records of one part.
struct PartChunk {
    Chunk chunk;
    std::size_t part = 0;
};

// Reads a table with these kinds of columns; `not_numbers` learns which were none.
class TablePass {
  public:
    TablePass(const TableHead& head, Parts parts, const LoadOptions& options)
        : rows_of(parts.size()), head_(head), parts_(parts), options_(options) {
        for (const TablePart& part : parts) total_ += part.text.size();
    }

    Result<Columns> read(const std::vector<PartChunk>& chunks, const std::vector<ColumnKind>& kinds) {
        Columns columns(head_.columns, kinds, options_.most_bytes);
        not_numbers.assign(kinds.size(), false);
        // A few chunks at a time: what is being read takes little beside what has been.
        const std::size_t width = 2 * parallel_width();
        for (std::size_t first = 0; first < chunks.size(); first += width)
            PLIMSOLL_RETURN_IF_ERROR(read_some(
                std::span(chunks).subspan(first, std::min(width, chunks.size() - first)), kinds, columns));
        return columns;
    }

    std::vector<bool> not_numbers;
    std::vector<std::size_t> rows_of;  // by part

  private:
    Status read_some(std::span<const PartChunk> chunks, const std::vector<ColumnKind>& kinds,
                     Columns& columns) {
        std::vector<ColumnPiece> pieces(chunks.size(), ColumnPiece(kinds));
        std::vector<Status> outcomes(chunks.size());
        in_parallel(chunks.size(), [&](std::size_t i) {
            outcomes[i] =
                pieces[i].read(chunks[i].chunk, head_.dialect, parts_[chunks[i].part].name, head_.columns);
        });
        for (std::size_t i = 0; i < chunks.size(); ++i) {
            PLIMSOLL_RETURN_IF_ERROR(outcomes[i]);
            for (std::size_t k = 0; k < kinds.size(); ++k)
                if (pieces[i].not_numbers[k]) not_numbers[k] = true;
            rows_of[chunks[i].part] += pieces[i].rows;
            PLIMSOLL_RETURN_IF_ERROR(columns.add(std::move(pieces[i]), parts_[chunks[i].part].name));
            bytes_ += chunks[i].chunk.text.size();
            if (options_.progress) options_.progress(bytes_, std::max(bytes_, total_));
        }
        return {};
    }

    const TableHead& head_;
    Parts parts_;
    const LoadOptions& options_;
    std::uint64_t bytes_ = 0, total_ = 0;
};

Result<std::vector<PartChunk>> chunks_of(Parts parts, const TableHead& head) {
    std::vector<PartChunk> chunks;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        PLIMSOLL_ASSIGN(body, body_of(parts[i].text, head, parts[i].name));
        for (const Chunk& chunk : cut_at_records(body.text, head.dialect, body.line, chunk_bytes))
            chunks.push_back({chunk, i});
    }
    return chunks;
}

// The columns, and how many of their rows each part has.
struct PartColumns {
    Columns columns;
    std::vector<std::size_t> rows_of;
};

// Reads again with the columns as categories that turned out to be no numbers: each pass finds all of them.
Result<PartColumns> read_columns(Parts parts, const TableHead& head, const LoadOptions& options) {
    std::vector<ColumnKind> kinds;
    for (std::size_t i = 0; i < head.columns.size(); ++i)
        kinds.push_back(can_be_numbers(head, i) ? ColumnKind::number : ColumnKind::category);
    PLIMSOLL_ASSIGN(chunks, chunks_of(parts, head));
    while (true) {
        TablePass pass(head, parts, options);
        PLIMSOLL_ASSIGN(columns, pass.read(chunks, kinds));
        bool again = false;
        for (std::size_t i = 0; i < kinds.size(); ++i)
            if (pass.not_numbers[i]) {
                kinds[i] = ColumnKind::category;
                again = true;
            }
        if (!again) return PartColumns{std::move(columns), std::move(pass.rows_of)};
    }
}

Status check_head(const TableHead& head, const std::string& name) {
    for (const auto& column : head.columns)
        if (!is_utf8(column))
            return bad_input(name,
                             fmt::format("line 1: a column's name is not UTF-8: {}; where it is Latin-1 "
                                         "this makes a table that is read: iconv -f LATIN1 -t UTF-8 {} "
                                         "-o FILE.csv",
                                         printable(column), shell_word(name)));
    return {};
}

Result<TableHead> head_of_part(const TablePart& part) {
    const std::string_view first = first_lines(part.text);
    if (has_lone_returns(first))
        return bad_input(part.name,
                         fmt::format("its lines end with a carriage return alone, as old Macs wrote "
                                     "them; this makes a table that is read: tr '\\r' '\\n' < {0} > "
                                     "FILE.csv",
                                     part.name));
    auto head = table_head(first, first.size() == part.text.size(), true);
    if (!head) return no_table(first, part.name);
    PLIMSOLL_RETURN_IF_ERROR(check_head(*head, part.name));
    return std::move(*head);
}

// The head of all parts; the error names a column that one of them lacks.
Result<TableHead> common_head(Parts parts) {
    PLIMSOLL_ASSIGN(first, head_of_part(parts.front()));
    for (const TablePart& part : parts.subspan(1)) {
        PLIMSOLL_ASSIGN(head, head_of_part(part));
        for (const auto& column : first.columns)
            if (std::ranges::find(head.columns, column) == head.columns.end())
                return bad_input(part.name,
                                 fmt::format("has no column '{}', which {} has; give {} alone",
                                             printable(column), parts.front().name, parts.front().name));
        if (head.columns != first.columns || head.named != first.named || head.dialect != first.dialect)
            return bad_input(part.name, fmt::format("has other columns than {}, or another order of them",
                                                    parts.front().name));
    }
    return first;
}

void set_splits(Parts parts, const std::vector<std::size_t>& rows_of, Table& table) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        table.split_names.push_back(parts[i].split);
        table.split_of.resize(table.split_of.size() + rows_of[i], static_cast<std::uint16_t>(i));
    }
}

// Moves the columns into the table: features, splits, and those that are neither.
void take_features(Columns& columns, std::size_t label, const std::vector<std::string>& names, Table& table) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i == label) continue;
        if (columns.kind(i) == ColumnKind::number) table.numbers.push_back(columns.take_number(i));
        if (columns.kind(i) == ColumnKind::category) {
            CategoryColumn column = columns.take_category(i);
            if (names[i] == "split" && column.missing == 0 && table.split_of.empty()) {
                table.split_of = std::move(column.codes);
                table.split_names = std::move(column.values);
            } else {
                table.categories.push_back(std::move(column));
            }
        }
        if (columns.kind(i) == ColumnKind::passed_over)
            table.left_out_columns.push_back(
                {names[i], fmt::format("more than {} different texts", most_categories)});
    }
}

}  // namespace

Result<Table> parse_table(std::string_view text, const std::string& name, const ReadOptions& read,
                          const LoadOptions& options) {
    const TablePart whole{text, name, ""};
    return parse_table_parts(std::span(&whole, 1), name, read, options);
}

Result<Table> parse_table_parts(std::span<const TablePart> given, const std::string& name,
                                const ReadOptions& read, const LoadOptions& options) try {
    std::vector<TablePart> parts(given.begin(), given.end());
    for (TablePart& part : parts) part.text = without_mark(part.text);
    PLIMSOLL_ASSIGN(head, common_head(parts));
    PLIMSOLL_ASSIGN(choice, label_choice(head.columns, read.label, name, last_used_column(head)));
    const std::size_t label = choice.column;
    PLIMSOLL_ASSIGN(found, read_columns(parts, head, options));
    Columns& columns = found.columns;
    Table table;
    table.rows = columns.rows();
    if (parts.size() > 1) set_splits(parts, found.rows_of, table);
    table.label.name = head.columns[label];
    table.label.guessed = read.label.empty();
    if (columns.kind(label) == ColumnKind::passed_over)
        return bad_input(name, fmt::format("column '{}' has more than {} different labels; --label names "
                                           "another column",
                                           printable(table.label.name), most_categories));
    take_features(columns, label, head.columns, table);
    PLIMSOLL_RETURN_IF_ERROR(columns.kind(label) == ColumnKind::number
                                 ? label_by_numbers(columns.take_number(label), choice.as, name, table)
                                 : label_by_categories(columns.take_category(label), choice.as, name, table));
    return table;
} catch (const std::bad_alloc&) {
    return io_error(name, "this machine has not enough memory for its columns");
}

Result<Table> load_text_table(const std::filesystem::path& path, const ReadOptions& read,
                              const LoadOptions& options) {
    PLIMSOLL_ASSIGN(file, load_file(path, options));
    const auto bytes = file.bytes.view();
    return parse_table({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, file.name, read, options);
}

}  // namespace plimsoll::data
