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
Status settle_config(const fs::path& folder, const fs::path& work, std::string_view text) {
    const fs::path path = folder / "config.toml";
    const auto there = read_text(path);
    if (there.ok() && *there == text) return {};
    if (there.ok()) {
        return bad_input(path.string(), fmt::format("was changed: its hash is {}, the run's name is {}",
                                                    run_id(*there), folder.filename().string()));
    }
    if (there.error().kind != ErrorKind::not_found) return there.error();
    PLIMSOLL_RETURN_IF_ERROR(replace_file(work, path, text));
    PLIMSOLL_RETURN_IF_ERROR(sync_path(folder));
    return sync_path(folder.parent_path());
}

// The system's own lock, which ends with its process. A system that has none to give is fine, and a lease
// that was given up for dead counts more; only where the lease says nothing the lock does.
Result<std::optional<FileLock>> lock_where_possible(const fs::path& folder) {
    auto lock = lock_run(folder);
    if (lock.ok()) return std::optional<FileLock>(std::move(lock).value());
    PLIMSOLL_ASSIGN(lease, newest_lease(folder));
    const bool between_leases = !lease || lease->released;
    if (lock.error().kind == ErrorKind::unsupported && between_leases) return lock.error();
    return std::optional<FileLock>();
}

// A process that was taken over may have the file open, stopped between asking and writing: it continues with
// the old file, which nobody sees any more.
Status detach(const fs::path& path, const fs::path& work) {
    const auto text = read_text(path);
    if (!text.ok() && text.error().kind == ErrorKind::not_found) return {};
    return text.ok() ? replace_file(work, path, *text) : Status(text.error());
}

// environment.json as it is: an object with the list `sessions`.
Result<Json> read_sessions(const fs::path& folder) {
    const fs::path path = folder / "environment.json";
    const auto before = read_json(path);
    if (!before.ok() && before.error().kind != ErrorKind::not_found) return before.error();
    const Json all = before.ok() ? *before : Json{{"sessions", Json::array()}};
    if (!all.is_object() || !all.contains("sessions") || !all.at("sessions").is_array())
        return bad_input(path.string(), "wants the list sessions");
    return all;
}

// What was appended to the log by another process is one line here.
std::string one_line(std::string_view text) {
    std::string line(text);
    for (char& c : line)
        if (c == '\n' || c == '\r') c = ' ';
    return line;
}

}  // namespace

std::string run_id(std::string_view config_text) { return sha256_hex(config_text).substr(0, id_digits); }

struct Run::Files {
    RunState state;
    LineFile metrics, timings, log;

    static Result<Files> open(const fs::path& folder, const Lease& lease) {
        const std::vector<fs::path> appended{folder / "metrics.jsonl", folder / "timings.jsonl",
                                             folder / "log.txt"};
        if (!lease.succeeded().empty())
            for (const auto& path : appended) PLIMSOLL_RETURN_IF_ERROR(detach(path, lease.work_folder()));
        PLIMSOLL_ASSIGN(state, read_state(folder));
        PLIMSOLL_ASSIGN(metrics, LineFile::open(appended[0]));
        PLIMSOLL_ASSIGN(timings, LineFile::open(appended[1]));
        PLIMSOLL_ASSIGN(log, LineFile::open(appended[2]));
        return Files{std::move(state), std::move(metrics), std::move(timings), std::move(log)};
    }
};

Run::Run(fs::path folder, std::optional<FileLock> lock, Lease lease, Files files)
    : id_(folder.filename()),
      folder_(std::move(folder)),
      lock_(std::move(lock)),
      lease_(std::move(lease)),
      state_(std::move(files.state)),
      metrics_(std::move(files.metrics)),
      timings_(std::move(files.timings)),
      log_(std::move(files.log)) {}

Result<Run> Run::create_or_open(const fs::path& runs, std::string_view config_text,
                                const LeaseOptions& options) {
    const fs::path folder = runs / run_id(config_text);
    PLIMSOLL_RETURN_IF_ERROR(make_folders(folder / "checkpoint"));
    PLIMSOLL_ASSIGN(lock, lock_where_possible(folder));
    PLIMSOLL_ASSIGN(lease, Lease::take(folder, options));
    PLIMSOLL_RETURN_IF_ERROR(settle_config(folder, lease.work_folder(), config_text));
    PLIMSOLL_ASSIGN(files, Files::open(folder, lease));
    PLIMSOLL_RETURN_IF_ERROR(tidy_checkpoints(folder / "checkpoint"));
    Run run(folder, std::move(lock), std::move(lease), std::move(files));
    PLIMSOLL_RETURN_IF_ERROR(run.note_what_was_found());
    PLIMSOLL_RETURN_IF_ERROR(run.restore_next_step(std::nullopt));
    if (run.state_ == RunState{}) PLIMSOLL_RETURN_IF_ERROR(run.set_state({}));
    return run;
}

Status Run::note_what_was_found() {
    if (!lease_.succeeded().empty()) notes_.push_back(fmt::format("taken over: {}", lease_.succeeded()));
    for (const LineFile* file : {&metrics_, &timings_, &log_}) {
        if (file->half() > 0)
            notes_.push_back(fmt::format("{}: half a line at the end, {} bytes, was cut off",
                                         file->path().filename().string(), file->half()));
    }
    for (const auto& note : notes_) PLIMSOLL_RETURN_IF_ERROR(append_log(note));
    return {};
}

Status Run::guarded(const std::function<Status()>& write) {
    PLIMSOLL_RETURN_IF_ERROR(lease_.still_mine());
    const Status written = write();
    if (!written.ok()) PLIMSOLL_RETURN_IF_ERROR(lease_.still_mine());
    return written;
}

