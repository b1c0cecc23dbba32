#include "plimsoll/cli/data/parts_text.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/wrap.h"

namespace plimsoll::cli {
namespace {

constexpr std::uint64_t least_for_fit = 1000;  // bytes or tokens held out
constexpr std::uint64_t least_numbers = 10;    // rows held out whose label is a number

double share(std::uint64_t part, std::uint64_t all) {
    return all == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(all);
}

std::string class_name(const run::PartReport& parts, std::vector<std::uint64_t>::const_iterator at) {
    return printable(parts.class_names[static_cast<std::size_t>(at - parts.train_classes.begin())]);
}

// "balance: 'cat' is 12 % of what is trained on, 'dog' 8 %; ..."
std::string balance_sentence(const run::PartReport& parts) {
    const auto most = std::ranges::max_element(parts.train_classes),
               least = std::ranges::min_element(parts.train_classes);
    const std::string shares = *most == *least
                                   ? fmt::format("each class is {:.1f} %", share(*most, parts.train_count))
                                   : fmt::format("'{}' is {:.1f} % and '{}' {:.1f} %",
                                                 class_name(parts, most), share(*most, parts.train_count),
                                                 class_name(parts, least), share(*least, parts.train_count));
    const std::uint64_t held =
        parts.held_out_classes[static_cast<std::size_t>(most - parts.train_classes.begin())];
    return fmt::format(
        "balance: {} of what is trained on; always answering '{}' is right for {:.1f} % of what "
        "is held out",
        shares, class_name(parts, most), share(held, parts.held_out_count));
}

// Classes that are trained on and not held out.
std::uint64_t classes_without(const run::PartReport& parts) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < parts.train_classes.size(); ++i)
        count += parts.train_classes[i] > 0 && parts.held_out_classes[i] == 0 ? 1 : 0;
    return count;
}

// What fit would do with it, in one sentence.
struct FitSentence {
    const run::PartReport& parts;
    std::string row(std::string_view of, std::string_view measure) const {
        if (parts.held_out_count < least_for_fit)
            return fmt::format("fit would refuse it: at least {} {} must be held out", least_for_fit,
                               parts.unit);
        return fmt::format(
            "fit would learn to predict the next {} and compare networks by {} on the part held "
            "out",
            of, measure);
    }
    std::string operator()(const data::TextReport&) const { return row("byte or token", "bits per byte"); }
    std::string operator()(const data::TokenReport&) const { return row("token", "bits per token"); }
    std::string operator()(const data::TableReport& table) const {
        if (!parts.problem.empty()) return "fit would refuse it: it " + parts.problem;
        if (!parts.class_names.empty()) return classes();
        if (parts.held_out_count < least_numbers)
            return fmt::format("fit would refuse it: at least {} rows must be held out", least_numbers);
        return fmt::format(
            "fit would learn to predict `{}` and compare networks by the share of its variance that "
            "they explain on the part held out",
            printable(table.label));
    }
    std::string operator()(const auto&) const { return classes(); }
    [[nodiscard]] std::string classes() const {
        if (parts.train_count == 0 || parts.held_out_count == 0)
            return fmt::format("fit would refuse it: {} {} are too few to hold some of them out",
                               parts.train_count + parts.held_out_count, parts.unit);
        if (std::ranges::count_if(parts.train_classes, [](auto count) { return count > 0; }) < 2)
            return "fit would refuse it: there is one class, and nothing to tell apart";
        return fmt::format(
            "fit would learn to tell {} classes apart and compare networks by accuracy on the "
            "part held out",
            parts.class_names.size());
    }
};

void print_labelled(const run::PartReport& parts) {
    fmt::print("{}", wrapped(balance_sentence(parts), 2, 4));
    if (const auto missing = classes_without(parts); missing > 0)
        fmt::print("! {} of {} classes are trained on and not held out\n", missing, parts.class_names.size());
}

// The columns that no run reads; the first of many.
void print_unread(const std::vector<data::LeftOutFile>& columns) {
    constexpr std::size_t most = 10;
    for (std::size_t i = 0; i < std::min(columns.size(), most); ++i)
        fmt::print("- column {} is not read: {}\n", printable(columns[i].name), columns[i].why);
    if (columns.size() > most) fmt::print("- and {} more columns (--json has all)\n", columns.size() - most);
}

Json unread_json(const std::vector<data::LeftOutFile>& columns) {
    Json unread = Json::array();
    for (const auto& column : columns) unread.push_back({{"name", column.name}, {"why", column.why}});
    return unread;
}

}  // namespace

Result<run::PartReport> parts_of(const data::DataReport& report) {
    const run::DataSettings usual;
    if (report.set) return run::report_parts(*report.set, usual);
    std::vector<std::string> names;
    std::vector<std::uint64_t> sizes;
    for (const auto& file : std::get<data::TextReport>(report.facts).files) {
        names.push_back(file.name);
        sizes.push_back(file.bytes);
    }
    return run::report_text_parts(names, sizes, usual);
}

void print_parts(const data::DataReport& report) {
    const auto parts = parts_of(report);
    fmt::print("\n");
    if (!parts.ok()) {
        fmt::print("{}", wrapped("! no part can be held out: " + parts.error().text(), 0, 2));
        return;
    }
    Table table({{"part", Align::left}, {parts->unit}, {"share"}, {"which", Align::left}});
    const std::uint64_t all = parts->train_count + parts->held_out_count;
    table.add({"training", std::to_string(parts->train_count),
               fmt::format("{:.1f} %", share(parts->train_count, all)), printable(parts->train)});
    table.add({"held out", std::to_string(parts->held_out_count),
               fmt::format("{:.1f} %", share(parts->held_out_count, all)), printable(parts->held_out)});
    table.print();
    fmt::print("\n");
    if (!parts->train_classes.empty() && parts->train_count > 0 && parts->held_out_count > 0)
        print_labelled(*parts);
    if (parts->repeated > 0)
        fmt::print("! {} of the {} {} held out are trained on too\n", parts->repeated, parts->held_out_count,
                   parts->unit);
    print_unread(parts->unread_columns);
    fmt::print("{}", wrapped(std::visit(FitSentence{*parts}, report.facts), 2, 4));
    if (!parts->spec_keys.empty())
        fmt::print(
            "{}",
            wrapped("train reads it with a network such as mlp:depth=3,width=64," + parts->spec_keys, 2, 4));
}

Json parts_json(const data::DataReport& report) {
    const auto parts = parts_of(report);
    if (!parts.ok()) return {{"error", parts.error().text()}};
    return {{"unit", parts->unit},
            {"train",
             {{"name", parts->train}, {"count", parts->train_count}, {"histogram", parts->train_classes}}},
            {"held_out",
             {{"name", parts->held_out},
              {"count", parts->held_out_count},
              {"histogram", parts->held_out_classes}}},
            {"held_out_repeated_in_train", parts->looked_for_equals ? Json(parts->repeated) : Json()},
            {"unread_columns", unread_json(parts->unread_columns)},
            {"spec_keys", parts->spec_keys.empty() ? Json() : Json(parts->spec_keys)},
            {"fit", std::visit(FitSentence{*parts}, report.facts)}};
}

}  // namespace plimsoll::cli
