#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plimsoll/lab/experiment/report_files.h"

namespace plimsoll::lab {

// What a report is asked of; empty means that it follows from the rest.
struct ReportRequest {
    std::string target;          // an experiment, or a sweep.toml; may be empty with rows and figure
    std::string scale = "desk";  // of an experiment
    std::filesystem::path runs;  // folder of runs that rows are read from
    std::vector<std::filesystem::path> rows;  // saved rows instead; "NAME.curves.csv" has those of curves
    std::filesystem::path figure;             // figure.toml
    std::filesystem::path program;            // plimsoll-torch, for rows that it measures
};

// Rows and figures of the request. An experiment has the rows of --rows, else those of the runs, else the
// ones kept in its results/SCALE.rows.csv; a computed one is computed. A sweep without a figure.toml gets
// default_figures().
Result<ReportSource> read_report_source(const ReportRequest& request);

}  // namespace plimsoll::lab
