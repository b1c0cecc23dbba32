#pragma once

#include <filesystem>
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

}  // namespace plimsoll::formats
