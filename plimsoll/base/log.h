#pragma once

#include <string_view>

namespace plimsoll {

enum class LogLevel { debug, info, warning, error };

// Messages below `level` are dropped from now on; the default is warning.
void set_log_level(LogLevel level);

// One line on stderr with its level; never on stdout, which belongs to results.
void log(LogLevel level, std::string_view message);

}  // namespace plimsoll
