#include "plimsoll/lab/jobs/run_results.h"

#include <algorithm>

#include "plimsoll/base/files.h"
#include "plimsoll/base/text.h"
#include "plimsoll/lab/jobs/status.h"
#include "plimsoll/store/run_facts.h"
#include "plimsoll/store/run_folder.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;

std::optional<double> number(const Json& row, const char* key) {
    if (!row.is_object() || !row.contains(key) || !row.at(key).is_number()) return std::nullopt;
    return row.at(key).get<double>();
}

void take_row(RunResults& results, const Json& row) {
    if (!row.is_object()) return;
    if (const auto loss = number(row, "loss")) results.last.loss = loss;
    if (!row.contains("validation")) return;
    const Json& validation = row.at("validation");
    Measured& last = results.last;
    last.step = static_cast<std::int64_t>(number(row, "step").value_or(0));
    last.validation_loss = number(validation, "loss");
    last.loss_half_width = number(validation, "loss_half_width");
    last.accuracy = number(validation, "accuracy");
    last.explained_variance = number(validation, "explained_variance");
    last.bits_per_byte = number(validation, "bits_per_byte");
    last.perplexity = number(validation, "perplexity");
    results.evaluations.push_back(last);
}

template <class Better>
std::optional<double> best(const std::vector<Measured>& rows, std::optional<double> Measured::* member,
                           Better better) {
    std::optional<double> found;
    for (const Measured& row : rows)
        if (row.*member && (!found || better(*(row.*member), *found))) found = row.*member;
    return found;
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// Rows of timings.jsonl; what is no row is passed over, as nothing is decided by it.
void take_timings(RunResults& results, const Job& job, const fs::path& file) {
    const auto text = read_text(file);
    if (!text.ok()) return;
    std::vector<double> times;
    constexpr double milliseconds = 1000;
    for (const auto& line : split(*text, '\n')) {
        const auto row = parse_json(line, "");
        if (!row.ok()) continue;
        const auto rate = number(*row, "examples_per_second");
        if (rate && *rate > 0)
            times.push_back(milliseconds * static_cast<double>(job.config.train.batch) / *rate);
        const auto peak = number(*row, "peak_mb");
        if (peak) results.peak_mb = std::max(*peak, results.peak_mb.value_or(0));
    }
    if (!times.empty()) results.step_ms = median(std::move(times));
}

void take_sessions(RunResults& results, const fs::path& folder) {
    for (const auto& [key, value] : store::read_run_facts(folder)) {
        if (key == "seconds" && store::is_number(value)) results.seconds = store::number_of(value);
        if (key == "device") results.device = store::cell_text(value);
    }
}

// The runs that a session trained together.
double runs_of(const Json& session) {
    if (!session.contains("stack")) return 1;
    return std::max(1.0, number(session.at("stack"), "runs").value_or(1));
}

void take_own_seconds(RunResults& results, const fs::path& folder) {
    const auto environment = read_json(folder / "environment.json");
    if (!environment.ok() || !environment->is_object() || !environment->contains("sessions")) return;
    double seconds = 0;
    for (const Json& session : environment->at("sessions"))
        if (const auto all = number(session, "seconds")) seconds += *all / runs_of(session);
    if (seconds > 0) results.own_seconds = seconds;
}

}  // namespace

Result<RunResults> read_results(const Job& job, const fs::path& runs) {
    const fs::path folder = runs / job.id;
    const JobState state = job_state(job, runs);
    RunResults results;
    results.phase = state.phase;
    if (state.phase == JobPhase::missing) return results;
    const auto rows = store::read_metrics(folder);
    if (!rows.ok() && rows.error().kind != ErrorKind::not_found) return rows.error();
    if (rows.ok())
        for (const Json& row : *rows) take_row(results, row);
    if (state.phase == JobPhase::done && state.step > 0) results.steps = state.step;
    results.best_accuracy = best(results.evaluations, &Measured::accuracy, std::greater<>());
    results.best_validation_loss = best(results.evaluations, &Measured::validation_loss, std::less<>());
    take_timings(results, job, folder / "timings.jsonl");
    take_sessions(results, folder);
    take_own_seconds(results, folder);
    return results;
}

}  // namespace plimsoll::lab
