#include "plimsoll/cli/reproduce/reproduce_text.h"

#include <algorithm>

#include "plimsoll/base/duration.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/sweep/sweep_run_text.h"
#include "plimsoll/cli/wrap.h"

namespace plimsoll::cli {
namespace {

// A message of several lines, each made printable and, after the first, indented.
std::string printable_lines(const std::string& text) {
    std::vector<std::string> lines;
    for (const auto& line : split(text, '\n')) lines.push_back(printable(line));
    return join(lines, "\n  ");
}

constexpr std::size_t most_rows = 24;

std::vector<std::string> names_of(const std::vector<lab::Scale>& scales) {
    std::vector<std::string> names;
    for (const auto& scale : scales) names.push_back(scale.name);
    return names;
}

// Training FLOPs of the jobs; those whose epochs have no known length are left out and counted.
struct Work {
    double flops = 0;
    std::size_t unknown = 0;
};
Work work_of(const lab::Plan& plan) {
    Work work;
    for (const auto& job : plan.jobs) {
        work.flops += job.work.flops().value_or(0);
        work.unknown += job.work.flops() ? 0 : 1;
    }
    return work;
}

std::string flops_text(const lab::Plan& plan) {
    const Work work = work_of(plan);
    if (work.unknown == plan.jobs.size()) return "not known";
    return fmt::format("{:.2e}{}", work.flops,
                       work.unknown > 0 ? fmt::format(" and {} unknown", work.unknown) : "");
}

std::string parameters_text(const lab::Plan& plan) {
    if (plan.jobs.empty()) return "";
    const auto [least, most] = std::ranges::minmax_element(plan.jobs, {}, &lab::Job::parameters);
    if (least->parameters == most->parameters) return least->parameters.grouped();
    return fmt::format("{} to {}", least->parameters.grouped(), most->parameters.grouped());
}

void print_sweeps(const lab::ReproducePlan& plan) {
    if (plan.sweeps.empty()) return;
    Table table({{"sweep", Align::left}, {"jobs"}, {"parameters"}, {"training FLOPs"}});
    for (const auto& sweep : plan.sweeps)
        table.add({sweep.name, std::to_string(sweep.plan.jobs.size()), parameters_text(sweep.plan),
                   flops_text(sweep.plan)});
    if (plan.sweeps.size() > 1)
        table.add(
            {"all", std::to_string(plan.all.jobs.size()), parameters_text(plan.all), flops_text(plan.all)});
    fmt::print("\n");
    table.print();
}

void print_needs(const lab::Scale& scale, const lab::ReproducePlan& plan) {
    if (plan.data.empty() && scale.prepare.empty()) return;
    fmt::print("\n");
    for (const auto& one : plan.data)
        fmt::print("{} {}\n", one.found ? 'o' : '!',
                   one.found ? printable(one.name) + ": found" : printable_lines(one.problem));
    for (const auto& one : scale.prepare)
        fmt::print("- {} is made from {}\n", printable(one.file), printable(one.from));
}

// Jobs of a cluster work in the folder of the output, where prepared files lie.
void print_cluster(const lab::Experiment& experiment, const lab::Scale& scale) {
    if (scale.sweeps.empty()) return;
    const std::string out = experiment.id + "-" + scale.name;
    fmt::print("\non a cluster\n\n  plimsoll reproduce {} --scale {} --out {} --prepare\n", experiment.id,
               scale.name, out);
    for (const auto& sweep : scale.sweeps)
        fmt::print("  (cd {} && plimsoll sweep run {} --runs runs --slurm)\n", out,
                   std::filesystem::absolute(sweep).lexically_normal().string());
    fmt::print("  plimsoll report {} --scale {} --runs {}/runs --out {}/report.html\n", experiment.id,
               scale.name, out, out);
}

char symbol_of(report::Outcome outcome) {
    switch (outcome) {
        case report::Outcome::as_predicted:
            return 'o';
        case report::Outcome::against:
            return '!';
        case report::Outcome::inside_noise:
        case report::Outcome::cannot_tell:
            return '?';
        default:
            return '-';
    }
}

void print_findings_of(const report::Report& report) {
    for (const auto& finding : report.findings) {
        fmt::print(
            "{}",
            wrapped(fmt::format("{} {}", symbol_of(finding.outcome), printable(finding.sentence)), 0, 2));
        for (const auto& note : finding.notes) fmt::print("{}", wrapped("- " + printable(note), 2, 4));
    }
    if (!report.findings.empty()) fmt::print("\n");
}

// Words stand to the left, numbers to the right.
Align align_of(const report::TextTable& source, std::size_t column) {
    const bool numbers = std::ranges::all_of(source.cells, [&](const auto& row) {
        return row[column].empty() ||
               std::string_view("-.0123456789").find(row[column][0]) != std::string_view::npos;
    });
    return numbers ? Align::right : Align::left;
}

void print_table(const report::TextTable& source) {
    std::vector<Column> columns;
    for (std::size_t i = 0; i < source.columns.size(); ++i)
        columns.push_back({printable(source.columns[i]), align_of(source, i)});
    Table table(columns);
    for (std::size_t i = 0; i < std::min(source.cells.size(), most_rows); ++i) {
        std::vector<std::string> cells;
        for (const auto& cell : source.cells[i]) cells.push_back(printable(cell));
        table.add(std::move(cells));
    }
    fmt::print("{}\n\n", printable(source.title.empty() ? source.name : source.title));
    table.print();
    if (source.cells.size() > most_rows)
        fmt::print("  and {} more; report.md has all\n", source.cells.size() - most_rows);
    for (const auto& note : source.notes) fmt::print("{}", wrapped("- " + printable(note), 0, 2));
    fmt::print("\n");
}

void print_runs_line(const lab::SweepOutcome& outcome) {
    const auto here = std::ranges::count_if(
        outcome.jobs, [](const auto& job) { return job.state == lab::JobResult::done && job.here; });
    fmt::print("  {:<9}{} of {} done, {} of them now, in {}\n", "runs", outcome.count(lab::JobResult::done),
               outcome.jobs.size(), here, duration_text(outcome.seconds));
    for (const auto& job : outcome.jobs) {
        if (job.state != lab::JobResult::failed) continue;
        fmt::print("! {}   {}\n", job.id, printable(job.reason));
        for (const auto& line : job.last_log_lines) fmt::print("    | {}\n", printable(line));
    }
}

// One command that continues from here.
std::string next_command(const lab::Experiment& experiment, const std::string& scale,
                         const lab::Reproduction& result) {
    const bool failed = result.sweep && result.sweep->count(lab::JobResult::failed) > 0;
    if (!result.complete) return failed ? "the same command with --retry-failed" : "the same command resumes";
    const auto names = names_of(experiment.scales);
    const auto next = std::ranges::find(names, scale) + 1;
    if (!experiment.compute.empty() || next >= names.end()) return "plimsoll reproduce --list";
    return fmt::format("plimsoll reproduce {} --scale {} --plan", experiment.id, *next);
}

}  // namespace

void print_experiments(const std::vector<lab::Experiment>& experiments) {
    std::size_t width = 0;
    for (const auto& one : experiments) width = std::max(width, one.id.size());
    const std::size_t indent = width + 5;
    for (const auto& one : experiments) {
        const std::string scales =
            one.compute.empty() ? join(names_of(one.scales), ", ") : std::string("computed");
        const std::string first = wrapped(printable(one.title), indent);
        fmt::print("  {:<{}}   {}", one.id, width, first.substr(indent));
        fmt::print("{}", wrapped(printable(fmt::format("{}; {}", one.source, scales)), indent));
    }
    if (!experiments.empty()) fmt::print("\nplimsoll reproduce {} --scale smoke\n", experiments.front().id);
}

Json experiments_json(const std::vector<lab::Experiment>& experiments) {
    Json list = Json::array();
    for (const auto& one : experiments) {
        Json scales = Json::object();
        for (const auto& scale : one.scales)
            scales[scale.name] = {{"cost", scale.cost}, {"data", scale.data}};
        list.push_back({{"id", one.id},
                        {"source", one.source},
                        {"title", one.title},
                        {"question", one.question},
                        {"prediction", one.prediction},
                        {"predicted_on", one.predicted_on},
                        {"rows", one.rows},
                        {"scales", std::move(scales)}});
    }
    return list;
}

void print_reproduce_plan(const lab::Experiment& experiment, const lab::Scale& scale,
                          const lab::ReproducePlan& plan) {
    fmt::print("{}\n\n", printable(experiment.title));
    fmt::print("{}", labelled("source", printable(experiment.source)));
    fmt::print("{}", labelled("question", printable(experiment.question)));
    fmt::print("{}", labelled("predicted", printable(fmt::format("{} ({})", experiment.prediction,
                                                                 experiment.predicted_on))));
    fmt::print("{}", labelled("cost", printable(scale.cost)));
    print_sweeps(plan);
    print_needs(scale, plan);
    if (scale.name == "paper") print_cluster(experiment, scale);
}

Json reproduce_plan_json(const lab::Experiment& experiment, const lab::Scale& scale,
                         const lab::ReproducePlan& plan) {
    Json sweeps = Json::array(), data = Json::array(), made = Json::array();
    for (const auto& sweep : plan.sweeps) {
        const Work work = work_of(sweep.plan);
        sweeps.push_back({{"name", sweep.name},
                          {"jobs", sweep.plan.jobs.size()},
                          {"flops", work.unknown == 0 ? Json(work.flops) : Json()}});
    }
    for (const auto& one : plan.data)
        data.push_back({{"name", one.name}, {"found", one.found}, {"problem", one.problem}});
    for (const auto& one : scale.prepare) made.push_back({{"file", one.file}, {"from", one.from}});
    return {
        {"id", experiment.id}, {"scale", scale.name}, {"cost", scale.cost}, {"jobs", plan.all.jobs.size()},
        {"sweeps", sweeps},    {"data", data},        {"prepare", made}};
}

void print_report(const report::Report& report) {
    print_findings_of(report);
    for (const auto& table : report.tables) print_table(table);
    for (const auto& figure : report.figures)
        for (const auto& note : figure.notes)
            fmt::print("{}", wrapped(fmt::format("- {}: {}", printable(figure.name), printable(note)), 0, 2));
    const bool notes = std::ranges::any_of(report.figures, [](const auto& f) { return !f.notes.empty(); });
    if (notes) fmt::print("\n");
}

void print_reproduction(const lab::Experiment& experiment, const std::string& scale,
                        const lab::Reproduction& result, const std::filesystem::path& out) {
    fmt::print("{}, scale {}\n\n", printable(experiment.title), scale);
    print_report(result.written.report);
    if (result.sweep) print_runs_line(*result.sweep);
    std::vector<std::string> names;
    for (const auto& file : result.written.files)
        if (file.parent_path() == out) names.push_back(file.filename().string());
    if (!result.written.report.figures.empty()) names.push_back("figures/");
    fmt::print("  {:<9}{}: {}\n", "files", out.string(), join(names, ", "));
    if (!result.partial.empty()) fmt::print("! incomplete: {}\n", result.partial);
    if (!result.written.missing.empty())
        fmt::print("{}", wrapped("! no pictures and no page: " + printable(result.written.missing), 0, 2));
    fmt::print("\n{}\n", next_command(experiment, scale, result));
}

Json reproduction_json(const lab::Reproduction& result) {
    Json files = Json::array();
    for (const auto& file : result.written.files) files.push_back(file.string());
    return {
        {"complete", result.complete},       {"partial", result.partial},
        {"missing", result.written.missing}, {"sweep", result.sweep ? outcome_json(*result.sweep) : Json()},
        {"files", std::move(files)},         {"report", report::report_json(result.written.report)}};
}

}  // namespace plimsoll::cli
