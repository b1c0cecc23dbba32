#include "plimsoll/data/sniff/text_reading.h"

#include <algorithm>
#include <array>
#include <optional>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/data/readers/json_text.h"
#include "plimsoll/data/readers/sentence_pairs.h"
#include "plimsoll/data/sniff/content.h"
#include "plimsoll/data/sniff/foreign_formats.h"
#include "plimsoll/data/tables/dialect.h"
#include "plimsoll/data/tables/table_column.h"
#include "plimsoll/data/tables/table_label.h"
#include "plimsoll/data/tables/text_table.h"

namespace plimsoll::data {
namespace {

namespace fs = std::filesystem;
using Keys = std::vector<std::string>;

bool ends_with_any(const std::string& name, std::initializer_list<std::string_view> endings) {
    return std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

std::string names_in_marks(const Keys& names) {
    Keys marked;
    for (const auto& name : names) marked.push_back("`" + printable(name, 40) + "`");
    return join(marked, ", ");
}

// A first line that is an object: text, sentence pairs, or lines whose use must be said.
Result<std::optional<Reading>> reading_of_json(const fs::path& path, const Keys& keys,
                                               const ReadOptions& read) {
    const std::string field = text_field(read);
    if (!read.columns.empty() || (read.field.empty() && names_sentence_pairs(keys)))
        return std::optional(Reading{Kind::sentence_pairs, "JSON lines, sentence pairs"});
    if (std::ranges::find(keys, field) != keys.end())
        return std::optional(Reading{Kind::text, fmt::format("JSON lines, text in `{}`", printable(field))});
    if (read.field.empty() && !ends_with_any(unpacked_name(path), {".jsonl", ".ndjson"}))
        return std::optional<Reading>();
    const std::string table =
        keys.size() < 2 ? "" : "; this makes a table of them: " + filled_way(ways::json_lines, path.string());
    return bad_input(
        path.string(),
        fmt::format("is JSON lines without a field '{}'; its first line has {} (--field names the "
                    "one with the text, --columns those of sentence pairs{})",
                    printable(field), keys.empty() ? "none" : names_in_marks(keys), table));
}

// [{"text": ...}, ...]
bool is_json_array(std::string_view text) {
    text = trim(without_mark(text));
    return text.starts_with('[') && trim(text.substr(1)).starts_with('{');
}

Error json_array(const fs::path& path) {
    return bad_input(
        path.string(),
        fmt::format("is a JSON array of objects, which is not read as data; this makes JSON lines, "
                    "which are: {} (--kind text reads its bytes as they are)",
                    filled_way(ways::json_array, path.string())));
}

Result<Reading> reading_of_table(const fs::path& path, const TableHead& head, const ReadOptions& read) {
    const std::string title = fmt::format("{}, {} columns", dialect_name(head.dialect), head.columns.size());
    if (!read.field.empty()) {
        PLIMSOLL_ASSIGN(column, column_called(head, read.field, path.string()));
        return Reading{Kind::text, fmt::format("{}, text in `{}`", title, printable(head.columns[column]))};
    }
    if (!read.columns.empty() || (read.label.empty() && names_sentence_pairs(head.columns)))
        return Reading{Kind::sentence_pairs, title + ", sentence pairs"};
    PLIMSOLL_ASSIGN(choice, label_choice(head.columns, read.label, path.string(), last_used_column(head)));
    return Reading{
        Kind::table,
        fmt::format("{}{}, label in `{}`{}", title, head.named ? "" : " without a header",
                    printable(head.columns[choice.column]), read.label.empty() ? " (guessed; --label)" : "")};
}

}  // namespace

Result<Reading> reading_of_text(const fs::path& path, const TextStart& start, const ReadOptions& read) {
    const auto& [text, whole] = start;
    if (const auto keys = json_line_keys(text, whole)) {
        PLIMSOLL_ASSIGN(reading, reading_of_json(path, *keys, read));
        if (reading) return std::move(*reading);
    }
    if (is_json_array(text) && ends_with_any(unpacked_name(path), {".json"})) return json_array(path);
    const bool called_table = ends_with_any(unpacked_name(path), {".csv", ".tsv", ".tab", ".psv"}),
               asked = !read.columns.empty() || !read.label.empty() || !read.field.empty();
    if (const auto head = table_head(text, whole, called_table || asked))
        return reading_of_table(path, *head, read);
    if (const auto head = table_head(text, whole, true); head && names_sentence_pairs(head->columns))
        return reading_of_table(path, *head, read);
    if (called_table || asked) return no_table(text, path.string());
    return Reading{Kind::text, "", true};
}

}  // namespace plimsoll::data
