#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/report/figure.h"
#include "plimsoll/report/figure_file.h"
#include "plimsoll/report/table.h"

// A report as one HTML file that needs nothing else: no server, no network, no second file.
namespace plimsoll::report {

// Rows by the name of their table ("runs").
struct PageRows {
    std::string name;
    Table table;
};

// What the whole page comes to, shown large with the mark.
struct PageAnswer {
    std::string eyebrow;                                     // what it is the answer to, a few words
    std::string value;                                       // as short as can be: "6 \u00d7 96"
    std::string detail;                                      // what else belongs to it, a line
    std::string sentence;                                    // the answer in words
    std::vector<std::pair<std::string, std::string>> facts;  // name and value, in order
};

// A part of free text.
struct PageSection {
    std::string title;
    std::string text;  // Markdown, as markdown_html has it
};

// What stands on the page, in this order; whatever is empty is left out. All text is shown as text.
struct PageContent {
    std::string title, source, scale;  // scale: smoke, desk, paper
    std::string question;
    std::string partial;  // why it is not the whole, a sentence
    std::string prediction, predicted_on;
    PageAnswer answer;                  // none without a value
    std::vector<PageSection> sections;  // before the findings
    Report report;
    FigureSet figures;           // what the report was made from: which rows each figure takes
    std::vector<PageRows> rows;  // the first one is the table of figures that name none
    std::string protocol;        // Markdown, as markdown_html has it
    std::vector<std::pair<std::string, std::string>> provenance;  // "commit" and its value, in order
    std::string command;                                          // that makes it again
    bool first_paint = true;  // static pictures (one start of node) for print and browsers without scripts
};

// The page. `not_found` with the command that installs it where the figures' runtime is missing.
Result<std::string> html_page(const PageContent& content);

}  // namespace plimsoll::report
