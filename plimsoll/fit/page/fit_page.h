#pragma once

#include <string>

#include "plimsoll/base/result.h"
#include "plimsoll/fit/page/fit_page_input.h"
#include "plimsoll/report/page/page.h"

// The report of a fit: report.html. docs/FIT_METHOD.md, "Handing over", says what is on it.
namespace plimsoll::fit {

// The page's content: the recommendation, what next, verdicts, figures, tables and the rows behind them.
Result<report::PageContent> fit_page(const FitPageInput& input);

// The same for readers without what draws figures, as Markdown.
std::string fit_page_markdown(const report::PageContent& content);

}  // namespace plimsoll::fit
