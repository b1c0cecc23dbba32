#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "plimsoll/advise/advise.h"
#include "plimsoll/advise/choice.h"
#include "plimsoll/advise/reasons.h"
#include "tests/support/error_text.h"

// Requests and shortcuts of the tests of advise.
namespace plimsoll::advise {

inline AdviceRequest tokens(std::int64_t parameters, std::int64_t vocab = 32000,
                            std::int64_t context = 1024) {
    AdviceRequest request;
    request.parameters = parameters;
    request.vocab = vocab;
    request.context = context;
    return request;
}

inline AdviceRequest patches(std::int64_t parameters, AdviceFamily family) {
    AdviceRequest request;
    request.parameters = parameters;
    request.family = family;
    request.image = {224, 224, 3, 16, 16};
    request.context = 196 + (family == AdviceFamily::transformer ? 1 : 0);
    request.classes = 1000;
    return request;
}

inline AdviceRequest mixer(std::int64_t parameters) {
    AdviceRequest request;
    request.parameters = parameters;
    request.family = AdviceFamily::mixer;
    return request;
}

inline Advice advised(const AdviceRequest& request) {
    auto advice = advise(request);
    EXPECT_TRUE(advice.ok()) << advice.error().text();
    return std::move(advice).value();
}

inline std::string refusal(const AdviceRequest& request) { return error_text(advise(request)); }

// The choice alone, without rivals and certificates: quick enough for a grid of budgets.
inline Choice chosen(const AdviceRequest& request) {
    const CostModel costs(request, Block::gpt2, TableRank::full);
    return choose_shape(costs, scan_shapes(costs));
}

inline bool affordable(const AdviceRequest& request) {
    return CostModel(request, Block::gpt2, TableRank::full).widest(1, request.parameters) > 0;
}

inline std::vector<std::int64_t> budgets(double low, double high, int count) {
    std::vector<std::int64_t> out;
    for (int i = 0; i < count; ++i)
        out.push_back(std::llround(low * std::pow(high / low, static_cast<double>(i) / (count - 1))));
    return out;
}

}  // namespace plimsoll::advise
