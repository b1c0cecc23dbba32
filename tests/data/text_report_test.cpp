#include "plimsoll/data/describe/text_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/utf8.h"
#include "plimsoll/data/readers/text_files.h"
#include "tests/data/made_files.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::data {
namespace {

using ::testing::HasSubstr;
using namespace plimsoll::testing;

TextTally tally_of(std::string_view text, std::size_t portion) {
    TextTally tally;
    for (std::size_t at = 0; at < text.size(); at += portion) {
        const std::string_view piece = text.substr(at, portion);
        tally.add(std::span(reinterpret_cast<const std::uint8_t*>(piece.data()), piece.size()));
    }
    tally.finish();
    return tally;
}

TEST(TextTally, PortionsDoNotMatter) {
    const std::string text = "abc\n\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\n" + noise(200) + "\nlast";
    const TextTally whole = tally_of(text, text.size());
    for (const std::size_t portion : {1, 2, 3, 7}) {
        const TextTally tally = tally_of(text, portion);
        EXPECT_EQ(tally.lines(), whole.lines());
        EXPECT_EQ(tally.characters(), whole.characters());
        EXPECT_EQ(tally.longest_line_bytes(), whole.longest_line_bytes());
        EXPECT_EQ(tally.first_bad_byte(), whole.first_bad_byte());
        EXPECT_EQ(tally.histogram(), whole.histogram());
    }
}

// Two ways to one answer: the one-character reader of base.
TEST(TextTally, AgreesWithTheReaderOfOneCharacter) {
    for (std::uint64_t seed = 1; seed < 300; ++seed) {
        std::string text = noise(seed % 7, seed);
        for (char& c : text) c = static_cast<char>((c & 0x3f) | (seed % 3 == 0 ? 0xc0 : 0x80));
        text = "a\xe2\x82\xac" + text + "z";
        std::size_t at = 0;
        while (at < text.size() && utf8_length(std::string_view(text).substr(at)) > 0)
            at += utf8_length(std::string_view(text).substr(at));
        const auto bad = tally_of(text, 2).first_bad_byte();
        EXPECT_EQ(bad.value_or(text.size()), at) << seed;
    }
}

TEST(TextTally, LinesAndCharacters) {
    EXPECT_EQ(tally_of("", 1).lines(), 0U);
    EXPECT_EQ(tally_of("a", 1).lines(), 1U);
    EXPECT_EQ(tally_of("a\n", 1).lines(), 1U);
    EXPECT_EQ(tally_of("a\nb", 1).lines(), 2U);
    EXPECT_EQ(tally_of("a\nbcd\nef", 1).longest_line_bytes(), 3U);
    EXPECT_EQ(tally_of("\xf0\x9f\x98\x80!", 1).characters(), 2U);
    EXPECT_EQ(tally_of("ab\xf0\x9f", 1).first_bad_byte(), 2U);     // ends inside a character
    EXPECT_EQ(tally_of("a\xed\xa0\x80", 1).first_bad_byte(), 1U);  // a surrogate
}

TEST(Entropy, IsThatOfEqualAndOfCertainLetters) {
    EXPECT_DOUBLE_EQ(entropy_bits(std::vector<std::uint64_t>(256, 3)), 8);
    EXPECT_DOUBLE_EQ(entropy_bits(std::vector<std::uint64_t>{0, 9, 0}), 0);
    EXPECT_DOUBLE_EQ(entropy_bits(std::vector<std::uint64_t>{1, 1, 2}), 1.5);
}

TEST(TextReport, CountsAddOverFilesPackedOrNot) {
    TempDir folder;
    write_file(folder.path(), "a.txt", "one\ntwo\n");
    write_file(folder.path(), "sub/b.txt.gz", gzipped("three\n"));
    write_file(folder.path(), "sub/c.txt.xz", xzipped("one\ntwo\n"));
    write_file(folder.path(), ".git/hidden", "no");
    const TextReport report = report_text(folder.path()).value();
    ASSERT_EQ(report.files.size(), 3U);
    EXPECT_EQ(report.bytes, 8U + 6U + 8U);
    EXPECT_EQ(report.lines, 2U + 1U + 2U);
    EXPECT_EQ(report.files[0].same_as, "");
    EXPECT_THAT(report.files[2].same_as, HasSubstr("a.txt"));
    const TextReport one = report_text(folder.path() / "a.txt").value();
    EXPECT_EQ(one.bytes, 8U);
    EXPECT_EQ(one.distinct_bytes, 6U);  // o n e t w and the line end
}

TEST(TextReport, ADamagedFileIsAnError) {
    TempDir folder;
    const std::string packed = gzipped(noise(5000));
    const auto path = write_file(folder.path(), "t.gz", packed.substr(0, packed.size() / 2));
    EXPECT_THAT(report_text(path).error().text(), HasSubstr("the file ends in the middle of its gzip data"));
}

TEST(TextFiles, HoldTheBytesOfEachFile) {
    TempDir folder;
    write_file(folder.path(), "b.txt", "plain");
    write_file(folder.path(), "a.txt.zst", zstded("packed"));
    const TextFiles text = load_text(folder.path(), {}, {}).value();
    ASSERT_EQ(text.files.size(), 2U);
    EXPECT_EQ(std::string(text.files[0].bytes.begin(), text.files[0].bytes.end()), "packed");
    EXPECT_EQ(std::string(text.files[1].bytes.begin(), text.files[1].bytes.end()), "plain");
    TempDir empty;
    EXPECT_THAT(load_text(empty.path(), {}, {}).error().text(), HasSubstr("has no files"));
}

}  // namespace
}  // namespace plimsoll::data
