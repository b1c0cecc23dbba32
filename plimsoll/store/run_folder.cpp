#include "plimsoll/store/run_folder.h"

#include <algorithm>
#include <utility>

#include "plimsoll/base/format.h"
#include "plimsoll/base/hash.h"
#include "plimsoll/store/checkpoint.h"
#include "plimsoll/store/clock.h"
#include "plimsoll/store/disk.h"
#include "plimsoll/store/run_state.h"

namespace plimsoll::store {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t id_digits = 16;

std::int64_t step_of(const Json& row) { return row.at("step").get<std::int64_t>(); }

bool is_row(const Json& row) {
    return row.is_object() && row.contains("step") && row.at("step").is_number_integer();
}

// Text of one line; bytes that are not UTF-8 are replaced instead of refused.
std::string line_of(const Json& row) { return row.dump(-1, ' ', false, Json::error_handler_t::replace); }

// A row of metrics.jsonl and where its line starts.
struct Row {
    Json json;
    std::uint64_t start = 0;
};

Result<std::vector<Row>> rows_of(const fs::path& path) {
    PLIMSOLL_ASSIGN(text, read_text(path));
    std::vector<Row> rows;
    std::size_t start = 0;
    for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', start)) {
        const auto where = fmt::format("{}:{}", path.string(), rows.size() + 1);
        PLIMSOLL_ASSIGN(json, parse_json(std::string_view(text).substr(start, end - start), where));
        if (!is_row(json)) return bad_input(where, "wants an object with a whole number \"step\"");
        rows.push_back({std::move(json), start});
        start = end + 1;
    }
    return rows;
}

// Writes config.toml, or checks that it is still the one the folder is named after.
Status settle_config(const fs::path& folder, std::string_view text) {
    const fs::path path = folder / "config.toml";
    const auto there = read_text(path);
    if (there.ok() && *there == text) return {};
    if (there.ok()) {
        return bad_input(path.string(), fmt::format("was changed: its hash is {}, the run's name is {}",
                                                    run_id(*there), folder.filename().string()));
    }
    if (there.error().kind != ErrorKind::not_found) return there.error();
    PLIMSOLL_RETURN_IF_ERROR(atomic_write(path, text));
    PLIMSOLL_RETURN_IF_ERROR(sync_path(folder));
    return sync_path(folder.parent_path());
}

// What was appended to the log by somebody else is one line here.
std::string one_line(std::string_view text) {
    std::string line(text);
    for (char& c : line)
        if (c == '\n' || c == '\r') c = ' ';
    return line;
}

}  // namespace

std::string run_id(std::string_view config_text) { return sha256_hex(config_text).substr(0, id_digits); }

Run::Run(std::string id, fs::path folder, FileLock lock, RunState state, LineFile metrics, LineFile timings,
         LineFile log)
    : id_(std::move(id)),
      folder_(std::move(folder)),
      lock_(std::move(lock)),
      state_(std::move(state)),
      metrics_(std::move(metrics)),
      timings_(std::move(timings)),
      log_(std::move(log)) {}

Result<Run> Run::create_or_open(const fs::path& runs, std::string_view config_text) {
    const std::string id = run_id(config_text);
    const fs::path folder = runs / id;
    PLIMSOLL_RETURN_IF_ERROR(make_folders(folder / "checkpoint"));
    PLIMSOLL_ASSIGN(lock, lock_run(folder));
    PLIMSOLL_RETURN_IF_ERROR(settle_config(folder, config_text));
    PLIMSOLL_ASSIGN(state, read_state(folder));
    PLIMSOLL_ASSIGN(metrics, LineFile::open(folder / "metrics.jsonl"));
    PLIMSOLL_ASSIGN(timings, LineFile::open(folder / "timings.jsonl"));
    PLIMSOLL_ASSIGN(log, LineFile::open(folder / "log.txt"));
    PLIMSOLL_RETURN_IF_ERROR(tidy_checkpoints(folder / "checkpoint"));
    Run run(id, folder, std::move(lock), std::move(state), std::move(metrics), std::move(timings),
            std::move(log));
    PLIMSOLL_RETURN_IF_ERROR(run.restore_next_step(std::nullopt));
    if (run.state_ == RunState{}) PLIMSOLL_RETURN_IF_ERROR(run.set_state({}));
    return run;
}

Status Run::restore_next_step(const std::optional<Checkpoint>& checkpoint) {
    PLIMSOLL_ASSIGN(rows, rows_of(metrics_.path()));
    next_step_ = rows.empty() ? 0 : step_of(rows.back().json);
    if (checkpoint) next_step_ = std::max(next_step_, checkpoint->step + 1);
    return {};
}

Status Run::set_state(RunState state) {
    PLIMSOLL_RETURN_IF_ERROR(write_state(folder_, state));
    state_ = std::move(state);
    return {};
}

Status Run::append_metric(const Json& row) {
    PLIMSOLL_CHECK(is_row(row), "a row of metrics wants a whole number \"step\"");
    PLIMSOLL_CHECK(step_of(row) >= next_step_, "a row of metrics from before the last row or checkpoint");
    PLIMSOLL_RETURN_IF_ERROR(metrics_.append(line_of(row)));
    next_step_ = step_of(row);
    return {};
}

Status Run::append_timing(const Json& row) { return timings_.append(line_of(row)); }

Status Run::append_log(std::string_view text) {
    return log_.append(fmt::format("{} {}", utc_now(), one_line(text)));
}

Status Run::add_environment(const Json& session) {
    const fs::path path = folder_ / "environment.json";
    Json all;
    all["sessions"] = Json::array();
    if (const auto before = read_json(path); before.ok())
        all = *before;
    else if (before.error().kind != ErrorKind::not_found)
        return before.error();
    if (!all.is_object() || !all.contains("sessions") || !all.at("sessions").is_array())
        return bad_input(path.string(), "wants the list sessions");
    all["sessions"].push_back(session);
    return atomic_write(path, all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

Status Run::rewind_metrics(std::int64_t step) {
    PLIMSOLL_ASSIGN(rows, rows_of(metrics_.path()));
    for (const Row& row : rows) {
        if (step_of(row.json) <= step) continue;
        PLIMSOLL_RETURN_IF_ERROR(metrics_.cut(row.start));
        return restore_next_step(std::nullopt);
    }
    return {};
}

Status Run::rewind_to(const std::optional<Checkpoint>& checkpoint) {
    PLIMSOLL_RETURN_IF_ERROR(metrics_.cut(checkpoint ? checkpoint->metrics_bytes : 0));
    return restore_next_step(checkpoint);
}

Result<Checkpoint> Run::write_checkpoint(std::int64_t step, const std::vector<CheckpointFile>& files) {
    PLIMSOLL_RETURN_IF_ERROR(metrics_.sync());
    auto made = make_checkpoint(folder_ / "checkpoint", step, metrics_.bytes(), files);
    if (made.ok()) next_step_ = std::max(next_step_, step + 1);
    return made;
}

Result<std::optional<Checkpoint>> Run::latest_checkpoint() const { return store::latest_checkpoint(folder_); }

Result<std::optional<Checkpoint>> latest_checkpoint(const fs::path& run_folder) {
    return newest_checkpoint(run_folder / "checkpoint");
}

Result<std::vector<Json>> read_metrics(const fs::path& run_folder) {
    PLIMSOLL_ASSIGN(rows, rows_of(run_folder / "metrics.jsonl"));
    std::vector<Json> metrics;
    for (Row& row : rows) metrics.push_back(std::move(row.json));
    return metrics;
}

}  // namespace plimsoll::store
