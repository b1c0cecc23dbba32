#pragma once

#include <string>

#include <gtest/gtest.h>

#include "plimsoll/lab/sweep/plan.h"
#include "tests/support/error_text.h"

namespace plimsoll::lab {

// A base for text models without depth, width and heads.
inline const std::string text_base =
    "[base]\n"
    "model.spec = \"transformer:vocab=256,context=32\"\n"
    "data.name = \"synthetic:grammar,bytes=20000\"\n";

inline Plan planned(const std::string& toml) {
    const auto sweep = parse_sweep(toml, "sweep.toml", "");
    EXPECT_TRUE(sweep.ok()) << sweep.error().text();
    if (!sweep.ok()) return {};
    auto made = plan(*sweep);
    EXPECT_TRUE(made.ok()) << made.error().text();
    return made.ok() ? *made : Plan{};
}

// The error of reading or planning a sweep, as one text.
inline std::string refusal(const std::string& toml) {
    const auto sweep = parse_sweep(toml, "sweep.toml", "");
    if (!sweep.ok()) return sweep.error().text();
    const auto made = plan(*sweep);
    EXPECT_FALSE(made.ok());
    return error_text(made);
}

// The values of one column, job by job.
inline std::vector<std::string> column(const Plan& plan, const std::string& name) {
    std::vector<std::string> values;
    for (const auto& job : plan.jobs)
        for (std::size_t k = 0; k < plan.columns.size(); ++k)
            if (plan.columns[k] == name) values.push_back(value_text(job.values[k]));
    return values;
}

inline std::vector<std::string> ids(const Plan& plan) {
    std::vector<std::string> all;
    for (const auto& job : plan.jobs) all.push_back(job.id);
    return all;
}

}  // namespace plimsoll::lab
