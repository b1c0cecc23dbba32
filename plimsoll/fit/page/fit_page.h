#pragma once

#include <filesystem>
#include <string>

#include "plimsoll/fit/decide/decide.h"
#include "plimsoll/fit/hand_over.h"
#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/race/race.h"
#include "plimsoll/fit/request.h"
#include "plimsoll/report/page/page.h"

// The report of a fit: report.html. docs/FIT.md, "Handing over", says what is on it.
namespace plimsoll::fit {

// All that a fit's page is made from.
struct FitPageInput {
    const FitRequest& request;
    const DataLook& look;
    const Proposal& proposal;
    const Race& race;
    const Decision& decision;
    const HandedOver& handed;  // as far as it is written
    const HandOverOptions& options;
};

// The page's content: the recommendation, what next, verdicts, figures, tables and the rows behind them.
Result<report::PageContent> fit_page(const FitPageInput& input);

// The same for readers without what draws figures, as Markdown.
std::string fit_page_markdown(const report::PageContent& content);

}  // namespace plimsoll::fit
