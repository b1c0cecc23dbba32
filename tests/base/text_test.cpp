#include "plimsoll/base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/process.h"
#include "tests/support/temp_dir.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Text, SplitKeepsEmptyPieces) {
    EXPECT_THAT(split("a,,b", ','), ElementsAre("a", "", "b"));
    EXPECT_TRUE(split("", ',').empty());
}

TEST(Text, CountsAreReadAsPeopleWriteThem) {
    EXPECT_EQ(*parse_count("100M", "params"), 100'000'000);
    EXPECT_EQ(*parse_count("1.5B", "params"), 1'500'000'000);
    EXPECT_EQ(*parse_count("2e8", "params"), 200'000'000);
    EXPECT_EQ(*parse_count("9223372036854775807", "params"), INT64_MAX);
}

TEST(Text, CountsThatAreNotWholeOrNotNumbersAreRefused) {
    for (const char* text : {"", "M", "-5", "1.5", "ten", "1e400", "nan", "5 M"}) {
        const auto result = parse_count(text, "params");
        ASSERT_FALSE(result.ok()) << text;
        EXPECT_THAT(result.error().text(), HasSubstr("params: must be a whole number")) << text;
    }
}

TEST(Text, BytesAreReadAsPeopleWriteThem) {
    EXPECT_EQ(*parse_bytes("65536", "max-memory"), 65536U);
    EXPECT_EQ(*parse_bytes("12B", "max-memory"), 12U);
    EXPECT_EQ(*parse_bytes("2G", "max-memory"), 2ULL << 30);
    EXPECT_EQ(*parse_bytes("2g", "max-memory"), 2ULL << 30);
    EXPECT_EQ(*parse_bytes("1T", "max-memory"), 1ULL << 40);
    EXPECT_EQ(*parse_bytes("1.5GiB", "max-memory"), 3ULL << 29);
    EXPECT_EQ(*parse_bytes(" 1.50 KiB ", "max-memory"), 1536U);
    EXPECT_EQ(*parse_bytes("2GB", "max-memory"), 2'000'000'000U);
    EXPECT_EQ(*parse_bytes("0.1K", "max-memory"), 102U);
    EXPECT_EQ(*parse_bytes("0", "max-memory"), 0U);
}

TEST(Text, BytesThatAreNoNumberWithAUnitAreRefused) {
    for (const char* text : {"", " ", "G", "GiB", "B", "-1", "-1G", "12iB", "1Gi", "1GG", "1G5", "2 G B",
                             "1P", "nan", "inf", "1e400", "2000000T", "lots"}) {
        const auto result = parse_bytes(text, "max-memory");
        ASSERT_FALSE(result.ok()) << text;
        EXPECT_THAT(result.error().text(), HasSubstr("max-memory: must be bytes such as 8G, 512M or 1.5GiB"))
            << text;
    }
}

TEST(Text, NearMissesComeNearestFirst) {
    const std::vector<std::string> keys{"depth", "width", "heads", "head_dim"};
    EXPECT_THAT(near_misses("dept", keys), ElementsAre("depth"));
    EXPECT_THAT(near_misses("head", keys), ElementsAre("heads"));
    EXPECT_THAT(near_misses("zzz", keys), ElementsAre());
    EXPECT_THAT(suggestion("zzz", keys), HasSubstr("one of: depth"));
}

TEST(Text, SwappedNeighboursAreOneSlip) {
    const std::vector<std::string> keys{"depth", "width", "heads"};
    EXPECT_THAT(near_misses("wdith", keys), ElementsAre("width"));
    EXPECT_THAT(near_misses("dpeth", keys), ElementsAre("depth"));
    EXPECT_THAT(near_misses("widht", keys), ElementsAre("width"));
    EXPECT_THAT(near_misses("tdhiw", keys), ElementsAre());
    EXPECT_EQ(suggestion("WDITH", keys), " (did you mean width?)");
}

TEST(Text, IntegersAndRealsAreWholeWords) {
    EXPECT_EQ(*parse_integer("-12", "n"), -12);
    EXPECT_EQ(*parse_real("-1.5e3", "x"), -1500);
    for (const char* text : {"", "1x", " 1", "1 ", "0x10", "--1"}) {
        EXPECT_FALSE(parse_integer(text, "n").ok()) << text;
        EXPECT_FALSE(parse_real(text, "x").ok()) << text;
    }
    EXPECT_EQ(parse_integer("9223372036854775808", "n").error().text(),
              "n: 9223372036854775808 does not fit in 64 bits");
    EXPECT_EQ(parse_real("inf", "x").error().text(), "x: must be a finite number, got 'inf'");
}

TEST(Text, TrimAndJoinAreWhatTheySay) {
    EXPECT_EQ(trim(" \t a b\r\n"), "a b");
    EXPECT_EQ(trim(" \n"), "");
    EXPECT_EQ(join(std::vector<std::string>{"a", "b"}, ", "), "a, b");
    EXPECT_EQ(join(std::vector<std::string>{}, ", "), "");
}

// What a shell makes of a word is the text it was made of.
TEST(Text, WordsSurviveAShell) {
    const testing::TempDir folder;
    for (const std::string text :
         {"plain", "", "two words", "it's", "'", "''", "$HOME `id` $(id) \"x\" # ; & | < >", "*", "~", "!x",
          "\xc3\xa4", "-n", "a=b"}) {
        const auto out = folder.path() / "out";
        std::filesystem::remove(out);
        ProcessRequest request;
        request.program = "/bin/sh";
        request.arguments = {"-c", "printf %s " + shell_word(text)};
        request.out = out;
        EXPECT_TRUE(Process::start(request).value().wait().ok());
        EXPECT_EQ(*read_text(out), text);
    }
}

TEST(Text, HumanBytesAreBinary) {
    EXPECT_EQ(human_bytes(512), "512 B");
    EXPECT_EQ(human_bytes(1536), "1.50 KiB");
    EXPECT_EQ(human_bytes(80.0 * 1024 * 1024 * 1024), "80.0 GiB");
}

TEST(Text, HumanCountsHaveThreeSignificantFigures) {
    EXPECT_EQ(human_count(950), "950");
    EXPECT_EQ(human_count(11'307'000'000.0), "11.3 B");
    EXPECT_EQ(human_count(999'600), "1.00 M");
}

}  // namespace
}  // namespace plimsoll
