#include "plimsoll/lab/experiment/reproduce.h"

#include <algorithm>
#include <set>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/data/synthetic/synthetic.h"
#include "plimsoll/lab/experiment/computed.h"
#include "plimsoll/lab/experiment/prepare.h"
#include "plimsoll/lab/experiment/probe_rows.h"
#include "plimsoll/lab/experiment/provenance.h"
#include "plimsoll/store/disk.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;

// Whether rows of this experiment need trained runs.
bool trains(const Experiment& experiment) {
    return !experiment.has_rows("computed") && experiment.rows != std::vector<std::string>{"spectra"};
}

// Every set that the scale reads and nobody makes: those it names, those of its jobs, and what files are
// made from.
std::vector<std::string> data_names(const Scale& scale, const Plan& jobs) {
    std::vector<std::string> names = scale.data;
    for (const Preparation& one : scale.prepare) names.push_back(one.from);
    for (const Job& job : jobs.jobs) names.push_back(job.config.data.name);
    std::set<std::string> seen;
    std::erase_if(names, [&](const std::string& name) {
        const bool made = data::is_synthetic(name) ||
                          std::ranges::find(scale.prepare, name, &Preparation::file) != scale.prepare.end();
        return made || !seen.insert(name).second;
    });
    return names;
}

// All jobs as one plan: the workers share them, and a run that two sweeps have is trained once.
Plan merged(const Experiment& experiment, const std::vector<NamedPlan>& sweeps) {
    Plan all;
    all.file = experiment.id;
    std::set<std::string> seen;
    for (const NamedPlan& sweep : sweeps)
        for (const Job& job : sweep.plan.jobs)
            if (seen.insert(job.id).second) all.jobs.push_back(job);
    return all;
}

Status require_data(const std::vector<NeededData>& data) {
    std::vector<std::string> problems;
    for (const NeededData& one : data)
        if (!one.found) problems.push_back(one.problem);
    if (problems.empty()) return {};
    return not_found("data", join(problems, "\n"));
}

PrepareOptions preparing(const ReproduceOptions& options) {
    return {.folder = options.out, .data_folder = data_folder(), .tell = options.say};
}

Result<SweepOutcome> train_all(const Plan& plan, const ReproduceOptions& options) {
    RunnerOptions runner = options.runner;
    runner.runs = options.runs_folder();
    runner.folder = fs::absolute(options.out);
    return run_sweep(plan, runner);
}

std::string partial_text(const SweepOutcome& outcome) {
    if (outcome.complete) return "";
    const auto failed = outcome.count(JobResult::failed);
    return fmt::format("{} of {} runs are done{}", outcome.count(JobResult::done), outcome.jobs.size(),
                       failed > 0 ? fmt::format(", {} failed", failed) : "");
}

ReportFiles files_below(const fs::path& out) {
    return {.html = out / "report.html",
            .markdown = out / "report.md",
            .provenance = out / "provenance.json",
            .rows = out,
            .figures = out / "figures",
            .svg = true,
            .png = true,
            .vega = true};
}

Json provenance_for(const Experiment& experiment, const Scale& scale, const TablesByKind& tables,
                    const ReproduceOptions& options) {
    const auto table = tables.find(tables.contains("runs") ? "runs" : experiment.rows.front());
    Json provenance{{"experiment", experiment.id}, {"scale", scale.name}, {"cost", scale.cost}};
    provenance.update(provenance_of(table->second, options.runs_folder(), experiment.folder));
    return provenance;
}

// The rows, pictures and provenance under the names that results have in an experiment's folder.
Status keep_results(const Experiment& experiment, const std::string& scale, const fs::path& out,
                    WrittenReport& written) {
    const fs::path folder = experiment.folder / "results";
    PLIMSOLL_RETURN_IF_ERROR(store::make_folders(folder));
    for (const fs::path& file : std::vector(written.files)) {
        const bool picture = file.extension() == ".svg";
        const bool kept = picture || file.extension() == ".csv" || file == out / "provenance.json";
        if (!kept) continue;
        PLIMSOLL_ASSIGN(text, read_text(file));
        const fs::path copy = folder / (scale + "." + file.filename().string());
        PLIMSOLL_RETURN_IF_ERROR(atomic_write(copy, text));
        written.files.push_back(copy);
    }
    return {};
}

}  // namespace

