#include "plimsoll/base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace plimsoll {
namespace {

spdlog::level::level_enum translated(LogLevel level) {
    switch (level) {
        case LogLevel::debug:
            return spdlog::level::debug;
        case LogLevel::info:
            return spdlog::level::info;
        case LogLevel::warning:
            return spdlog::level::warn;
        case LogLevel::error:
            return spdlog::level::err;
    }
    return spdlog::level::err;
}

spdlog::logger& logger() {
    static spdlog::logger instance = [] {
        spdlog::logger made("plimsoll", std::make_shared<spdlog::sinks::stderr_sink_mt>());
        made.set_pattern("%l: %v");
        made.set_level(spdlog::level::warn);
        return made;
    }();
    return instance;
}

}  // namespace

void set_log_level(LogLevel level) { logger().set_level(translated(level)); }

void log(LogLevel level, std::string_view message) { logger().log(translated(level), message); }

}  // namespace plimsoll
