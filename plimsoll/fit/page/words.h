#pragma once

#include <string>
#include <vector>

#include "plimsoll/fit/page/fit_page_input.h"
#include "plimsoll/report/figure.h"
#include "plimsoll/report/page/page.h"

// What a fit's page says in words.
namespace plimsoll::fit {

// What runs are judged by, as figures and tables show it.
struct Measure {
    std::string column;      // of figures: "value", or "percent"
    std::string title;       // "bits per byte on held-out text"
    std::string unit;        // "bits per byte", "%"
    std::string difference;  // the unit of a difference: "points" where the unit is %
    double scale = 1;        // from a race's value to what is shown
};
// The measure of the data's goal.
Measure measure_of(const DataLook& look);

// Text of ours for the page: 6 x 96 with its sign, +- as one.
std::string page_words(std::string text);
// The label without its input: "6 x 96, 3 heads".
std::string shape_words(const Candidate& candidate);
// "1.912 +- 0.012 bits per byte", "91.2 +- 0.4 %"; without a half width that is finite and positive none.
std::string value_words(double value, double half_width, const Measure& measure);
// The same of a difference: "1.3 +- 0.4 points".
std::string difference_words(double difference, double half_width, const Measure& measure);

// "rung 1" of a race's rung 0.
std::string rung_name(int rung);

// The recommendation.
report::PageAnswer page_answer(const FitPageInput& input);
// What went in, a sentence.
std::string page_question(const FitPageInput& input);
// What next, and how the data was seen.
std::vector<report::PageSection> page_sections(const FitPageInput& input);
// The verdicts on what theory and the rivals expected.
std::vector<report::Judgement> page_findings(const FitPageInput& input);

}  // namespace plimsoll::fit
