#include "plimsoll/lab/experiment/provenance.h"

#include <algorithm>
#include <map>
#include <optional>

#include <unistd.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/process.h"
#include "plimsoll/base/text.h"
#include "plimsoll/store/clock.h"
#include "plimsoll/store/disk.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;

// What git says, on one line or several; nothing when it fails.
std::optional<std::string> git(const fs::path& folder, const std::vector<std::string>& words) {
    const fs::path out = fs::temp_directory_path() / fmt::format("plimsoll-git-{}", ::getpid());
    std::vector<std::string> all{"-C", folder.empty() ? "." : folder.string()};
    all.insert(all.end(), words.begin(), words.end());
    auto process = Process::start({.program = "git", .arguments = all, .out = out});
    const bool ended_well = process.ok() && Process(std::move(process).value()).wait().ok();
    const auto text = read_text(out);
    std::error_code ignored;
    fs::remove(out, ignored);
    if (!ended_well || !text.ok()) return std::nullopt;
    return std::string(trim(*text));
}

std::optional<std::size_t> column(const report::Table& rows, std::string_view name) {
    const auto found = std::ranges::find(rows.columns, name);
    if (found == rows.columns.end()) return std::nullopt;
    return static_cast<std::size_t>(found - rows.columns.begin());
}

// One session's machine, as far as it matters for numbers and times.
Json machine_of(const Json& session) {
    Json machine = Json::object();
    for (const char* key : {"program", "version", "device", "threads", "processes"})
        if (session.contains(key)) machine[key] = session.at(key);
    if (session.contains("libraries")) machine["libraries"] = session.at("libraries");
    const Json about = session.value("machine", Json::object());
    for (const char* key : {"processor", "cores", "gpus"})
        if (about.is_object() && about.contains(key)) machine[key] = about.at(key);
    return machine;
}

// The machines of the runs, each with how many runs it had a session of.
Json machines_of(const std::vector<std::string>& ids, const fs::path& runs) {
    std::map<std::string, std::int64_t> counts;
    for (const auto& id : ids) {
        const auto environment = read_json(runs / id / "environment.json");
        if (!environment.ok() || !environment->is_object()) continue;
        const Json sessions = environment->value("sessions", Json::array());
        if (!sessions.is_array() || sessions.empty() || !sessions.back().is_object()) continue;
        ++counts[machine_of(sessions.back()).dump()];
    }
    Json machines = Json::array();
    for (const auto& [text, count] : counts) {
        Json machine = parse_json(text, "machine").value();
        machine["runs"] = count;
        machines.push_back(std::move(machine));
    }
    return machines;
}

double sum_of(const report::Table& rows, std::string_view name) {
    double sum = 0;
    if (const auto at = column(rows, name))
        for (const auto& row : rows.rows) sum += report::finite_number(row[*at]).value_or(0);
    return sum;
}

Json phases_of(const report::Table& rows) {
    Json phases = Json::object();
    const auto at = column(rows, "phase");
    if (!at) return phases;
    for (const auto& row : rows.rows) {
        const std::string phase = store::cell_text(row[*at]);
        phases[phase] = phases.value(phase, 0) + 1;
    }
    return phases;
}

std::string machine_line(const Json& machine) {
    std::vector<std::string> words;
    for (const char* key : {"device", "processor"})
        if (machine.contains(key) && machine.at(key).is_string()) words.push_back(machine.at(key));
    const Json gpus = machine.value("gpus", Json::array());
    if (gpus.is_array() && !gpus.empty())
        words.push_back(gpus[0].is_object() ? gpus[0].value("name", "") : gpus[0].dump());
    return fmt::format("{} ({} runs)", join(words, ", "), machine.value("runs", 0));
}

}  // namespace

std::string source_commit(const fs::path& folder) {
    const auto commit = git(folder, {"rev-parse", "HEAD"});
    if (!commit) return "";
    const auto changed = git(folder, {"status", "--porcelain", "--untracked-files=no"});
    return *commit + (changed && !changed->empty() ? "+" : "");
}

Json provenance_of(const report::Table& rows, const fs::path& runs, const fs::path& source) {
    std::vector<std::string> ids;
    if (const auto at = column(rows, "run"))
        for (const auto& row : rows.rows)
            if (const auto id = store::cell_text(row[*at]); std::ranges::find(ids, id) == ids.end())
                ids.push_back(id);
    return {{"program", "plimsoll"},
            {"version", PLIMSOLL_VERSION},
            {"commit", source_commit(source)},
            {"written", store::utc_now()},
            {"machines", machines_of(ids, runs)},
            {"seconds", sum_of(rows, "seconds")},
            {"flops", sum_of(rows, "flops")},
            {"phases", phases_of(rows)},
            {"runs", ids}};
}

std::vector<std::pair<std::string, std::string>> provenance_lines(const Json& provenance) {
    std::vector<std::pair<std::string, std::string>> lines;
    lines.emplace_back("program", fmt::format("plimsoll {}", provenance.value("version", "")));
    if (const auto commit = provenance.value("commit", ""); !commit.empty())
        lines.emplace_back("commit", commit);
    for (const Json& machine : provenance.value("machines", Json::array()))
        lines.emplace_back("machine", machine_line(machine));
    const auto runs = provenance.value("runs", Json::array()).size();
    if (runs > 0)
        lines.emplace_back("runs",
                           fmt::format("{}, {:.0f} s in all", runs, provenance.value("seconds", 0.0)));
    lines.emplace_back("written", provenance.value("written", ""));
    return lines;
}

}  // namespace plimsoll::lab
