#include "plimsoll/cli/data/data_text.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/cli/data/parts_text.h"
#include "plimsoll/cli/data/table_facts.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/wrap.h"

namespace plimsoll::cli {
namespace {

using data::ImageReport;
using data::PairReport;
using data::TextReport;
using data::TokenReport;

constexpr std::size_t most_rows = 20;  // of a list for people; --json has all

std::string reals(const std::vector<double>& values) {
    std::string text;
    for (const double value : values) text += fmt::format("{}{:.4f}", text.empty() ? "" : " ", value);
    return text;
}

std::string sets(std::uint64_t count) { return fmt::format("{} {}", count, count == 1 ? "set" : "sets"); }

// One row per class, one column per labelled split.
template <class Split>
void print_histogram(const std::vector<std::string>& names, const std::vector<Split>& splits) {
    std::vector<Column> columns{{"label"}, {"class", Align::left}};
    for (const auto& split : splits)
        if (!split.histogram.empty()) columns.push_back({printable(split.name)});
    if (columns.size() == 2) return;
    Table table(columns);
    for (std::size_t label = 0; label < std::min(names.size(), most_rows); ++label) {
        std::vector<std::string> cells{std::to_string(label), printable(names[label])};
        for (const auto& split : splits)
            if (!split.histogram.empty()) cells.push_back(std::to_string(split.histogram[label]));
        table.add(std::move(cells));
    }
    fmt::print("\n");
    table.print();
    if (names.size() > most_rows)
        fmt::print("  and {} more classes (--json has all)\n", names.size() - most_rows);
}

std::string overlap_sentence(const data::Overlap& overlap, const ImageReport& report) {
    const std::string first = printable(report.splits[overlap.first].name),
                      second = printable(report.splits[overlap.second].name);
    const std::string example = fmt::format("{} {} = {} {}", second, overlap.example_second.index, first,
                                            overlap.example_first.index);
    if (overlap.first == overlap.second)
        return fmt::format("{} of {} repeat an earlier one ({})", overlap.records, first, example);
    return fmt::format("{} of {} are in {} too ({})", overlap.records, second, first, example);
}

void print_facts(const ImageReport& report) {
    const auto& shape = report.shape;
    fmt::print("  images of {} x {} pixels, {}\n\n", shape.height, shape.width,
               shape.channels == 1 ? "grey" : fmt::format("{} channels", shape.channels));
    Table splits(
        {{"split", Align::left}, {"images"}, {"mean by channel", Align::left}, {"deviation", Align::left}});
    for (const auto& split : report.splits)
        splits.add(
            {printable(split.name), std::to_string(split.count), reals(split.mean), reals(split.deviation)});
    splits.print();
    print_histogram(report.class_names, report.splits);
    fmt::print("\n");
    if (report.overlaps.empty()) fmt::print("o no two images are equal, in a split or between splits\n");
    for (const auto& overlap : report.overlaps)
        fmt::print("{}", wrapped("! duplicates: " + overlap_sentence(overlap, report), 0, 2));
    if (report.label_conflicts > 0)
        fmt::print("! {} of equal images with different labels\n", sets(report.label_conflicts));
    for (const auto& note : report.notes) fmt::print("- {}\n", printable(note));
}

void print_files(const TextReport& report) {
    Table table({{"file", Align::left}, {"bytes"}, {"lines"}, {"longest"}});
    for (std::size_t i = 0; i < std::min(report.files.size(), most_rows); ++i) {
        const auto& file = report.files[i];
        table.add({printable(file.name), std::to_string(file.bytes), std::to_string(file.lines),
                   std::to_string(file.longest_line_bytes)});
    }
    fmt::print("\n");
    table.print();
    if (report.files.size() > most_rows)
        fmt::print("  and {} more files (--json has all)\n", report.files.size() - most_rows);
    fmt::print("\n");
}

void print_left_out(const std::vector<data::LeftOutFile>& files) {
    if (files.empty()) return;
    fmt::print("- {} {} left out\n", files.size(), files.size() == 1 ? "file is" : "files are");
    for (std::size_t i = 0; i < std::min(files.size(), most_rows); ++i)
        fmt::print("    {}: {}\n", printable(files[i].name), files[i].why);
    if (files.size() > most_rows) fmt::print("    and {} more (--json has all)\n", files.size() - most_rows);
}

Json left_out_json(const std::vector<data::LeftOutFile>& files) {
    Json list = Json::array();
    for (const auto& file : files) list.push_back({{"name", file.name}, {"why", file.why}});
    return list;
}

void print_facts(const TextReport& report) {
    fmt::print("  {} bytes, {} lines, {} characters in {} {}\n", report.bytes, report.lines,
               report.characters, report.files.size(), report.files.size() == 1 ? "file" : "files");
    fmt::print("  {:.4f} bits of entropy per byte, {} different bytes\n", report.entropy_bits_per_byte,
               report.distinct_bytes);
    print_files(report);
    bool clean = true;
    for (const auto& file : report.files) {
        if (file.first_bad_byte) {
            fmt::print("! {}: not UTF-8 from byte {} on\n", printable(file.name), *file.first_bad_byte);
            clean = false;
        }
        if (!file.same_as.empty())
            fmt::print("! {}: the same bytes as {}\n", printable(file.name), printable(file.same_as));
    }
    if (clean) fmt::print("o all of it is UTF-8\n");
    print_left_out(report.left_out);
}

void print_facts(const TokenReport& report) {
    fmt::print("  {} ids of {} bits, {} to {}, {} different\n", report.count, report.bits, report.smallest,
               report.largest, report.distinct);
    fmt::print("  {:.4f} bits of entropy per id, order not counted\n", report.entropy_bits_per_token);
}

void print_facts(const PairReport& report) {
    std::uint64_t count = 0;
    for (const auto& split : report.splits) count += split.count;
    fmt::print("  {} pairs; the first sentences have {:.1f} bytes on average, the second {:.1f}\n", count,
               report.mean_first_bytes, report.mean_second_bytes);
    print_histogram(report.label_names, report.splits);
    fmt::print("\n");
    if (report.repeated == 0) fmt::print("o no two pairs are equal\n");
    if (report.repeated > 0) fmt::print("! duplicates: {} pairs repeat an earlier one\n", report.repeated);
    if (report.label_conflicts > 0)
        fmt::print("! {} of equal pairs with different labels\n", sets(report.label_conflicts));
    if (report.left_out > 0)
        fmt::print("- {} pairs without an agreed label (-) are left out\n", report.left_out);
}

void print_facts(const data::TableReport& report) {
    fmt::print("{}", table_facts_text(report));
    print_histogram(report.class_names, report.splits);
}

Json facts_json(const data::TableReport& report) { return table_facts_json(report); }

Json shape_json(const data::ImageShape& shape) {
    return {{"channels", shape.channels}, {"height", shape.height}, {"width", shape.width}};
}

Json facts_json(const ImageReport& report) {
    Json splits = Json::array(), overlaps = Json::array();
    for (const auto& split : report.splits)
        splits.push_back({{"name", split.name},
                          {"count", split.count},
                          {"histogram", split.histogram},
                          {"mean", split.mean},
                          {"deviation", split.deviation}});
    for (const auto& overlap : report.overlaps)
        overlaps.push_back({{"first", report.splits[overlap.first].name},
                            {"second", report.splits[overlap.second].name},
                            {"records", overlap.records},
                            {"example", {overlap.example_first.index, overlap.example_second.index}}});
    return {{"shape", shape_json(report.shape)},
            {"classes", report.class_names},
            {"splits", splits},
            {"duplicates", overlaps},
            {"label_conflicts", report.label_conflicts},
            {"notes", report.notes}};
}

Json facts_json(const TextReport& report) {
    Json files = Json::array();
    for (const auto& file : report.files)
        files.push_back({{"name", file.name},
                         {"bytes", file.bytes},
                         {"lines", file.lines},
                         {"characters", file.characters},
                         {"longest_line_bytes", file.longest_line_bytes},
                         {"first_bad_byte", file.first_bad_byte ? Json(*file.first_bad_byte) : Json()},
                         {"same_as", file.same_as.empty() ? Json() : Json(file.same_as)}});
    return {{"bytes", report.bytes},
            {"lines", report.lines},
            {"characters", report.characters},
            {"entropy_bits_per_byte", report.entropy_bits_per_byte},
            {"distinct_bytes", report.distinct_bytes},
            {"files", files},
            {"left_out", left_out_json(report.left_out)}};
}

Json facts_json(const TokenReport& report) {
    return {{"count", report.count},       {"bits", report.bits},
            {"smallest", report.smallest}, {"largest", report.largest},
            {"distinct", report.distinct}, {"entropy_bits_per_token", report.entropy_bits_per_token}};
}

Json facts_json(const PairReport& report) {
    Json splits = Json::array();
    for (const auto& split : report.splits)
        splits.push_back({{"name", split.name}, {"count", split.count}, {"histogram", split.histogram}});
    return {{"labels", report.label_names},
            {"splits", splits},
            {"mean_first_bytes", report.mean_first_bytes},
            {"mean_second_bytes", report.mean_second_bytes},
            {"left_out", report.left_out},
            {"repeated", report.repeated},
            {"label_conflicts", report.label_conflicts}};
}

}  // namespace

void print_data(const data::DataReport& report) {
    fmt::print("{}: {}\n", printable(report.path.string()), printable(report.reading));
    std::visit([](const auto& facts) { print_facts(facts); }, report.facts);
    if (!report.first.empty()) fmt::print("\n  first examples, as they were understood\n");
    for (const auto& line : report.first) fmt::print("{}", wrapped(line, 4, 6));
    print_parts(report);
}

Json to_json(const data::DataReport& report) {
    Json value{
        {"path", report.path.string()}, {"kind", data::kind_name(report.kind)}, {"reading", report.reading}};
    value.update(std::visit([](const auto& facts) { return facts_json(facts); }, report.facts));
    value["first"] = report.first;
    value["parts"] = parts_json(report);
    return value;
}

}  // namespace plimsoll::cli
