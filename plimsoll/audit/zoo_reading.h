#pragma once

#include <string>

namespace plimsoll::audit {

// How the depth of every model of the zoo reads, and what else needs action, as a Markdown table: the table
// of docs/AUDIT.md.
std::string zoo_reading_markdown();

}  // namespace plimsoll::audit
