#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "plimsoll/lab/experiment/experiment.h"
#include "plimsoll/report/figure.h"

// A report and the files it is kept in.
namespace plimsoll::lab {

// Tables by the kind of their rows: runs, curves, ...
using TablesByKind = std::map<std::string, report::Table>;

// Everything a report is made from.
struct ReportSource {
    std::string title, source, question, prediction, predicted_on, scale;
    std::string protocol;  // Markdown
    std::string command;   // that makes it again
    std::string partial;   // why it is not the whole, a sentence; empty when it is
    report::FigureSet figures;
    TablesByKind tables;
    std::string first;  // the table of figures that name none
    Json provenance = Json::object();
};

// The words of an experiment: its title, question, prediction and what its README says.
ReportSource source_of(const Experiment& experiment, const std::string& scale);

// Which files, and where; an empty path is a file that is not wanted.
struct ReportFiles {
    std::filesystem::path html, markdown, provenance;
    std::filesystem::path rows;     // folder of the tables: rows.csv, curves.csv, ...
    std::filesystem::path figures;  // folder of NAME.vl.json, and the pictures
    bool svg = false, png = false, vega = false;
};

struct WrittenReport {
    report::Report report;
    std::vector<std::filesystem::path> files;  // that were written, in order
    std::string missing;  // what could not be drawn and the command that brings it; empty when all was
};

// The file of a kind of rows: "rows.csv" for runs and computed ones, "curves.csv", ...
std::string rows_file(const std::string& kind);

// Makes the report and writes the files, each whole or not at all. Without what draws figures everything else
// is written and `missing` says so.
Result<WrittenReport> write_report(const ReportSource& source, const ReportFiles& files);

}  // namespace plimsoll::lab
