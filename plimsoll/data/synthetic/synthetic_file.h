#pragma once

#include <string>

#include "plimsoll/data/dataset.h"

namespace plimsoll::data {

// A made set as a file: the text itself; or a line "label<TAB>tokens (or numbers) with spaces" per example,
// after a line of headings.
std::string file_text(const Dataset& dataset);

}  // namespace plimsoll::data