Status Run::restore_next_step(const std::optional<Checkpoint>& checkpoint) {
    PLIMSOLL_ASSIGN(rows, rows_of(metrics_.path()));
    next_step_ = rows.empty() ? 0 : step_of(rows.back().json);
    if (checkpoint) next_step_ = std::max(next_step_, checkpoint->step + 1);
    return {};
}

Status Run::set_state(RunState state) {
    PLIMSOLL_RETURN_IF_ERROR(guarded([&] { return write_state(folder_, lease_.work_folder(), state); }));
    state_ = std::move(state);
    // The state is written; what environment.json says about the time is no reason to fail.
    if (state_.phase == Phase::done || state_.phase == Phase::failed) (void)end_session();
    return {};
}

Status Run::append_metric(const Json& row) {
    PLIMSOLL_CHECK(is_row(row), "a row of metrics wants a whole number \"step\"");
    PLIMSOLL_CHECK(step_of(row) >= next_step_, "a row of metrics from before the last row or checkpoint");
    PLIMSOLL_RETURN_IF_ERROR(guarded([&] { return metrics_.append(line_of(row)); }));
    next_step_ = step_of(row);
    return {};
}

Status Run::append_timing(const Json& row) {
    return guarded([&] { return timings_.append(line_of(row)); });
}

Status Run::append_log(std::string_view text) {
    return guarded([&] { return log_.append(fmt::format("{} {}", utc_now(), one_line(text))); });
}

Status Run::add_environment(const Json& session) {
    PLIMSOLL_ASSIGN(all, read_sessions(folder_));
    all["sessions"].push_back(session);
    PLIMSOLL_RETURN_IF_ERROR(write_sessions(all));
    session_start_ = std::chrono::steady_clock::now();
    return {};
}

Status Run::end_session() {
    if (!session_start_) return {};
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - *session_start_;
    return note_in_session({{"ended", utc_now()}, {"seconds", taken.count()}});
}

Status Run::note_in_session(const Json& facts) {
    if (!session_start_) return {};
    PLIMSOLL_ASSIGN(all, read_sessions(folder_));
    if (all["sessions"].empty() || !all["sessions"].back().is_object()) return {};
    all["sessions"].back().update(facts);
    return write_sessions(all);
}

Status Run::write_sessions(const Json& all) {
    return guarded([&] {
        return replace_file(lease_.work_folder(), folder_ / "environment.json",
                            all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    });
}

Status Run::rewind_to(const std::optional<Checkpoint>& checkpoint) {
    const std::uint64_t bytes = checkpoint ? checkpoint->metrics_bytes : 0;
    PLIMSOLL_RETURN_IF_ERROR(guarded([&] { return metrics_.cut(bytes); }));
    return restore_next_step(checkpoint);
}

Status Run::take_rows(std::string_view rows, std::int64_t step) {
    PLIMSOLL_RETURN_IF_ERROR(guarded([&] { return metrics_.cut(0); }));
    while (!rows.empty()) {
        const auto end = rows.find('\n');
        PLIMSOLL_CHECK(end != std::string_view::npos, "rows of metrics that end in half a line");
        PLIMSOLL_RETURN_IF_ERROR(guarded([&] { return metrics_.append(rows.substr(0, end)); }));
        rows.remove_prefix(end + 1);
    }
    next_step_ = step + 1;
    return {};
}

Result<Checkpoint> Run::write_checkpoint(std::int64_t step, const std::vector<CheckpointFile>& files,
                                         Keep keep) {
    PLIMSOLL_RETURN_IF_ERROR(guarded([&] { return metrics_.sync(); }));
    auto made = make_checkpoint(
        lease_.work_folder() / "making", folder_ / "checkpoint", step, metrics_.bytes(), files,
        [this] { return lease_.still_mine(); }, keep);
    if (!made.ok()) PLIMSOLL_RETURN_IF_ERROR(lease_.still_mine());
    if (made.ok()) next_step_ = std::max(next_step_, step + 1);
    return made;
}

Result<std::optional<Checkpoint>> Run::latest_checkpoint() const { return store::latest_checkpoint(folder_); }

Result<std::optional<Checkpoint>> latest_checkpoint(const fs::path& run_folder) {
    return newest_checkpoint(run_folder / "checkpoint");
}

Result<std::optional<Checkpoint>> checkpoint_up_to(const fs::path& run_folder, std::int64_t step) {
    return newest_checkpoint(run_folder / "checkpoint", step);
}

Result<std::string> metrics_before(const fs::path& run_folder, const Checkpoint& checkpoint) {
    const fs::path path = run_folder / "metrics.jsonl";
    PLIMSOLL_ASSIGN(text, read_text(path));
    if (text.size() < checkpoint.metrics_bytes)
        return io_error(path.string(), fmt::format("has {} bytes, the checkpoint of step {} says {} at least",
                                                   text.size(), checkpoint.step, checkpoint.metrics_bytes));
    text.resize(checkpoint.metrics_bytes);
    if (!text.empty() && text.back() != '\n')
        return io_error(path.string(), fmt::format("has half a line at byte {}", checkpoint.metrics_bytes));
    return text;
}

Result<std::vector<Json>> read_metrics(const fs::path& run_folder) {
    PLIMSOLL_ASSIGN(rows, rows_of(run_folder / "metrics.jsonl"));
    std::vector<Json> metrics;
    for (Row& row : rows) metrics.push_back(std::move(row.json));
    return metrics;
}

}  // namespace plimsoll::store
