#pragma once

#include <string>
#include <string_view>

#include "plimsoll/audit/zoo.h"

namespace plimsoll::audit {

// Letters in lower case and digits, everything else dropped: "T5-11B" and "t5 11b" are the same name.
std::string plain_name(std::string_view name);

// The model of the zoo with that name, ignoring case and punctuation; a prefix will do when it is the only
// one. Otherwise a `not_found` error with the candidates or the nearest names.
Result<const ZooRow*> find_in_zoo(std::string_view name);

}  // namespace plimsoll::audit
