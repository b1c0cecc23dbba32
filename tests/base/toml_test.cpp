#include "plimsoll/base/toml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "tests/support/temp_dir.h"

namespace plimsoll {
namespace {

using ::testing::StartsWith;

TEST(Toml, BecomesTheOneValueType) {
    const auto value =
        parse_toml("n = 3\nx = 0.5\nok = true\nday = 2021-05-01\n[t]\nlist = [\"a\", \"b\"]\n", "f");
    ASSERT_TRUE(value.ok()) << value.error().text();
    EXPECT_EQ(
        *value,
        Json::parse(R"({"day": "2021-05-01", "n": 3, "ok": true, "t": {"list": ["a", "b"]}, "x": 0.5})"));
}

TEST(Toml, ErrorsGiveLineAndColumn) {
    EXPECT_THAT(parse_toml("a = 1\nb =\n", "f.toml").error().text(), StartsWith("f.toml:2:4: "));
    EXPECT_THAT(parse_toml("a = 1\na = 2\n", "f.toml").error().text(), StartsWith("f.toml:2:"));
    EXPECT_EQ(parse_toml("x", "f").error().kind, ErrorKind::bad_input);
}

TEST(Toml, ValuesHaveLines) {
    const auto lines =
        toml_lines("\xEF\xBB\xBF# ~\na = 1\n\n[t]\nx.y = [\n 1,\n 2]\n[[z]]\nk = 1\n[[z]]\nk = 2\n");
    EXPECT_EQ(lines.at("a"), 2u);
    EXPECT_EQ(lines.at("t.x.y"), 5u);
    EXPECT_EQ(lines.at("z[0].k"), 9u);
    EXPECT_EQ(lines.at("z[1].k"), 11u);
    EXPECT_TRUE(toml_lines("a = ").empty());
}

TEST(Toml, FilesAreReadByName) {
    const testing::TempDir folder;
    const auto file = folder.path() / "x.toml";
    ASSERT_TRUE(atomic_write(file, "depth = 12\n").ok());
    EXPECT_EQ((*read_toml(file))["depth"], 12);
    EXPECT_EQ(read_toml(folder.path() / "none").error().kind, ErrorKind::not_found);
}

TEST(Toml, CharactersBeyondAsciiBelongInQuotes) {
    EXPECT_EQ(parse_toml("a = 1\n1\xEF\xBB\xBE"
                         "b = 2\n",
                         "f.toml")
                  .error()
                  .text(),
              "f.toml:2: characters beyond ASCII belong in quotes");
    const auto quoted =
        parse_toml("\"\xC3\xA9\" = '\xC3\xA9' # \xC3\xA9\nlong = \"\"\"\xC3\xA9\"\n\"\"\"\n", "f.toml");
    ASSERT_TRUE(quoted.ok()) << quoted.error().text();
    EXPECT_EQ((*quoted)["\xC3\xA9"], "\xC3\xA9");
    EXPECT_EQ((*quoted)["long"], "\xC3\xA9\"\n");
}

TEST(Toml, TextComesBackByteForByte) {
    const auto value = parse_toml("a = \"~ \\u007E41 \xE2\x82\xAC \\u20AC ~\"\n", "f.toml");
    ASSERT_TRUE(value.ok()) << value.error().text();
    EXPECT_EQ((*value)["a"], "~ ~41 \xE2\x82\xAC \xE2\x82\xAC ~");
}

TEST(Toml, BytesThatAreNotUtf8AreRefused) {
    for (const char* wrong : {"a = '\xFF'", "a = '\xC0\x80'", "a = '\xED\xA0\x80'", "a = '\xE2\x82'"}) {
        EXPECT_EQ(parse_toml(wrong, "f.toml").error().text(), "f.toml: is not valid UTF-8");
    }
}

}  // namespace
}  // namespace plimsoll
