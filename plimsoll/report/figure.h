#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"
#include "plimsoll/report/figure_file.h"
#include "plimsoll/report/table.h"

// From rows and a figure.toml to what is shown: figures as Vega-Lite, tables as text, findings as sentences.
namespace plimsoll::report {

// One figure: a Vega-Lite 5 specification with its data and its look inside (light; theme.h has the dark
// `config`), and what a reader must know besides: rows left out, fits, series with one seed.
struct Figure {
    std::string name, title;
    Json vega_lite;
    std::vector<std::string> notes;
};

// One table as text cells under its columns; `rows` are the same numbers for programs.
struct TextTable {
    std::string name, title;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> cells;
    Json rows;  // a list of objects
    std::vector<std::string> notes;
};

// What became of a prediction.
enum class Outcome {
    as_predicted,
    against,
    inside_noise,
    no_prediction,
    negligible,   // beyond the noise, and smaller than what matters
    cannot_tell,  // what was measured is not fit to judge it
};

// "as predicted", "against the prediction", "inside the noise", "no prediction", "too small to matter" or
// "cannot tell".
std::string_view name_of(Outcome outcome);

constexpr std::array<Outcome, 6> all_values(Outcome) {
    return {Outcome::as_predicted,  Outcome::against,    Outcome::inside_noise,
            Outcome::no_prediction, Outcome::negligible, Outcome::cannot_tell};
}

// One contrast or optimum: its outcome, one sentence with the numbers, and the same for programs.
struct Judgement {
    std::string kind;  // contrast | optimum
    std::string name;
    Outcome outcome = Outcome::inside_noise;
    std::string sentence;
    Json details;
    std::vector<std::string> notes;
};

struct Report {
    std::vector<Figure> figures;
    std::vector<TextTable> tables;
    std::vector<Judgement> findings;
};

// Makes the report of these tables by name ("runs", "curves"). `first` names the table of whatever does not
// name its own; when empty it is the only table, or "runs". A column that a figure names and no table has is
// an error at its place in figure.toml; a table without rows gives figures that say so.
Result<Report> make_report(const FigureSet& figures, const std::map<std::string, Table>& tables,
                           const std::string& first = "");

// The report as Markdown: each figure's title, picture and notes, the findings, the tables. `pictures` are
// links by the figure's name; a figure without one is its title and notes.
std::string markdown(const Report& report, const std::map<std::string, std::string>& pictures = {});

// Everything for programs: figures with their specifications, tables, findings.
Json report_json(const Report& report);

}  // namespace plimsoll::report
