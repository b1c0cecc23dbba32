#pragma once

#include <string_view>

// The files of plimsoll/report/page/assets, as they were when the program was built.
namespace plimsoll::report {

std::string_view page_css();
std::string_view page_js();

}  // namespace plimsoll::report
