#pragma once

#include <ctime>
#include <string>

#include "plimsoll/base/format.h"

namespace plimsoll::store {

// "2026-11-15T17:12:00Z".
inline std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                       parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

}  // namespace plimsoll::store
