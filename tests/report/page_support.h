#pragma once

#include "plimsoll/report/page/page.h"

namespace plimsoll::testing {

// What somebody would write who wants his text to be run.
inline constexpr const char* hostile =
    "</script><script>alert(\"x\")</script><img src=x onerror='alert(1)'> & so on";

// A page with two figures (one of small multiples), a table, four findings and rows, `hostile` text in every
// place that takes text.
report::PageContent sample_page();

}  // namespace plimsoll::testing
