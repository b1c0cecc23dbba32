#include "plimsoll/base/result.h"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll {
namespace {

using ::testing::HasSubstr;

Result<int> half(int n) {
    if (n % 2 != 0) return bad_input("n", "must be even");
    return n / 2;
}

Result<int> quarter(int n) {
    PLIMSOLL_ASSIGN(h, half(n));
    return half(h);
}

Status both_halve(int a, int b) {
    PLIMSOLL_RETURN_IF_ERROR(half(a));
    PLIMSOLL_RETURN_IF_ERROR(half(b));
    return {};
}

TEST(Result, HoldsAValueOrAnError) {
    EXPECT_EQ(*half(4), 2);
    const auto wrong = half(3);
    EXPECT_FALSE(wrong.ok());
    EXPECT_EQ(wrong.error().text(), "n: must be even");
}

TEST(Result, MacrosPassErrorsUpwards) {
    EXPECT_EQ(*quarter(8), 2);
    EXPECT_FALSE(quarter(6).ok());
    EXPECT_TRUE(both_halve(2, 4).ok());
    EXPECT_EQ(both_halve(2, 3).error().where, "n");
}

TEST(Result, MovesWhatCannotBeCopied) {
    Result<std::unique_ptr<int>> result(std::make_unique<int>(7));
    const std::unique_ptr<int> taken = std::move(result).value();
    EXPECT_EQ(*taken, 7);
}

TEST(Result, AskingForTheWrongSideIsABug) {
    try {
        (void)half(3).value();
        FAIL() << "no Bug";
    } catch (const Bug& bug) {
        EXPECT_THAT(bug.what(), AllOf(HasSubstr("n: must be even"), HasSubstr("result.h")));
    }
    EXPECT_THROW((void)half(4).error(), Bug);
    EXPECT_THROW((void)Status().error(), Bug);
}

TEST(Result, TheKindIsTheExitCode) {
    EXPECT_EQ(static_cast<int>(bad_input("", "").kind), 2);
    EXPECT_EQ(static_cast<int>(not_found("", "").kind), 3);
    EXPECT_EQ(static_cast<int>(unsupported("", "").kind), 4);
    EXPECT_EQ(static_cast<int>(io_error("", "").kind), 5);
    EXPECT_EQ(bad_input("", "alone").text(), "alone");
}

}  // namespace
}  // namespace plimsoll
