#include "plimsoll/data/readers/token_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/data/describe/corpus_report.h"
#include "tests/data/made_files.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::data {
namespace {

using ::testing::HasSubstr;
using namespace plimsoll::testing;

const std::string six("\1\0\2\0\0\1", 6);  // 1, 2, 256 in 16 bits

Result<Tokens> parse(const std::string& bytes, std::optional<TokenWidth> width,
                     std::uint64_t vocabulary = 0) {
    return parse_tokens(in_memory(bytes, "t.bin"), {width, vocabulary});
}

std::string with_header(std::uint32_t magic, std::uint32_t version, std::uint32_t count,
                        const std::string& ids) {
    std::string header = little32(magic) + little32(version) + little32(count);
    header.resize(1024, '\0');
    return header + ids;
}

std::vector<std::uint32_t> ids_of(const Tokens& tokens) {
    std::vector<std::uint32_t> ids;
    for (std::size_t i = 0; i < tokens.count(); ++i) ids.push_back(tokens[i]);
    return ids;
}

TEST(TokenFile, IdsOfBothWidths) {
    EXPECT_THAT(ids_of(parse(six, TokenWidth::bits16).value()), ::testing::ElementsAre(1, 2, 256));
    EXPECT_THAT(ids_of(parse(little32(70000) + little32(3), TokenWidth::bits32).value()),
                ::testing::ElementsAre(70000, 3));
    EXPECT_EQ(parse("", TokenWidth::bits16).value().count(), 0U);
}

TEST(TokenFile, WithoutAHeaderTheWidthIsAskedFor) {
    const std::string error = parse(six + six, std::nullopt).error().text();
    EXPECT_EQ(
        error,
        "t.bin: has no header that says how wide its ids are: 6 of 16 bits up to 256, or 3 of 32 bits up to "
        "16777218; say --token-bits 16 or 32, or --vocab");
    EXPECT_EQ(parse("", std::nullopt).error().text(), "t.bin: is empty");
    EXPECT_FALSE(parse("abc", std::nullopt).ok());
}

TEST(TokenFile, AVocabularySaysTheWidth) {
    EXPECT_EQ(parse(six + six, std::nullopt, 65536).value().count(), 6U);
    EXPECT_EQ(parse(little32(5) + little32(6), std::nullopt, 65537).value().count(), 2U);
}

TEST(TokenFile, LlmCsHeaderSaysTheWidth) {
    EXPECT_THAT(ids_of(parse(with_header(20240520, 1, 3, six), std::nullopt).value()),
                ::testing::ElementsAre(1, 2, 256));
    EXPECT_THAT(ids_of(parse(with_header(20240801, 7, 1, little32(99)), std::nullopt).value()),
                ::testing::ElementsAre(99));
    EXPECT_EQ(parse(with_header(20240520, 1, 4, six), std::nullopt).error().text(),
              "t.bin: byte 8: states 4 ids of 2 bytes; 6 bytes follow the header");
    EXPECT_EQ(parse(with_header(20240520, 1, 3, six), TokenWidth::bits32).error().text(),
              "t.bin: byte 0: its header says 16 bits an id, not 32");
    // Another magic is no header, and then the width is not known.
    EXPECT_THAT(parse(with_header(20240521, 1, 3, six), std::nullopt).error().text(),
                HasSubstr("has no header"));
}

TEST(TokenFile, ACutIdAndAnIdOutsideSayWhere) {
    EXPECT_EQ(parse(six.substr(0, 5), TokenWidth::bits16).error().text(),
              "t.bin: byte 4: the file ends after 1 of an id's 2 bytes");
    EXPECT_EQ(parse(six, TokenWidth::bits32).error().text(),
              "t.bin: byte 4: the file ends after 2 of an id's 4 bytes");
    EXPECT_EQ(parse(six, TokenWidth::bits16, 256).error().text(),
              "t.bin: record 2, byte 4: id 256 of a vocabulary of 256");
    EXPECT_TRUE(parse(six, TokenWidth::bits16, 257).ok());
}

TEST(TokenFile, PackedIsTheSameAsMapped) {
    TempDir folder;
    const std::string ids = noise(4000);
    const TokenOptions sixteen{TokenWidth::bits16, 0};
    const Tokens mapped = load_tokens(write_file(folder.path(), "a.bin", ids), sixteen, {}).value();
    const Tokens packed =
        load_tokens(write_file(folder.path(), "a.bin.zst", zstded(ids)), sixteen, {}).value();
    EXPECT_EQ(ids_of(mapped), ids_of(packed));
}

TEST(TokenReport, CountsAndEntropy) {
    const std::string bytes("\1\0\2\0\1\0\2\0", 8);
    const TokenReport report = report_tokens(parse(bytes, TokenWidth::bits16).value());
    EXPECT_EQ(report.count, 4U);
    EXPECT_EQ(report.distinct, 2U);
    EXPECT_EQ(report.smallest, 1U);
    EXPECT_EQ(report.largest, 2U);
    EXPECT_DOUBLE_EQ(report.entropy_bits_per_token, 1);
    EXPECT_EQ(report_tokens(Tokens{}).count, 0U);
}

}  // namespace
}  // namespace plimsoll::data
