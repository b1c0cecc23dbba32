#pragma once

#include <string>

#include "plimsoll/base/result.h"

namespace plimsoll {

// What the error of a Result or a Status says; empty when there is none.
template <class Outcome>
std::string error_text(const Outcome& outcome) {
    return outcome.ok() ? "" : outcome.error().text();
}

}  // namespace plimsoll
