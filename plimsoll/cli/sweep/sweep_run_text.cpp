#include "plimsoll/cli/sweep/sweep_run_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <utility>

#include <unistd.h>

#include "plimsoll/base/duration.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/session.h"
#include "plimsoll/cli/stop_signals.h"
#include "plimsoll/cli/sweep/sweep_rows.h"
#include "plimsoll/cli/wrap.h"

namespace plimsoll::cli {
namespace {

using lab::JobResult;

constexpr std::size_t most_running = 12, most_failures = 20;
constexpr std::chrono::seconds first_line{2}, between_lines{10};

std::string result_name(JobResult state) {
    constexpr std::array names{"done", "failed", "elsewhere", "stopped", "waiting"};
    return names.at(static_cast<std::size_t>(state));
}

// Not fmt::print, which throws when the terminal is gone; the sweep continues without it.
void put(const std::string& text) {
    if (!session().quiet) std::fputs(text.c_str(), stderr);
}

// A line that the terminal would wrap could not be erased.
std::size_t room_in_a_line() {
    const std::size_t columns = terminal_columns();
    return columns > 1 ? columns - 1 : line_width;
}

std::string some(std::size_t count, const char* one, const char* more) {
    return fmt::format("{} {}", count, count == 1 ? one : more);
}

std::string step_text(const lab::RunningJob& job) {
    return job.steps ? fmt::format("{} of {}", job.step, *job.steps) : fmt::format("{}", job.step);
}

std::string running_line(const lab::RunningJob& job) {
    return fmt::format("  {:>6}   {:<16}   {:>17}   {:>8}   {:>9}", job.number, job.id, step_text(job),
                       job.loss ? fmt::format("{:.4f}", *job.loss) : "",
                       job.seconds_left ? duration_text(*job.seconds_left) : "");
}

void print_failures(const lab::SweepOutcome& outcome) {
    std::size_t shown = 0;
    for (const auto& job : outcome.jobs) {
        if (job.state != JobResult::failed) continue;
        if (++shown > most_failures) continue;
        fmt::print("\n! {}   {}\n", job.id, printable(job.reason));
        for (const auto& line : job.last_log_lines) fmt::print("    | {}\n", printable(line));
    }
    if (shown > most_failures) fmt::print("\n  and {} more; --json has all\n", shown - most_failures);
}

void print_others(const lab::SweepOutcome& outcome) {
    bool first = true;
    for (const auto& job : outcome.jobs) {
        if (job.state != JobResult::elsewhere) continue;
        fmt::print("{}- {}   {}\n", first ? "\n" : "", job.id, printable(job.reason));
        first = false;
    }
    if (!outcome.notes.empty()) fmt::print("\n");
    for (const auto& note : outcome.notes) fmt::print("- {}\n", printable(note));
}

Json jobs_json(const std::vector<lab::JobOutcome>& outcomes) {
    Json jobs = Json::array();
    for (const auto& job : outcomes)
        jobs.push_back({{"id", job.id},
                        {"state", result_name(job.state)},
                        {"here", job.here},
                        {"lasting", job.lasting},
                        {"seconds", job.seconds},
                        {"training_loss", job.loss ? Json(*job.loss) : Json()},
                        {"reason", job.reason},
                        {"last_log_lines", job.last_log_lines}});
    return jobs;
}

// What a person may do next.
void print_next(const lab::SweepOutcome& outcome) {
    const auto left = outcome.jobs.size() - outcome.count(JobResult::done) - outcome.count(JobResult::failed);
    const auto again = std::ranges::count_if(
        outcome.jobs, [](const auto& job) { return job.state == JobResult::failed && !job.lasting; });
    const auto lasting = outcome.count(JobResult::failed) - static_cast<std::size_t>(again);
    if (lasting > 0)
        fmt::print("\n{} failed; --retry-failed tries {} again\n", some(lasting, "job", "jobs"),
                   lasting == 1 ? "it" : "them");
    if (left > 0 || again > 0)
        fmt::print("\n{} left; the same command resumes\n",
                   some(left + static_cast<std::size_t>(again), "job is", "jobs are"));
}

}  // namespace

Result<std::chrono::seconds> parse_duration(std::string_view text, std::string_view where) {
    const std::array<std::pair<char, std::int64_t>, 4> units{
        {{'d', 86400}, {'h', 3600}, {'m', 60}, {'s', 1}}};
    const Error wrong =
        bad_input(std::string(where), fmt::format("'{}' is not a time like 90s, 10m or 1h30m", text));
    std::int64_t seconds = 0;
    auto unit = units.begin();  // largest first, each once
    for (std::string_view rest = text; !rest.empty();) {
        const auto digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
        const auto number = parse_integer(rest.substr(0, digits), where);
        constexpr std::int64_t most = 1'000'000;
        if (digits == rest.size() || !number.ok() || *number > most) return wrong;
        unit = std::find_if(unit, units.end(), [&](const auto& one) { return one.first == rest[digits]; });
        if (unit == units.end()) return wrong;
        seconds += *number * unit->second;
        ++unit;
        rest.remove_prefix(digits + 1);
    }
    if (seconds == 0) return wrong;
    return std::chrono::seconds(seconds);
}

Result<lab::RunnerOptions> runner_options(const std::string& device, int workers, bool retry_failed,
                                          const std::string& stop_after) {
    lab::RunnerOptions options;
    options.device = device;
    options.workers = workers > 0 ? workers : static_cast<int>(split(device, ',').size());
    options.retry_failed = retry_failed;
    options.stop_requested = [] { return StopSignals::count() > 0; };
    options.kill_requested = [] { return StopSignals::count() > 1; };
    if (stop_after.empty()) return options;
    PLIMSOLL_ASSIGN(time, parse_duration(stop_after, "--stop-after"));
    options.stop_after = time;
    return options;
}

std::string counts_text(const lab::SweepProgress& progress) {
    const std::array<std::pair<std::size_t, const char*>, 6> counts{{{progress.done, "done"},
                                                                     {progress.failed, "failed"},
                                                                     {progress.running.size(), "running"},
                                                                     {progress.stopped, "stopped"},
                                                                     {progress.elsewhere, "elsewhere"},
                                                                     {progress.waiting, "waiting"}}};
    std::vector<std::string> words;
    for (const auto& [count, name] : counts)
        if (count > 0) words.push_back(fmt::format("{} {}", count, name));
    std::string text = fmt::format("{}: {}", some(progress.jobs, "job", "jobs"), join(words, ", "));
    if (progress.seconds_left) text += fmt::format("; {} left", duration_text(*progress.seconds_left));
    return text;
}

std::vector<std::string> live_lines(const lab::SweepProgress& progress) {
    std::vector<std::string> lines;
    if (!progress.running.empty()) {
        lines.push_back(fmt::format("  {:>6}   {:<16}   {:>17}   {:>8}   {:>9}", "job", "id", "step", "loss",
                                    "time left"));
        lines.push_back("  " + std::string(68, '-'));
    }
    for (std::size_t i = 0; i < std::min(progress.running.size(), most_running); ++i)
        lines.push_back(running_line(progress.running[i]));
    if (progress.running.size() > most_running)
        lines.push_back(fmt::format("  and {} more", progress.running.size() - most_running));
    lines.push_back("  " + counts_text(progress));
    return lines;
}

std::string ended_line(const lab::SweepProgress& progress) {
    const lab::JobOutcome& job = *progress.ended;
    std::string text = fmt::format("job {} of {}  {}  {}", progress.ended_number, progress.jobs, job.id,
                                   result_name(job.state));
    if (job.here) text += fmt::format(" after {}", duration_text(job.seconds));
    if (job.loss) text += fmt::format("  loss {:.4f}", *job.loss);
    if (!job.reason.empty()) text += "  " + printable(job.reason);
    return text;
}

std::string stop_line(const lab::SweepProgress& progress) {
    const std::string why =
        progress.stopping == lab::StopCause::time ? "the time limit is reached" : "stopping";
    return fmt::format("{}: {} finishing a step and making a checkpoint; Ctrl-C{} ends them at once", why,
                       some(progress.running.size(), "job is", "jobs are"),
                       progress.stopping == lab::StopCause::asked ? " again" : " twice");
}

SweepView::SweepView()
    : terminal_(::isatty(STDERR_FILENO) == 1), next_line_(std::chrono::steady_clock::now() + first_line) {}

SweepView::~SweepView() { erase(); }

void SweepView::erase() {
    if (drawn_ > 0) put(fmt::format("\033[{}A\r\033[J", drawn_));
    drawn_ = 0;
}

void SweepView::say(const std::string& line) {
    erase();
    put(line + "\n");
}

void SweepView::show(const lab::SweepProgress& progress) {
    const bool failed = progress.ended != nullptr && progress.ended->state == JobResult::failed;
    if (progress.ended != nullptr && (failed || !terminal_)) say(ended_line(progress));
    const bool waits = progress.stopping != lab::StopCause::none && !progress.running.empty();
    if (waits && !std::exchange(told_stop_, true)) say(stop_line(progress));
    const auto now = std::chrono::steady_clock::now();
    if (terminal_) {
        erase();
        auto lines = live_lines(progress);
        for (auto& line : lines) line.resize(std::min(line.size(), room_in_a_line()));
        put(join(lines, "\n") + "\n");
        drawn_ = lines.size();
    } else if (now >= next_line_) {
        next_line_ = now + between_lines;
        say(counts_text(progress));
    }
    std::fflush(stderr);
}

void print_outcome(const lab::SweepOutcome& outcome) {
    const auto here = std::ranges::count_if(
        outcome.jobs, [](const auto& job) { return job.state == JobResult::done && job.here; });
    const auto done = outcome.count(JobResult::done);
    print_sweep_row("jobs", std::to_string(outcome.jobs.size()));
    print_sweep_row("done", fmt::format("{}, {} of them now", done, here));
    for (const auto state : {JobResult::failed, JobResult::elsewhere, JobResult::stopped, JobResult::waiting})
        if (outcome.count(state) > 0)
            print_sweep_row(result_name(state).c_str(), std::to_string(outcome.count(state)));
    if (!outcome.trunks.empty())
        print_sweep_row("trunks",
                        fmt::format("{}, {} of them now", outcome.trunks.size(),
                                    std::ranges::count(outcome.trunks, true, &lab::JobOutcome::here)));
    print_sweep_row("time", duration_text(outcome.seconds));
    print_failures(outcome);
    print_others(outcome);
    print_next(outcome);
}

Json outcome_json(const lab::SweepOutcome& outcome) {
    Json all{{"complete", outcome.complete},
             {"stopped", outcome.stopped != lab::StopCause::none},
             {"seconds", outcome.seconds},
             {"notes", outcome.notes},
             {"jobs", jobs_json(outcome.jobs)}};
    if (!outcome.trunks.empty()) all["trunks"] = jobs_json(outcome.trunks);
    return all;
}

}  // namespace plimsoll::cli
