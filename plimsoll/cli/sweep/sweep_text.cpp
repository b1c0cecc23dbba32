#include "plimsoll/cli/sweep/sweep_text.h"

#include <algorithm>

#include "plimsoll/base/duration.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/sweep/sweep_rows.h"
#include "plimsoll/cli/wrap.h"
#include "plimsoll/lab/sweep/trunks.h"

namespace plimsoll::cli {
namespace {

constexpr std::size_t most_trunk_rows = 5;

std::string last_name(const std::string& key) { return key.substr(key.rfind('.') + 1); }

// The last part of a key, or all of it where two columns would look the same.
std::vector<std::string> headings(const std::vector<std::string>& keys) {
    std::vector<std::string> names;
    for (const auto& key : keys) {
        const auto same = [&](const std::string& other) { return last_name(other) == last_name(key); };
        names.push_back(std::ranges::count_if(keys, same) > 1 ? key : last_name(key));
    }
    return names;
}

std::string flops_text(double flops) { return fmt::format("{:.2e}", flops); }

std::string job_flops(const lab::Job& job) {
    const auto all = job.work.flops();
    return all ? flops_text(*all) : flops_text(job.work.flops_per_step) + " a step";
}

std::string planned_steps_text(const lab::Job& job) {
    if (job.work.steps) return fmt::format("{}", *job.work.steps);
    return fmt::format("{} epochs", job.config.train.epochs);
}

std::string time_text(const lab::Job& job, const lab::Calibration& cost) {
    const auto seconds = cost.seconds(job.work);
    return seconds ? duration_text(*seconds) : "not known";
}

Table planned_jobs_table(const lab::Plan& plan, const lab::Calibration* cost) {
    const bool counted = plan.counting != "honest";
    std::vector<Column> columns{{"job"}, {"id", Align::left}};
    for (const auto& name : headings(plan.columns)) columns.push_back({name});
    columns.push_back({"parameters"});
    if (counted) columns.push_back({"by " + plan.counting});
    columns.push_back({"steps"});
    columns.push_back({"FLOPs"});
    if (cost != nullptr) columns.push_back({"time"});
    Table table(columns);
    for (std::size_t i = 0; i < std::min(plan.jobs.size(), most_job_rows); ++i) {
        const lab::Job& job = plan.jobs[i];
        std::vector<std::string> cells{std::to_string(i + 1), job.id};
        for (const Json& value : job.values) cells.push_back(printable(lab::value_text(value)));
        cells.push_back(job.parameters.grouped());
        if (counted) cells.push_back(job.counted.grouped());
        cells.push_back(planned_steps_text(job));
        cells.push_back(job_flops(job));
        if (cost != nullptr) cells.push_back(time_text(job, *cost));
        table.add(cells);
    }
    return table;
}

std::string jobs_text(const lab::Plan& plan) {
    std::vector<std::string> less;
    if (plan.left_out > 0) less.push_back(fmt::format("{} left out by keep", plan.left_out));
    if (plan.unreachable > 0)
        less.push_back(fmt::format("{} without a width that meets the budget", plan.unreachable));
    if (plan.merged > 0) less.push_back(fmt::format("{} merged", plan.merged));
    if (less.empty()) return std::to_string(plan.jobs.size());
    return fmt::format("{} of {} combinations ({})", plan.jobs.size(), plan.combinations, join(less, ", "));
}

std::string range_text(const lab::Plan& plan) {
    const auto [least, most] = std::ranges::minmax_element(plan.jobs, {}, &lab::Job::parameters);
    if (least->parameters == most->parameters) return least->parameters.grouped();
    return fmt::format("{} to {}", least->parameters.grouped(), most->parameters.grouped());
}

// A sum over the work that has it, and a word on the jobs that have not.
template <class Value, class Show>
std::string sum_text(const std::vector<lab::Work>& work, Value value, Show show) {
    double sum = 0;
    std::size_t unknown = 0;
    for (const auto& part : work) {
        const auto one = value(part);
        sum += one.value_or(0);
        unknown += one ? 0 : 1;
    }
    if (unknown == work.size()) return "unknown, because the length of an epoch is unknown; give train.steps";
    if (unknown == 0) return show(sum);
    return fmt::format("{}, without {} jobs whose epochs have no known length", show(sum), unknown);
}

// What jobs share is in FLOPs and time once.
void print_trunks(const std::vector<lab::Trunk>& trunks) {
    for (std::size_t i = 0; i < std::min(trunks.size(), most_trunk_rows); ++i)
        print_sweep_row(i == 0 ? "shared" : "", lab::trunk_text(trunks[i]));
    if (trunks.size() > most_trunk_rows)
        print_sweep_row("",
                        fmt::format("and {} more trunks; --json has all", trunks.size() - most_trunk_rows));
}

void print_cost(const std::vector<lab::Work>& work, const lab::Calibration* cost) {
    if (cost == nullptr) return print_sweep_row("time", "not measured");
    const auto seconds = [&](const lab::Work& part) { return cost->seconds(part); };
    print_sweep_row("time",
                    sum_text(work, seconds, duration_text) + ", one job at a time, without evaluations");
    for (const auto& shape : cost->shapes) {
        print_sweep_row(
            "",
            fmt::format("{}: {} FLOPs per step, {:.3g} ms measured over {} steps on {}, {:.2g} s to start",
                        shape.id, flops_text(shape.flops_per_step), 1e3 * shape.seconds_per_step, shape.steps,
                        cost->device, shape.start_seconds));
    }
}

}  // namespace

void print_plan(const lab::Plan& plan, const lab::Calibration* cost) {
    if (!plan.jobs.empty()) planned_jobs_table(plan, cost).print();
    if (plan.jobs.size() > most_job_rows)
        fmt::print("  and {} more; --csv and --json have all\n", plan.jobs.size() - most_job_rows);
    fmt::print("\n");
    print_sweep_row("jobs", jobs_text(plan));
    if (!plan.jobs.empty()) {
        print_sweep_row("parameters", range_text(plan));
        const auto trunks = lab::trunks_of(plan);
        const auto work = lab::shared_work(plan, trunks);
        print_trunks(trunks);
        print_sweep_row("FLOPs",
                        sum_text(work, [](const lab::Work& part) { return part.flops(); }, flops_text));
        print_cost(work, cost);
    }
    if (!plan.notes.empty()) fmt::print("\n");
    for (const auto& note : plan.notes) fmt::print("{}", wrapped(printable(note), 2, 4));
}

}  // namespace plimsoll::cli
