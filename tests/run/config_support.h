#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "plimsoll/run/run_config.h"

namespace plimsoll::run {

// The two required keys, for a text model; more lines may follow.
inline const std::string text_run =
    "model.spec = \"transformer:depth=2,width=8,heads=2,vocab=256,context=32\"\n"
    "data.name = \"some.txt\"\n";

inline RunConfig parsed(const std::string& toml, const std::vector<std::string>& overrides = {}) {
    const auto config = parse_run_config(toml, "run.toml", overrides);
    EXPECT_TRUE(config.ok()) << config.error().text();
    return config.ok() ? *config : RunConfig{};
}

// The error of a run.toml, as one text.
inline std::string refusal(const std::string& toml, const std::vector<std::string>& overrides = {}) {
    const auto config = parse_run_config(toml, "run.toml", overrides);
    EXPECT_FALSE(config.ok());
    if (config.ok()) return "";
    EXPECT_EQ(config.error().kind, ErrorKind::bad_input);
    return config.error().text();
}

}  // namespace plimsoll::run
