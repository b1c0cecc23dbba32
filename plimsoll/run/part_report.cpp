#include "plimsoll/run/part_report.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "plimsoll/data/describe/duplicates.h"
#include "plimsoll/run/splits.h"
#include "plimsoll/run/table_encoding.h"

namespace plimsoll::run {
namespace {

using RowBytes = std::function<std::span<const std::uint8_t>(std::size_t)>;

// Labelled examples of any kind, as their splits in a row.
struct Examples {
    std::vector<std::uint16_t> labels, split_of;
    std::vector<std::string> split_names, class_names;
    std::string unit;
    RowBytes bytes;  // of one example; empty: they are not compared
};

std::vector<std::size_t> rows_in(const Examples& all, const SetPart& part, const DataSettings& settings) {
    return rows_of_part(all.labels, all.split_of, part, settings);
}

std::vector<std::uint64_t> count_classes(const Examples& all, const std::vector<std::size_t>& rows) {
    std::vector<std::uint64_t> counts(all.class_names.size());
    for (const std::size_t row : rows)
        if (all.labels[row] < counts.size()) ++counts[all.labels[row]];
    return counts;
}

std::uint64_t count_repeated(const Examples& all, const std::vector<std::size_t>& train,
                             const std::vector<std::size_t>& held_out) {
    const auto sets = data::find_duplicates({train.size(), held_out.size()}, [&](data::RecordId record) {
        return all.bytes(record.group == 0 ? train[record.index] : held_out[record.index]);
    });
    for (const auto& overlap : data::overlaps(sets, 2))
        if (overlap.first == 0 && overlap.second == 1) return overlap.records;
    return 0;
}

Result<PartReport> report_examples(const Examples& all, const DataSettings& settings) {
    PLIMSOLL_ASSIGN(parts, labelled_parts_of(all.split_names, settings));
    const auto train = rows_in(all, parts.train, settings), held_out = rows_in(all, parts.held_out, settings);
    PartReport report{.train = parts.train.name, .held_out = parts.held_out.name, .unit = all.unit};
    report.train_count = train.size();
    report.held_out_count = held_out.size();
    report.train_classes = count_classes(all, train);
    report.held_out_classes = count_classes(all, held_out);
    report.class_names = all.class_names;
    report.looked_for_equals = static_cast<bool>(all.bytes);
    if (all.bytes) report.repeated = count_repeated(all, train, held_out);
    return report;
}

Result<PartReport> parts_of_set(const data::Images& images, const DataSettings& settings) {
    Examples all{.labels = {},
                 .split_of = {},
                 .split_names = {},
                 .class_names = images.class_names,
                 .unit = "images",
                 .bytes = {}};
    std::vector<std::span<const std::uint8_t>> pixels;
    for (const auto& split : images.splits) {
        if (split.labels.empty()) continue;
        all.labels.insert(all.labels.end(), split.labels.begin(), split.labels.end());
        all.split_of.resize(all.labels.size(), static_cast<std::uint16_t>(all.split_names.size()));
        all.split_names.push_back(split.name);
        for (std::size_t i = 0; i < split.count(); ++i) pixels.push_back(split.pixels(i, images.shape));
    }
    if (all.labels.empty()) return bad_input("data", "has no labels: there is no part to hold out");
    all.bytes = [&](std::size_t row) { return pixels[row]; };
    return report_examples(all, settings);
}

Examples without_splits(std::size_t count, const std::vector<std::uint16_t>& split_of,
                        const std::vector<std::string>& split_names) {
    Examples all;
    all.split_of = split_of.empty() ? std::vector<std::uint16_t>(count, 0) : split_of;
    all.split_names = split_of.empty() ? std::vector<std::string>{"all"} : split_names;
    return all;
}

Result<PartReport> parts_of_set(const data::SentencePairs& pairs, const DataSettings& settings) {
    Examples all = without_splits(pairs.labels.size(), pairs.split_of, pairs.split_names);
    all.labels = pairs.labels;
    all.class_names = pairs.label_names;
    all.unit = "pairs";
    std::vector<std::string> both(pairs.labels.size());
    for (std::size_t i = 0; i < both.size(); ++i) both[i] = pairs.first[i] + '\n' + pairs.second[i];
    all.bytes = [&](std::size_t row) {
        return std::span(reinterpret_cast<const std::uint8_t*>(both[row].data()), both[row].size());
    };
    return report_examples(all, settings);
}

// The features of every row, one after the other, so that rows can be compared; what only numbers them is 0.
std::vector<std::uint8_t> packed_rows(const data::Table& table, std::size_t row_bytes) {
    std::vector<std::uint8_t> packed(table.rows * row_bytes);
    std::size_t at = 0;
    const auto put = [&](const auto& values) {
        for (std::size_t i = 0; i < table.rows; ++i)
            std::memcpy(&packed[i * row_bytes + at], &values[i], sizeof values[i]);
        at += sizeof values[0];
    };
    for (const auto& column : table.numbers)
        if (!numbers_rows(table, column)) put(column.values);
    for (const auto& column : table.categories) put(column.codes);
    return packed;
}

Result<PartReport> parts_of_set(const data::Table& table, const DataSettings& settings) {
    constexpr std::size_t most_compared = std::size_t{1} << 28;
    Examples all = without_splits(table.rows, table.split_of, table.split_names);
    all.labels = table.label.classes;
    all.labels.resize(table.rows);  // numbers: one class for all
    all.class_names = table.label.class_names;
    all.unit = "rows";
    const std::size_t row_bytes =
        table.numbers.size() * sizeof(float) + table.categories.size() * sizeof(std::uint16_t);
    const bool compared = row_bytes > 0 && table.rows <= most_compared / row_bytes;
    const auto packed = compared ? packed_rows(table, row_bytes) : std::vector<std::uint8_t>();
    if (compared)
        all.bytes = [&](std::size_t row) { return std::span(packed).subspan(row * row_bytes, row_bytes); };
    PLIMSOLL_ASSIGN(report, report_examples(all, settings));
    PLIMSOLL_ASSIGN(parts, table_parts(table, settings));
    report.train = parts.train.name;
    report.held_out = parts.held_out.name;
    const auto encoding = learn_encoding(table, rows_of_part(table, parts.train, settings), table.label.name);
    if (encoding.ok()) report.spec_keys = encoding->spec_keys();
    if (encoding.ok()) report.unread_columns = unread_columns(table, *encoding);
    if (!encoding.ok()) report.problem = encoding.error().message;
    return report;
}

// A share of a row of bytes or tokens.
Result<PartReport> report_row(std::span<const std::string> names, std::span<const std::uint64_t> sizes,
                              const std::string& unit, const DataSettings& settings) {
    PLIMSOLL_ASSIGN(parts, parts_of(names, settings));
    PartReport report{.train = parts.train.name, .held_out = parts.held_out.name, .unit = unit};
    report.looked_for_equals = false;
    std::uint64_t total = 0;
    for (const std::size_t i : parts.train.splits) total += sizes[i];
    report.train_count = total;
    if (parts.held_out.cut == Cut::end) {
        report.train_count = last_tokens_begin(total, settings.validation_fraction);
        report.held_out_count = total - report.train_count;
        return report;
    }
    for (const std::size_t i : parts.held_out.splits) report.held_out_count += sizes[i];
    return report;
}

Result<PartReport> parts_of_set(const data::Tokens& tokens, const DataSettings& settings) {
    std::vector<std::string> names;
    std::vector<std::uint64_t> sizes;
    for (const auto& split : tokens.splits) {
        names.push_back(split.name);
        sizes.push_back(split.count);
    }
    if (names.empty()) {
        names.emplace_back("all");
        sizes.push_back(tokens.count());
    }
    return report_row(names, sizes, "tokens", settings);
}

Result<PartReport> parts_of_set(const data::TextFiles& text, const DataSettings& settings) {
    std::vector<std::string> names;
    std::vector<std::uint64_t> sizes;
    for (const auto& file : text.files) {
        names.push_back(file.name);
        sizes.push_back(file.bytes.size());
    }
    return report_text_parts(names, sizes, settings);
}

Result<PartReport> parts_of_set(const auto&, const DataSettings&) {
    return bad_input("data", "is made, not read");
}

}  // namespace

Result<PartReport> report_parts(const data::Dataset& set, const DataSettings& settings) {
    return std::visit([&](const auto& one) { return parts_of_set(one, settings); }, set);
}

Result<PartReport> report_text_parts(std::span<const std::string> files, std::span<const std::uint64_t> bytes,
                                     const DataSettings& settings) {
    const auto names = text_splits(files, bytes, settings);
    if (names.size() == files.size()) return report_row(names, bytes, "bytes", settings);
    const std::vector<std::uint64_t> all{std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0})};
    return report_row(names, all, "bytes", settings);
}

}  // namespace plimsoll::run
