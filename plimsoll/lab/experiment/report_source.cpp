#include "plimsoll/lab/experiment/report_source.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/lab/experiment/default_figures.h"
#include "plimsoll/lab/experiment/provenance.h"
#include "plimsoll/lab/experiment/reproduce.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

// The kind of rows a file holds, by the last word of its name: "desk.curves.csv" and "curves.csv" are curves.
std::string kind_of(const fs::path& file, const std::string& first) {
    const std::string stem = file.stem().string();
    const std::string word = stem.substr(stem.rfind('.') + 1);
    return std::ranges::find(row_kinds(), word) == row_kinds().end() ? first : word;
}

Result<TablesByKind> saved_rows(const std::vector<fs::path>& files, const std::string& first) {
    TablesByKind tables;
    for (const auto& file : files) {
        PLIMSOLL_ASSIGN(table, report::read_csv(file));
        if (!tables.emplace(kind_of(file, first), std::move(table)).second)
            return bad_input("rows", fmt::format("{}: rows of that kind were given before", file.string()));
    }
    return tables;
}

// The files of kept rows, "results/desk.rows.csv" and its fellows.
Result<std::vector<fs::path>> kept_files(const Experiment& experiment, const std::string& scale) {
    std::vector<fs::path> files;
    for (const auto& kind : experiment.rows) {
        const fs::path file = experiment.folder / "results" / (scale + "." + rows_file(kind));
        if (!is_file(file))
            return not_found(
                experiment.id,
                fmt::format("no rows are kept for scale {}; plimsoll reproduce {} --scale {} makes "
                            "them, --runs and --rows name others",
                            scale, experiment.id, scale));
        files.push_back(file);
    }
    return files;
}

Result<TablesByKind> rows_of(const Experiment& experiment, const ReportRequest& request) {
    if (!request.rows.empty()) return saved_rows(request.rows, experiment.rows.front());
    PLIMSOLL_ASSIGN(scale, experiment.scale(request.scale));
    if (request.runs.empty() && experiment.compute.empty()) {
        PLIMSOLL_ASSIGN(files, kept_files(experiment, scale->name));
        return saved_rows(files, experiment.rows.front());
    }
    PLIMSOLL_ASSIGN(plans, plan_sweeps(scale->sweeps));
    ReproduceOptions options;
    options.runs = request.runs;
    options.out = request.runs.has_parent_path() ? request.runs.parent_path() : fs::path(".");
    options.runner.program = request.program;
    return experiment_rows(experiment, *scale, plans, options);
}

Result<report::FigureSet> figures_of(const fs::path& asked, const fs::path& own) {
    return report::read_figures(asked.empty() ? own : asked);
}

Result<ReportSource> of_experiment(const ReportRequest& request) {
    PLIMSOLL_ASSIGN(experiment, find_experiment(request.target));
    ReportSource source = source_of(experiment, request.scale);
    PLIMSOLL_ASSIGN(figures, figures_of(request.figure, experiment.figure_file()));
    PLIMSOLL_ASSIGN(tables, rows_of(experiment, request));
    source.figures = std::move(figures);
    source.tables = std::move(tables);
    source.command = fmt::format("plimsoll report {}", experiment.id);
    const auto table = source.tables.find(source.first);
    if (table != source.tables.end())
        source.provenance = provenance_of(table->second, request.runs, experiment.folder);
    return source;
}

// A sweep beside its runs, or saved rows.
Result<ReportSource> of_sweep(const ReportRequest& request) {
    ReportSource source;
    source.first = "runs";
    std::vector<NamedPlan> plans;
    if (!request.target.empty()) {
        PLIMSOLL_ASSIGN(planned, plan_sweeps({request.target}));
        plans = std::move(planned);
    }
    if (!request.rows.empty()) {
        PLIMSOLL_ASSIGN(tables, saved_rows(request.rows, source.first));
        source.tables = std::move(tables);
    } else {
        PLIMSOLL_ASSIGN(runs, run_rows(plans, request.runs));
        PLIMSOLL_ASSIGN(curves, curve_rows(plans, request.runs));
        source.tables = {{"runs", std::move(runs)}, {"curves", std::move(curves)}};
    }
    if (!source.tables.contains(source.first)) source.first = source.tables.begin()->first;
    const report::Table& first = source.tables.at(source.first);
    source.title = request.target.empty() ? request.rows.front().filename().string()
                                          : fs::path(request.target).filename().string();
    source.command = fmt::format("plimsoll report {}", request.target);
    source.provenance = provenance_of(first, request.runs, fs::path(request.target).parent_path());
    if (request.figure.empty()) {
        source.figures = default_figures(plans, first);
        return source;
    }
    PLIMSOLL_ASSIGN(figures, report::read_figures(request.figure));
    source.figures = std::move(figures);
    return source;
}

}  // namespace

Result<ReportSource> read_report_source(const ReportRequest& request) {
    const bool sweep = is_file(request.target);
    if (!request.target.empty() && !sweep) return of_experiment(request);
    if (request.target.empty() && (request.rows.empty() || request.figure.empty()))
        return bad_input("report", "needs an experiment or a sweep.toml, or --rows and --figure");
    return of_sweep(request);
}

}  // namespace plimsoll::lab
