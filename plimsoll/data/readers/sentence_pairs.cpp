#include "plimsoll/data/readers/sentence_pairs.h"

#include <algorithm>
#include <array>
#include <optional>

#include "plimsoll/base/format.h"
#include "plimsoll/base/json.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/data/readers/pair_labels.h"
#include "plimsoll/data/tables/dialect.h"

namespace plimsoll::data {
namespace {

enum PairColumn : std::size_t { first_text, second_text, label_cell, split_cell, pair_columns };

struct ColumnNames {
    std::string_view what;
    std::vector<std::string> names;  // in lower case, the preferred first
};
using AllColumnNames = std::array<ColumnNames, pair_columns>;

const AllColumnNames& usual_names() {
    static const AllColumnNames names{
        {{"first sentence",
          {"sentence1", "premise", "sentence_a", "text", "text_a", "text1", "question1", "question",
           "#1 string"}},
         {"second sentence",
          {"sentence2", "hypothesis", "sentence_b", "text_b", "text2", "question2", "sentence", "#2 string"}},
         {"label",
          {"gold_label", "label", "entailment_judgment", "entailment_label", "value", "entailment",
           "is_duplicate", "quality"}},
         {"split", {"split", "semeval_set"}}}};
    return names;
}

std::string lower(std::string_view text) {
    std::string copy(text);
    for (char& c : copy)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return copy;
}

// What each column may be called: as somebody said, or as usual.
AllColumnNames names_for(std::span<const std::string> asked) {
    AllColumnNames names = usual_names();
    for (std::size_t i = 0; i < std::min<std::size_t>(asked.size(), split_cell); ++i)
        names[i].names = {lower(trim(asked[i]))};
    return names;
}

std::uint16_t index_of(const std::string& name, std::vector<std::string>& names) {
    const auto at = std::find(names.begin(), names.end(), name);
    const auto index = static_cast<std::uint16_t>(at - names.begin());
    if (at == names.end()) names.push_back(name);
    return index;
}

// The cells of one line, by column; the split may be missing.
using PairRow = std::array<std::optional<std::string>, pair_columns>;

class PairTable {
  public:
    PairTable(std::string_view name, std::span<const std::string> asked)
        : name_(name), names_(names_for(asked)) {}

    Status add(PairRow row, const std::string& where) {
        for (const PairColumn column : {first_text, second_text, label_cell}) {
            if (!row[column]) return bad_input(where, fmt::format("has no {}", names_[column].what));
            if (!is_utf8(*row[column]))
                return bad_input(where, fmt::format("its {} is not UTF-8", names_[column].what));
        }
        const std::string_view word = trim(*row[label_cell]);
        if (word == "-" || word.empty()) {
            ++pairs_.left_out;
            return {};
        }
        constexpr std::size_t most_splits = 65535;
        labels_.emplace_back(word);
        if (row[split_cell])
            pairs_.split_of.push_back(index_of(printable(*row[split_cell]), pairs_.split_names));
        if (pairs_.split_names.size() > most_splits)
            return bad_input(where, "more than 65535 different splits");
        if (!pairs_.split_of.empty() && pairs_.split_of.size() != labels_.size())
            return bad_input(where, "some pairs have a split and some have none");
        pairs_.first.push_back(std::move(*row[first_text]));
        pairs_.second.push_back(std::move(*row[second_text]));
        return {};
    }

    Result<SentencePairs> finish() {
        if (labels_.empty()) return bad_input(std::string(name_), "has no sentence pairs with a label");
        PLIMSOLL_RETURN_IF_ERROR(settle_labels(labels_, name_, pairs_));
        return std::move(pairs_);
    }

    [[nodiscard]] const AllColumnNames& names() const { return names_; }

