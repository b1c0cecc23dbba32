#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::audit {

// The cells of one line of CSV; a cell in quotes may hold commas, and "" stands for a quote.
std::vector<std::string> csv_cells(std::string_view line);

}  // namespace plimsoll::audit
