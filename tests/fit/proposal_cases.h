#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "plimsoll/fit/propose/propose.h"
#include "tests/fit/looks.h"

// The data and budgets that every law of a proposal is tried on.
namespace plimsoll::fit {

inline FitRequest with_budget(std::int64_t parameters) {
    FitRequest request;
    request.parameters = parameters;
    return request;
}

// A set of data and a budget.
struct Case {
    const char* name;
    DataLook look;
    std::int64_t budget;
};
inline std::vector<Case> cases() {
    return {{"text, tiny", text_look(), 20'000},      {"text", text_look(), 100'000},
            {"text, large", text_look(), 10'000'000}, {"hops", hops_look(), 60'000},
            {"images", image_look(), 150'000},        {"64 symbols", narrow_look(), 3'000'000}};
}

inline Proposal newly_proposed(const Case& c) {
    auto proposal = propose(with_budget(c.budget), c.look);
    EXPECT_TRUE(proposal.ok()) << c.name << ": " << proposal.error().text();
    return std::move(proposal).value();
}

// Made once for all tests of a case: it takes tenths of a second.
inline const Proposal& proposed(const Case& c) {
    static std::map<std::pair<std::string, std::int64_t>, Proposal> made;
    const std::pair<std::string, std::int64_t> key{to_json(c.look).dump(), c.budget};
    if (!made.contains(key)) made.emplace(key, newly_proposed(c));
    return made.at(key);
}

}  // namespace plimsoll::fit