Result<ReproducePlan> plan_reproduction(const Experiment& experiment, const Scale& scale) {
    ReproducePlan plan;
    PLIMSOLL_ASSIGN(sweeps, plan_sweeps(scale.sweeps));
    plan.sweeps = std::move(sweeps);
    plan.all = merged(experiment, plan.sweeps);
    if (!trains(experiment)) return plan;
    for (const std::string& name : data_names(scale, plan.all)) {
        const Status there = check_data(name, data_folder());
        plan.data.push_back({name, there.ok(), there.ok() ? "" : there.error().text()});
    }
    return plan;
}

Result<TablesByKind> experiment_rows(const Experiment& experiment, const Scale& scale,
                                     const std::vector<NamedPlan>& plans, const ReproduceOptions& options) {
    const fs::path runs = options.runs_folder();
    const ProbeOptions probing{.program = options.runner.program,
                               .folder = options.out,
                               .runs = runs,
                               .device = options.runner.device,
                               .tell = options.say,
                               .stop_requested = options.runner.stop_requested};
    TablesByKind tables;
    for (const std::string& kind : experiment.rows) {
        const auto rows = [&]() -> Result<report::Table> {
            if (kind == "runs") return run_rows(plans, runs);
            if (kind == "curves") return curve_rows(plans, runs);
            if (kind == "computed") return computed_rows(experiment.compute, scale.arguments);
            if (kind == "spectra") return spectra_rows(plans, probing);
            PLIMSOLL_ASSIGN(all, run_rows(plans, runs));
            if (kind == "strides") return stride_rows(all, experiment.strides, probing);
            return cka_rows(plans, all, *experiment.pairs, probing);
        }();
        if (!rows.ok()) return rows.error();
        tables.emplace(kind, *rows);
    }
    return tables;
}

Status prepare_only(const Experiment& experiment, const ReproduceOptions& options) {
    PLIMSOLL_ASSIGN(scale, experiment.scale(options.scale));
    PLIMSOLL_ASSIGN(plan, plan_reproduction(experiment, *scale));
    PLIMSOLL_RETURN_IF_ERROR(require_data(plan.data));
    PLIMSOLL_RETURN_IF_ERROR(store::make_folders(options.out));
    return prepare(scale->prepare, preparing(options));
}

Status check_figures(const Experiment& experiment, const Scale& scale, const std::vector<NamedPlan>& plans,
                     const report::FigureSet& figures) {
    ReproduceOptions nothing;  // no runs and no program: rows as they are before anything was done
    nothing.runs = nothing.out = "/nonexistent";
    PLIMSOLL_ASSIGN(tables, experiment_rows(experiment, scale, plans, nothing));
    PLIMSOLL_RETURN_IF_ERROR(report::make_report(figures, tables, experiment.rows.front()));
    return {};
}

Result<Reproduction> reproduce(const Experiment& experiment, const ReproduceOptions& options) {
    PLIMSOLL_ASSIGN(scale, experiment.scale(options.scale));
    PLIMSOLL_ASSIGN(figures, report::read_figures(experiment.figure_file()));
    PLIMSOLL_ASSIGN(plan, plan_reproduction(experiment, *scale));
    PLIMSOLL_RETURN_IF_ERROR(check_figures(experiment, *scale, plan.sweeps, figures));
    PLIMSOLL_RETURN_IF_ERROR(require_data(plan.data));
    PLIMSOLL_RETURN_IF_ERROR(store::make_folders(options.out));
    Reproduction result;
    if (trains(experiment)) {
        PLIMSOLL_RETURN_IF_ERROR(prepare(scale->prepare, preparing(options)));
        PLIMSOLL_ASSIGN(outcome, train_all(plan.all, options));
        result.partial = partial_text(outcome);
        result.sweep = std::move(outcome);
    }
    ReportSource source = source_of(experiment, scale->name);
    PLIMSOLL_ASSIGN(tables, experiment_rows(experiment, *scale, plan.sweeps, options));
    source.tables = std::move(tables);
    const bool stopped = options.runner.stop_requested && options.runner.stop_requested();
    if (result.partial.empty() && stopped) result.partial = "stopped while networks were measured";
    source.figures = std::move(figures);
    source.partial = result.partial;
    source.command = options.command;
    source.provenance = provenance_for(experiment, *scale, source.tables, options);
    PLIMSOLL_ASSIGN(written, write_report(source, files_below(options.out)));
    result.written = std::move(written);
    if (options.keep)
        PLIMSOLL_RETURN_IF_ERROR(keep_results(experiment, scale->name, options.out, result.written));
    result.complete = result.partial.empty();
    return result;
}

}  // namespace plimsoll::lab
