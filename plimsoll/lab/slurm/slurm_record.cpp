#include "plimsoll/lab/slurm/slurm_record.h"

#include <algorithm>
#include <map>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/store/clock.h"
#include "plimsoll/store/disk.h"
#include "plimsoll/store/line_file.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;

std::string text_of(const Json& record, const char* key) {
    return record.contains(key) && record.at(key).is_string() ? record.at(key).get<std::string>() : "";
}

std::int64_t number_of(const Json& record, const char* key) {
    return record.contains(key) && record.at(key).is_number_integer() ? record.at(key).get<std::int64_t>()
                                                                      : 0;
}

// The whole lines of a file that are JSON objects; none when it is not there.
Result<std::vector<Json>> records_in(const fs::path& path) {
    const auto text = read_text(path);
    if (!text.ok() && text.error().kind == ErrorKind::not_found) return std::vector<Json>();
    if (!text.ok()) return text.error();
    std::vector<Json> records;
    for (const auto& line : split(std::string_view(*text).substr(0, text->rfind('\n') + 1), '\n'))
        if (auto record = parse_json(line, ""); record.ok() && record->is_object())
            records.push_back(std::move(record).value());
    return records;
}

Status append_line(const fs::path& path, const Json& record) {
    PLIMSOLL_RETURN_IF_ERROR(store::make_folders(path.parent_path()));
    PLIMSOLL_ASSIGN(file, store::LineFile::open(path));
    PLIMSOLL_RETURN_IF_ERROR(file.append(record.dump(-1, ' ', false, Json::error_handler_t::replace)));
    return file.sync();
}

void take_record(Submission& submission, const Json& record) {
    const std::string event = text_of(record, "event");
    if (event == "submitting") {
        submission.name = text_of(record, "name");
        submission.time = text_of(record, "time");
        submission.file = text_of(record, "file");
    }
    if (event == "submitted") submission.slurm_job = text_of(record, "job");
    if (event == "refused") submission.refused = true;
    if (event == "cancelled") submission.cancelled = true;
}

Result<std::vector<Submission>> submissions_in(const fs::path& folder) {
    PLIMSOLL_ASSIGN(records, records_in(folder / "slurm.jsonl"));
    std::map<std::int64_t, Submission> found;
    for (const Json& record : records) take_record(found[number_of(record, "submission")], record);
    std::vector<Submission> all;
    for (auto& [number, submission] : found) {
        const auto jobs = read_job_list(submission_jobs(folder, number));
        if (number < 1 || !jobs.ok()) continue;
        submission.folder = folder;
        submission.number = number;
        submission.tasks = *jobs;
        all.push_back(std::move(submission));
    }
    return all;
}

}  // namespace

std::string Submission::task(std::size_t index) const {
    return slurm_job.empty() ? "" : fmt::format("{}_{}", slurm_job, index);
}

fs::path Submission::log(std::size_t index) const {
    return folder / fmt::format("slurm-{}_{}.log", slurm_job, index);
}

fs::path submission_jobs(const fs::path& sweep_folder, std::int64_t number) {
    return sweep_folder / fmt::format("submission-{}.jobs", number);
}
fs::path submission_script(const fs::path& sweep_folder, std::int64_t number) {
    return sweep_folder / fmt::format("submission-{}.sh", number);
}

Result<std::vector<TaskRuns>> read_job_list(const fs::path& path) {
    PLIMSOLL_ASSIGN(text, read_text(path));
    std::vector<TaskRuns> tasks;
    for (const auto& line : split(trim(text), '\n')) tasks.push_back(split(trim(line), ' '));
    return tasks;
}

Result<std::vector<Submission>> read_submissions(const fs::path& runs) {
    std::vector<Submission> all;
    std::error_code none;
    if (!fs::exists(runs / ".sweeps", none)) return all;
    PLIMSOLL_ASSIGN(folders, store::entries_of(runs / ".sweeps"));
    for (const auto& folder : folders) {
        if (!fs::is_directory(folder, none)) continue;
        PLIMSOLL_ASSIGN(found, submissions_in(folder));
        std::ranges::move(found, std::back_inserter(all));
    }
    std::ranges::stable_sort(all, {}, &Submission::time);
    return all;
}

Status note_submission(const fs::path& sweep_folder, Json record) {
    record["time"] = store::utc_now();
    return append_line(sweep_folder / "slurm.jsonl", record);
}

Status note_task(const fs::path& sweep_folder, const std::string& id, const TaskNote& note) {
    Json record;
    record["event"] = note.event;
    record["task"] = note.task;
    record["code"] = note.code;
    record["step"] = note.step;
    record["time"] = store::utc_now();
    return append_line(sweep_folder / "tasks" / (id + ".jsonl"), record);
}

std::vector<TaskNote> task_notes(const fs::path& sweep_folder, const std::string& id) {
    const auto records = records_in(sweep_folder / "tasks" / (id + ".jsonl"));
    std::vector<TaskNote> notes;
    if (!records.ok()) return notes;
    for (const Json& record : *records)
        notes.push_back({text_of(record, "event"), text_of(record, "task"), number_of(record, "code"),
                         number_of(record, "step")});
    return notes;
}

}  // namespace plimsoll::lab
