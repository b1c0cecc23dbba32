#include <algorithm>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/loss_plot.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/runs/runs_text.h"
#include "plimsoll/cli/wrap.h"
#include "plimsoll/store/run_export.h"
#include "plimsoll/store/run_folder.h"

namespace plimsoll::cli {
namespace {

using store::RunRow, store::RunTable;

constexpr std::size_t log_lines = 5, most_side_by_side = 48;

void print_fact(const std::string& name, const std::string& value, char mark = ' ') {
    if (!value.empty()) fmt::print("{} {:<28}{}\n", mark, name, printable(value));
}

std::string text_of(const RunTable& table, const RunRow& row, const char* key) {
    return store::cell_text(table.at(row, key));
}

std::string state_text(const RunTable& table, const RunRow& row) {
    const std::string reason = text_of(table, row, "reason");
    return fmt::format("{}, step {}{}", text_of(table, row, "phase"), text_of(table, row, "step"),
                       reason.empty() ? "" : ": " + reason);
}

void print_sessions(const RunTable& table, const RunRow& row) {
    const std::string host = text_of(table, row, "host"), device = text_of(table, row, "device");
    print_fact("ran on", host.empty() || device.empty() ? host : host + " (" + device + ")");
    print_fact("started", text_of(table, row, "started"));
    print_fact("ended", text_of(table, row, "ended"));
    if (const auto& seconds = table.at(row, "seconds"); store::is_number(seconds))
        print_fact("seconds", fmt::format("{:.1f}", store::number_of(seconds)));
    print_fact("sessions", text_of(table, row, "sessions"));
}

void print_settings(const RunTable& table, const RunRow& row) {
    const auto settings = unusual_settings(table, row);
    if (settings.empty()) return;
    fmt::print("\n");
    Table text({{"setting", Align::left}, {"value", Align::left}, {"default", Align::left}});
    for (const auto& one : settings)
        text.add({one.key, printable(store::cell_text(one.first)), store::cell_text(one.second)});
    text.print();
}

void print_numbers(const RunTable& table, const RunRow& row) {
    fmt::print("\n");
    print_fact("training loss", text_of(table, row, "loss"));
    for (const auto& key : table.keys)
        if (key.starts_with("validation.")) print_fact(key, store::cell_text(table.at(row, key)));
}

std::vector<std::string> last_log_lines(const std::filesystem::path& folder) {
    const auto text = read_text(folder / "log.txt");
    if (!text.ok()) return {};
    std::vector<std::string> lines = split(*text, '\n');
    std::erase(lines, "");
    if (lines.size() > log_lines) lines.erase(lines.begin(), lines.end() - log_lines);
    return lines;
}

// Values that are too long to stand side by side stand under one another, below the table.
void print_differences(const std::vector<Difference>& all, const std::string& a, const std::string& b,
                       const std::string& heading, Align align) {
    Table text({{heading, Align::left}, {a, align}, {b, align}});
    std::string below;
    for (const auto& one : all) {
        const std::string first = printable(store::cell_text(one.first)),
                          second = printable(store::cell_text(one.second));
        if (first.size() + second.size() <= most_side_by_side)
            text.add({one.key, first, second});
        else
            below += fmt::format("\n  {}\n    {}: {}\n    {}: {}\n", one.key, a, first, b, second);
    }
    text.print();
    fmt::print("{}", below);
}

Json differences_json(const std::vector<Difference>& all) {
    Json object = Json::object();
    for (const auto& one : all)
        object[one.key] = Json::array({store::cell_json(one.first), store::cell_json(one.second)});
    return object;
}

}  // namespace

void print_run(const RunTable& table, const RunRow& row, const std::filesystem::path& folder) {
    const std::string name = text_of(table, row, "name");
    fmt::print("run {}{}\n\n", row.id, name.empty() ? "" : " " + printable(name));
    print_fact("state", state_text(table, row));
    const auto& parameters = table.at(row, "parameters");
    if (store::is_number(parameters)) print_fact("parameters", human_count(store::number_of(parameters)));
    print_sessions(table, row);
    print_fact("folder", folder.string());
    print_fact("problem", text_of(table, row, "problem"), '!');
    print_fact("note", text_of(table, row, "note"), '-');
    print_settings(table, row);
    print_numbers(table, row);
    const auto rows = store::read_metrics(folder);
    if (const std::string plot = rows.ok() ? loss_plot(*rows, 64, 8) : ""; !plot.empty())
        fmt::print("\n{}", plot);
    const auto log = last_log_lines(folder);
    if (!log.empty()) fmt::print("\nlast lines of log.txt\n");
    for (const auto& line : log) fmt::print("  {}\n", printable(line));
}

Json run_json(const RunTable& table, const RunRow& row, const std::filesystem::path& folder) {
    RunTable one = table;
    one.rows = {row};
    Json json = store::table_json(one, {})[0];
    json["folder"] = folder.string();
    json["log"] = last_log_lines(folder);
    return json;
}

void print_run_diff(const RunTable& table, const RunRow& a, const RunRow& b) {
    const std::string first = short_name(table, a), second = short_name(table, b);
    const auto settings = config_differences(table, a, b);
    if (settings.empty())
        fmt::print("The configs are the same.\n");
    else
        print_differences(settings, first, second, "setting", Align::left);
    fmt::print("\n");
    print_differences(number_pairs(table, a, b), first, second, "number", Align::right);
}

Json run_diff_json(const RunTable& table, const RunRow& a, const RunRow& b) {
    return {{"runs", {a.id, b.id}},
            {"config", differences_json(config_differences(table, a, b))},
            {"numbers", differences_json(number_pairs(table, a, b))}};
}

}  // namespace plimsoll::cli