  private:
    std::string_view name_;
    AllColumnNames names_;
    std::vector<std::string> labels_;
    SentencePairs pairs_;
};

// Which cell of a line is which column.
using PairLayout = std::array<std::optional<std::size_t>, pair_columns>;

PairLayout layout_of(std::span<const std::string> header, const AllColumnNames& names) {
    PairLayout layout;
    for (std::size_t column = 0; column < pair_columns; ++column)
        for (const auto& name : names[column].names)
            for (std::size_t i = 0; i < header.size() && !layout[column]; ++i)
                if (lower(trim(header[i])) == name) layout[column] = i;
    return layout;
}

Result<PairLayout> checked_layout(std::span<const std::string> header, const AllColumnNames& names,
                                  std::string_view file) {
    const PairLayout layout = layout_of(header, names);
    for (const PairColumn column : {first_text, second_text, label_cell})
        if (!layout[column])
            return bad_input(fmt::format("{}: line 1", file),
                             fmt::format("no column for the {}; it may be named {} (--columns first,second,"
                                         "label names the three)",
                                         names[column].what, join(names[column].names, ", ")));
    return layout;
}

// The delimiter of a header line: a tab where it has one.
Dialect dialect_of_pairs(std::string_view text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.find('\t') != std::string_view::npos) return {'\t', false};
    const auto semicolons = std::ranges::count(line, ';'), commas = std::ranges::count(line, ',');
    return {semicolons > commas ? ';' : ',', true};
}

Status read_table(std::string_view text, std::string_view file, PairTable& table) {
    RecordReader reader(text, dialect_of_pairs(text), std::string(file));
    constexpr std::size_t most_columns_of_pairs = 65536;
    std::vector<Cell> cells;
    PLIMSOLL_RETURN_IF_ERROR(reader.next(cells, most_columns_of_pairs));
    std::vector<std::string> header;
    for (const Cell& cell : cells) header.emplace_back(cell.text);
    PLIMSOLL_ASSIGN(layout, checked_layout(header, table.names(), file));
    while (true) {
        PLIMSOLL_ASSIGN(more, reader.next(cells, most_columns_of_pairs));
        if (!more) return {};
        if (cells.size() != header.size())
            return reader.wrong(fmt::format("{} cells where the header has {}", cells.size(), header.size()));
        PairRow row;
        for (std::size_t column = 0; column < pair_columns; ++column)
            if (layout[column]) row[column] = std::string(cells[*layout[column]].text);
        PLIMSOLL_RETURN_IF_ERROR(table.add(std::move(row), fmt::format("{}: line {}", file, reader.line())));
    }
}

Result<std::string> text_of_member(const Json& value, const std::string& name, const std::string& where) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_unsigned()) return std::to_string(value.get<std::uint64_t>());
    if (value.is_boolean()) return std::string(value.get<bool>() ? "true" : "false");
    if (value.is_null()) return std::string();
    if (value.is_number_integer() && value.get<std::int64_t>() == -1) return std::string("-");
    return bad_input(where, fmt::format("{} is neither a text nor a whole number", name));
}

Status add_json_line(std::string_view line, const std::string& where, PairTable& table) {
    PLIMSOLL_ASSIGN(object, parse_json(line, where));
    if (!object.is_object()) return bad_input(where, "is not a JSON object");
    PairRow row;
    for (std::size_t column = 0; column < pair_columns; ++column)
        for (const auto& name : table.names()[column].names)
            for (const auto& [key, value] : object.items()) {
                if (row[column] || lower(key) != name) continue;
                PLIMSOLL_ASSIGN(text, text_of_member(value, key, where));
                row[column] = std::move(text);
            }
    return table.add(std::move(row), where);
}

Status read_json_lines(std::string_view text, std::string_view file, PairTable& table) {
    for (std::size_t number = 1; !text.empty(); ++number) {
        const auto end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (trim(line).empty()) continue;
        PLIMSOLL_RETURN_IF_ERROR(add_json_line(line, fmt::format("{}: line {}", file, number), table));
    }
    return {};
}

}  // namespace

bool names_sentence_pairs(std::span<const std::string> header, std::span<const std::string> asked) {
    const PairLayout layout = layout_of(header, names_for(asked));
    return layout[first_text] && layout[second_text] && layout[label_cell];
}

Result<SentencePairs> parse_sentence_pairs(std::string_view text, std::string_view name,
                                           std::span<const std::string> asked) {
    if (!asked.empty() && asked.size() != split_cell)
        return bad_input("columns", fmt::format("names the first sentence, the second and the label, with "
                                                "commas between; got {} names",
                                                asked.size()));
    text = without_mark(text);
    if (trim(text.substr(0, 1000)).empty())
        return bad_input(std::string(name), "is empty; a table of sentence pairs has a header line");
    PairTable table(name, asked);
    const bool json = trim(text.substr(0, 100)).starts_with('{');
    PLIMSOLL_RETURN_IF_ERROR(json ? read_json_lines(text, name, table) : read_table(text, name, table));
    return table.finish();
}

Result<SentencePairs> load_sentence_pairs(const std::filesystem::path& path,
                                          std::span<const std::string> asked, const LoadOptions& options) {
    PLIMSOLL_ASSIGN(file, load_file(path, options));
    const auto bytes = file.bytes.view();
    return parse_sentence_pairs({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, file.name,
                                asked);
}

}  // namespace plimsoll::data
