#include "plimsoll/cli/print.h"

#include <cstdio>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace plimsoll::cli {
namespace {

Table small_table() {
    Table table({{"thing", Align::left}, {"n"}});
    table.add({"alpha", "12"}, Mark::passed);
    table.add({"be", "3"}, Mark::act);
    return table;
}

TEST(Print, TablesAlignUnderLowerCaseHeadingsAndOneRule) {
    EXPECT_EQ(small_table().text(false),
              "  thing    n\n"
              "  ----------\n"
              "o alpha   12\n"
              "! be       3\n");
}

TEST(Print, ColourAddsNothingToReadBesidesItself) {
    const std::string coloured = small_table().text(true);
    EXPECT_NE(coloured.find("\033[33m! be       3\033[0m"), std::string::npos);
    EXPECT_NE(coloured.find("\033[32mo alpha"), std::string::npos);
}

Table wide_table() {
    Table table({{"name", Align::left}, {"reading", Align::left}});
    table.add({"a", "one two three four five six"}, Mark::note);
    return table;
}

TEST(Print, ATableThatIsTooWideMovesItsColumnsTogether) {
    EXPECT_EQ(wide_table().text(false, 35),
              "  name  reading\n"
              "  ---------------------------------\n"
              "- a     one two three four five six\n");
}

TEST(Print, ATableThatIsStillTooWideTakesSeveralLinesForItsLastColumn) {
    EXPECT_EQ(wide_table().text(false, 30),
              "  name   reading\n"
              "  ----------------------------\n"
              "- a      one two three four\n"
              "         five six\n");
    EXPECT_EQ(wide_table().text(true, 30).find("\033["), 0U);
}

TEST(Print, NumbersAreNeverBroken) {
    Table table({{"n"}, {"a number of some length"}});
    table.add({"1", "2"});
    EXPECT_EQ(table.text(false, 10),
              "  n  a number of some length\n"
              "  --------------------------\n"
              "  1                        2\n");
}

// The disk that the log is on is full; whoever reports that must not end for it.
TEST(Print, AnErrorThatCannotBeShownIsStillAnExitCode) {
    const int before = ::dup(STDERR_FILENO);
    const int full = ::open("/dev/full", O_WRONLY);
    ::dup2(full, STDERR_FILENO);
    const int code = fail(io_error("x", "y"));
    ::dup2(before, STDERR_FILENO);
    std::clearerr(stderr);
    ::close(full);
    ::close(before);
    EXPECT_EQ(code, 5);
}

TEST(Print, MoreCellsThanColumnsIsABug) { EXPECT_THROW(small_table().add({"a", "b", "c"}), Bug); }

}  // namespace
}  // namespace plimsoll::cli
