#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/lab/experiment/experiment.h"
#include "plimsoll/lab/experiment/report_files.h"
#include "plimsoll/lab/jobs/rows.h"
#include "plimsoll/lab/jobs/runner.h"

// An experiment from its folder to its report: what is missing is made, trained and measured, then drawn.
namespace plimsoll::lab {

struct ReproduceOptions {
    std::string scale = "smoke";
    std::filesystem::path out;   // folder of the output
    std::filesystem::path runs;  // empty: OUT/runs
    RunnerOptions runner;  // program, device, workers, times and callbacks; runs and folder are set here
    bool keep = false;     // also in the experiment's own folder: results/SCALE.rows.csv, SCALE.FIGURE.svg
    std::string command;   // as it was typed, for the report
    std::function<void(const std::string&)> say;  // what begins; may be empty

    [[nodiscard]] std::filesystem::path runs_folder() const { return runs.empty() ? out / "runs" : runs; }
};

// What a data set is needed for, and whether it is there.
struct NeededData {
    std::string name;
    bool found = false;
    std::string problem;  // what to get
};

// What a scale will take.
struct ReproducePlan {
    std::vector<NamedPlan> sweeps;
    Plan all;  // the jobs of all sweeps, each once
    std::vector<NeededData> data;
};

// Reads and plans the sweeps of a scale and looks for its data; nothing is trained or written.
Result<ReproducePlan> plan_reproduction(const Experiment& experiment, const Scale& scale);

struct Reproduction {
    std::optional<SweepOutcome> sweep;  // nothing when nothing was to be trained
    WrittenReport written;
    std::string partial;    // why it is not the whole; empty when it is
    bool complete = false;  // all runs are done
};

// Rows of every kind that an experiment has, from what is done.
Result<TablesByKind> experiment_rows(const Experiment& experiment, const Scale& scale,
                                     const std::vector<NamedPlan>& plans, const ReproduceOptions& options);

// Whether figure.toml can be drawn from the columns that the scale's rows will have; nothing is trained.
Status check_figures(const Experiment& experiment, const Scale& scale, const std::vector<NamedPlan>& plans,
                     const report::FigureSet& figures);

// Makes the files and trains the runs that are missing, measures, and writes OUT/{rows.csv, figures,
// report.html, report.md, provenance.json}. Finished runs are never trained again: the same call resumes.
// When it is stopped the report of what is done is written and says so. Missing data is `not_found`, before
// anything is trained.
Result<Reproduction> reproduce(const Experiment& experiment, const ReproduceOptions& options);

// Only the files that the sweeps read.
Status prepare_only(const Experiment& experiment, const ReproduceOptions& options);

}  // namespace plimsoll::lab
