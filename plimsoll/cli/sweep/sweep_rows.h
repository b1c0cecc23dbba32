#pragma once

#include <string>
#include <string_view>

#include "plimsoll/base/format.h"

namespace plimsoll::cli {

// Jobs that a table of a sweep shows; --json and --csv have all.
inline constexpr std::size_t most_job_rows = 50;

// Prints one line of a sweep's summary: a name, and its value in a column of their own.
inline void print_sweep_row(std::string_view name, const std::string& value) {
    fmt::print("  {:<13}{}\n", name, value);
}

}  // namespace plimsoll::cli
