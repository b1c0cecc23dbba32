#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "plimsoll/base/check.h"
#include "plimsoll/base/json.h"

namespace plimsoll::formats {

// The configs of tests/fixtures/configs/families.json: [{name, config, expect}].
inline const Json& config_fixtures() {
    static const Json all = [] {
        auto file = read_json(std::filesystem::path(PLIMSOLL_FIXTURES) / "configs" / "families.json");
        PLIMSOLL_CHECK(file.ok(), "fixture families.json");
        return std::move(file).value();
    }();
    return all;
}

// A real file beside the checkout, or nothing when it is absent.
inline std::optional<std::filesystem::path> shared_file(const std::string& name) {
    const char* named = std::getenv("PLIMSOLL_SHARED");
    const std::filesystem::path root =
        named ? named : std::filesystem::path(PLIMSOLL_SOURCE_DIR).parent_path() / "shared";
    if (!std::filesystem::exists(root / name)) return std::nullopt;
    return root / name;
}

}  // namespace plimsoll::formats
