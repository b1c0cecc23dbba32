#include "plimsoll/data/readers/sentence_pairs.h"

#include <algorithm>
#include <array>
#include <optional>

#include "plimsoll/base/format.h"
#include "plimsoll/base/json.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"

namespace plimsoll::data {
namespace {

enum Column : std::size_t { first, second, label, split, columns };

struct ColumnNames {
    std::string_view what;
    std::vector<std::string> names;  // in lower case, the preferred first
};
const std::array<ColumnNames, columns>& column_names() {
    static const std::array<ColumnNames, columns> names{
        {{"first sentence", {"sentence1", "premise", "sentence_a", "text", "text_a", "question"}},
         {"second sentence", {"sentence2", "hypothesis", "sentence_b", "text_b", "sentence"}},
         {"label", {"gold_label", "label", "entailment_judgment", "entailment_label", "value", "entailment"}},
         {"split", {"split", "semeval_set"}}}};
    return names;
}

// Labels as they are written and as they are meant; a number n means first_number + n until the end.
enum Meaning : std::uint16_t { entailment, neutral, contradiction, not_entailment, first_number };
constexpr std::array<std::string_view, first_number> meaning_names{"entailment", "neutral", "contradiction",
                                                                   "not_entailment"};
struct LabelName {
    std::string_view written;
    Meaning meant;
};
constexpr LabelName label_names[] = {
    {"entailment", entailment}, {"neutral", neutral},      {"contradiction", contradiction},
    {"yes", entailment},        {"no", not_entailment},    {"not_entailment", not_entailment},
    {"true", entailment},       {"false", not_entailment}, {"unknown", neutral},
};

std::string lower(std::string_view text) {
    std::string copy(text);
    for (char& c : copy)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return copy;
}

Result<std::uint16_t> meaning(std::string_view written, const std::string& where) {
    const std::string word = lower(trim(written));
    for (const auto& name : label_names)
        if (name.written == word) return std::uint16_t{name.meant};
    constexpr std::size_t most_digits = 4;
    const bool digits = std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (digits && !word.empty() && word.size() <= most_digits)
        return static_cast<std::uint16_t>(first_number + std::stoi(word));
    return bad_input(
        where, fmt::format("label '{}'; known are entailment, neutral, contradiction, not_entailment, yes, "
                           "no, true, false, unknown, numbers up to 9999 and -",
                           printable(written)));
}

// Labels get the same number in every file of a data set, whichever of them it holds: numbers stay, with
// not_entailment there are two classes, otherwise the usual three.
Status settle_labels(SentencePairs& pairs, std::string_view name) {
    const auto [low, high] = std::minmax_element(pairs.labels.begin(), pairs.labels.end());
    const bool numbers = *low >= first_number, words = *high < first_number;
    if (!numbers && !words) return bad_input(std::string(name), "some labels are numbers and some are words");
    if (numbers) {
        for (int i = 0; i <= *high - first_number; ++i) pairs.label_names.push_back(std::to_string(i));
        for (auto& label : pairs.labels) label = static_cast<std::uint16_t>(label - first_number);
        return {};
    }
    std::vector<std::uint16_t> order{entailment, neutral, contradiction};
    const auto has = [&](Meaning one) {
        return std::find(pairs.labels.begin(), pairs.labels.end(), one) != pairs.labels.end();
    };
    if (has(not_entailment)) {
        order = {entailment, not_entailment};
        for (const Meaning other : {neutral, contradiction})
            if (has(other)) order.push_back(other);
    }
    for (const auto one : order) pairs.label_names.emplace_back(meaning_names[one]);
    for (auto& label : pairs.labels)
        label = static_cast<std::uint16_t>(std::find(order.begin(), order.end(), label) - order.begin());
    return {};
}

std::uint16_t index_of(const std::string& name, std::vector<std::string>& names) {
    const auto at = std::find(names.begin(), names.end(), name);
    const auto index = static_cast<std::uint16_t>(at - names.begin());
    if (at == names.end()) names.push_back(name);
    return index;
}

// The cells of a TSV line; an empty cell is one too.
std::vector<std::string> split_cells(std::string_view line) {
    std::vector<std::string> cells;
    for (;;) {
        const auto end = line.find('\t');
        cells.emplace_back(line.substr(0, end));
        if (end == std::string_view::npos) return cells;
        line.remove_prefix(end + 1);
    }
}

// The cells of one line, by column; the split may be missing.
using Row = std::array<std::optional<std::string>, columns>;

Status add_row(Row row, const std::string& where, SentencePairs& pairs) {
    for (const Column column : {first, second, label}) {
        if (!row[column]) return bad_input(where, fmt::format("has no {}", column_names()[column].what));
        if (!is_utf8(*row[column]))
            return bad_input(where, fmt::format("its {} is not UTF-8", column_names()[column].what));
    }
    if (trim(*row[label]) == "-") {
        ++pairs.left_out;
        return {};
    }
    PLIMSOLL_ASSIGN(meant, meaning(*row[label], where));
    constexpr std::size_t most_splits = 65535;
    pairs.labels.push_back(meant);
    if (row[split]) pairs.split_of.push_back(index_of(printable(*row[split]), pairs.split_names));
    if (pairs.split_names.size() > most_splits) return bad_input(where, "more than 65535 different splits");
    pairs.first.push_back(std::move(*row[first]));
    pairs.second.push_back(std::move(*row[second]));
    return {};
}

std::string_view take_line(std::string_view& rest) {
    const auto end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

// Which cell of a TSV line is which column.
struct TsvLayout {
    std::array<std::optional<std::size_t>, columns> cell;
    std::size_t cells = 0;
};

Result<TsvLayout> tsv_layout(std::string_view header, std::string_view name) {
    std::vector<std::string> cells = split_cells(header);
    for (auto& cell : cells) cell = lower(trim(cell));
    TsvLayout layout;
    layout.cells = cells.size();
    for (std::size_t column = 0; column < columns; ++column) {
        const auto& names = column_names()[column].names;
        const auto found = std::find_first_of(names.begin(), names.end(), cells.begin(), cells.end());
        if (found != names.end())
            layout.cell[column] =
                static_cast<std::size_t>(std::find(cells.begin(), cells.end(), *found) - cells.begin());
        else if (column != split)
            return bad_input(fmt::format("{}: line 1", name),
                             fmt::format("no column for the {}; it may be named {}",
                                         column_names()[column].what, join(names, ", ")));
    }
    return layout;
}

Status add_tsv_line(std::string_view line, const TsvLayout& layout, const std::string& where,
                    SentencePairs& pairs) {
    const std::vector<std::string> cells = split_cells(line);
    if (cells.size() != layout.cells)
        return bad_input(where, fmt::format("{} cells where the header has {}", cells.size(), layout.cells));
    Row row;
    for (std::size_t column = 0; column < columns; ++column)
        if (layout.cell[column]) row[column] = cells[*layout.cell[column]];
    return add_row(std::move(row), where, pairs);
}

Status add_json_line(std::string_view line, const std::string& where, SentencePairs& pairs) {
    PLIMSOLL_ASSIGN(object, parse_json(line, where));
    if (!object.is_object()) return bad_input(where, "is not a JSON object");
    Row row;
    for (std::size_t column = 0; column < columns; ++column) {
        for (const auto& name : column_names()[column].names) {
            const auto member = object.find(name);
            if (member == object.end() || row[column]) continue;
            if (member->is_string()) row[column] = member->get<std::string>();
            if (member->is_number_unsigned()) row[column] = std::to_string(member->get<std::uint64_t>());
            if (member->is_boolean()) row[column] = member->get<bool>() ? "true" : "false";
            if (!row[column])
                return bad_input(where, fmt::format("{} is neither a text nor a whole number", name));
        }
    }
    return add_row(std::move(row), where, pairs);
}

}  // namespace

Result<SentencePairs> parse_sentence_pairs(std::string_view text, std::string_view name) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    const bool json = trim(text.substr(0, 100)).starts_with('{');
    SentencePairs pairs;
    TsvLayout layout;
    if (trim(text.substr(0, 1000)).empty())
        return bad_input(std::string(name), "is empty; a table of sentence pairs has a header line");
    for (std::size_t line_number = 1; !text.empty(); ++line_number) {
        const std::string_view line = take_line(text);
        if (!json && line_number == 1) {
            PLIMSOLL_ASSIGN(found, tsv_layout(line, name));
            layout = found;
            continue;
        }
        if (line.empty()) continue;
        const std::string where = fmt::format("{}: line {}", name, line_number);
        PLIMSOLL_RETURN_IF_ERROR(json ? add_json_line(line, where, pairs)
                                      : add_tsv_line(line, layout, where, pairs));
        if (!pairs.split_of.empty() && pairs.split_of.size() != pairs.labels.size())
            return bad_input(where, "some pairs have a split and some have none");
    }
    if (pairs.labels.empty()) return bad_input(std::string(name), "has no sentence pairs with a label");
    PLIMSOLL_RETURN_IF_ERROR(settle_labels(pairs, name));
    return pairs;
}

Result<SentencePairs> load_sentence_pairs(const std::filesystem::path& path, const LoadOptions& options) {
    PLIMSOLL_ASSIGN(file, load_file(path, options));
    const auto bytes = file.bytes.view();
    return parse_sentence_pairs({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, file.name);
}

}  // namespace plimsoll::data
