#pragma once

#include <string>
#include <vector>

#include "plimsoll/fit/page/fit_page.h"
#include "plimsoll/report/figure.h"

// The pieces of fit_page.
namespace plimsoll::fit {

// Which kind of network a candidate is to a reader: colour and symbol of every figure.
struct PageRoles {
    std::vector<std::string> names;  // in the order of colours; the second one is the recommendation

    [[nodiscard]] std::string of(const Candidate& candidate) const;

    std::string winner;                  // id
    std::string family, input;           // of the favourite, which depths were spread on
    std::vector<std::string> elsewhere;  // roles of other families and inputs that have a name
};
PageRoles roles_of(const Proposal& proposal, const Decision& decision);
// The symbol of a role; the recommendation has the mark.
std::string role_shape(const PageRoles& roles, const std::string& role);
// The encoding of the role on colour or shape; the legend has those in `shown` only.
Json role_channel(const PageRoles& roles, const std::vector<std::string>& shown, bool shape);

// What runs are judged by, as figures and tables show it.
struct Measure {
    std::string column;      // of figures: "value", or "percent"
    std::string title;       // "bits per byte on held-out text"
    std::string unit;        // "bits per byte", "%"
    std::string difference;  // the unit of a difference: "points" where the unit is %
    double scale = 1;        // from a race's value to what is shown
};
Measure measure_of(const DataLook& look);

// Text of ours for the page: 6 x 96 with its sign, +- as one.
std::string page_words(std::string text);
// The label without its input: "6 x 96, 3 heads".
std::string shape_words(const Candidate& candidate);
// "1.912 +- 0.012 bits per byte", "91.2 +- 0.4 %"; without a half width that is finite and positive none.
std::string value_words(double value, double half_width, const Measure& measure);
// The same of a difference: "1.3 +- 0.4 points".
std::string difference_words(double difference, double half_width, const Measure& measure);

// ---- what is said ----
report::PageAnswer page_answer(const FitPageInput& input);
// What went in, a sentence.
std::string page_question(const FitPageInput& input);
std::vector<report::PageSection> page_sections(const FitPageInput& input);
std::vector<report::Finding> page_findings(const FitPageInput& input);

// ---- figures that are not points over an axis ----
// Width to the right, depth downward: capacity, the line, the band, the budget and the candidates.
Result<report::Figure> capacity_map(const FitPageInput& input, const PageRoles& roles);
// The value against what was trained on, a line for each candidate over its rungs.
report::Figure race_curves(const FitPageInput& input, const PageRoles& roles);

}  // namespace plimsoll::fit
