#pragma once

#include <gtest/gtest.h>

#include "plimsoll/rank/exact_rank.h"
#include "tests/support/error_text.h"

namespace plimsoll::rank {

inline RankQuestion question_of(const std::string& text, std::int64_t positions = 0) {
    const auto spec = arch::parse_spec(text);
    EXPECT_TRUE(spec.ok()) << error_text(spec);
    RankQuestion question{.spec = *spec};
    if (positions > 0) question.positions = positions;
    question.threads = 1;
    return question;
}

inline RankReport report_of(const RankQuestion& question) {
    auto report = measure_rank(question);
    EXPECT_TRUE(report.ok()) << error_text(report);
    return std::move(report).value();
}

inline std::size_t rank_of(const RankQuestion& question) { return report_of(question).rank; }

}  // namespace plimsoll::rank
