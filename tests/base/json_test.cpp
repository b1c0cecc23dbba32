#include "plimsoll/base/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "tests/support/error_text.h"
#include "tests/support/temp_dir.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;

std::string nested(int depth) { return std::string(depth, '[') + std::string(depth, ']'); }

std::string complaint(std::string_view text) { return error_text(parse_json(text, "f.json")); }

TEST(Json, KeysKeepTheirOrder) {
    EXPECT_EQ(parse_json(R"({"z": 1, "a": [true, null]})", "f")->dump(), R"({"z":1,"a":[true,null]})");
}

TEST(Json, AKeyGivenTwiceIsRefusedWhereverItIs) {
    EXPECT_EQ(complaint(R"({"a": 1, "a": 2})"), "f.json: key 'a' is given twice");
    EXPECT_EQ(complaint(R"([{"b": {"c": 1, "d": 2, "c": 3}}])"), "f.json: key 'c' is given twice");
    EXPECT_EQ(complaint(R"({"a": {"a": 1}, "b": {"a": 2}})"), "");
}

TEST(Json, SixtyFourLevelsAreEnough) {
    EXPECT_EQ(complaint(nested(64)), "");
    EXPECT_EQ(complaint(nested(65)), "f.json: nested deeper than 64 levels");
    EXPECT_EQ(complaint(nested(1'000'000)), "f.json: nested deeper than 64 levels");
    EXPECT_EQ(complaint("\"" + std::string(100, '[') + "\\\"[\""), "") << "brackets in strings nest nothing";
}

TEST(Json, TextThatIsNotJsonIsRefused) {
    for (const char* text : {"", "{", "[1,]", "nul", "1 2", "{} x", "'a'", "[NaN]", "\"\xff\"", "1e999"}) {
        EXPECT_THAT(complaint(text), HasSubstr("f.json: not valid JSON")) << text;
    }
}

TEST(Json, UnknownKeysAreNamedWithTheirNearMiss) {
    const auto object = *parse_json(R"({"depth": 1, "wdith": 2})", "f");
    EXPECT_TRUE(refuse_unknown_keys(object, {"depth", "wdith"}, "spec").ok());
    EXPECT_EQ(refuse_unknown_keys(object, {"depth", "width"}, "spec").error().text(),
              "spec: unknown key 'wdith' (did you mean width?)");
}

TEST(Json, AWideObjectIsReadInTheTimeOfASort) {
    std::string text = "{";
    for (int i = 0; i < 20'000; ++i) text += "\"k" + std::to_string(i) + "\":" + std::to_string(i) + ",";
    const auto wide = parse_json(text + "\"last\":1}", "f");
    ASSERT_TRUE(wide.ok());
    EXPECT_EQ(wide->size(), 20'001U);
    EXPECT_EQ(complaint(text + "\"k7\":1}"), "f.json: key 'k7' is given twice");
}

TEST(Json, AComplaintQuotesNoMoreThanALineAndNoControlCharacters) {
    EXPECT_LT(complaint("[\"" + std::string(100'000, 'x')).size(), 400U);
    EXPECT_EQ(complaint("{\"\\u001b[2J\": 1, \"\\u001b[2J\": 2}"), "f.json: key '\\x1b[2J' is given twice");
}

TEST(Json, AFileAboveTheLimitIsRefusedUnread) {
    const testing::TempDir folder;
    const auto file = folder.path() / "x.json";
    ASSERT_TRUE(atomic_write(file, "").ok());
    std::filesystem::resize_file(file, 1ULL << 40);  // sparse
    EXPECT_THAT(read_json(file).error().text(),
                HasSubstr("is 1099511627776 bytes long; the limit is 100000000"));
}

TEST(Json, FilesAreReadByName) {
    const testing::TempDir folder;
    const auto file = folder.path() / "x.json";
    ASSERT_TRUE(atomic_write(file, "{\"n\": 3}").ok());
    EXPECT_EQ((*read_json(file))["n"], 3);
    EXPECT_EQ(read_json(folder.path() / "none").error().kind, ErrorKind::not_found);
}

}  // namespace
}  // namespace plimsoll
