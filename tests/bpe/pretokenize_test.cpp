#include "plimsoll/bpe/pretokenize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "plimsoll/bpe/chunks.h"
#include "plimsoll/bpe/unicode_class.h"
#include "tests/bpe/bpe_support.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::bpe {
namespace {

using ::testing::ElementsAre;

constexpr auto the_pretokenizers = {Pretokenizer::gpt2, Pretokenizer::cl100k, Pretokenizer::none};

TEST(UnicodeClass, KnowsOneCharacterOfEachKind) {
    for (const std::uint32_t letter : {0x41U, 0xaaU, 0xe9U, 0x1c5U, 0x2b0U, 0x4e00U, 0xac00U, 0x10330U})
        EXPECT_EQ(class_of(letter), CharClass::letter) << std::hex << letter;
    for (const std::uint32_t number : {0x30U, 0xb2U, 0xbdU, 0x661U, 0x2167U, 0x3007U, 0xff11U, 0x1d7d8U})
        EXPECT_EQ(class_of(number), CharClass::number) << std::hex << number;
    for (const std::uint32_t space : {0x09U, 0x0dU, 0x20U, 0x85U, 0xa0U, 0x1680U, 0x2028U, 0x3000U})
        EXPECT_EQ(class_of(space), CharClass::space) << std::hex << space;
    for (const std::uint32_t other :
         {0x00U, 0x1cU, 0x21U, 0x301U, 0x93eU, 0x180eU, 0x200bU, 0x1f600U, 0xffffdU})
        EXPECT_EQ(class_of(other), CharClass::other) << std::hex << other;
    EXPECT_EQ(class_of(0xffffffffU), CharClass::other);
    EXPECT_FALSE(unicode_version().empty());
}

TEST(UnicodeClass, TakesAStrayByteForACharacter) {
    for (const std::string bad :
         {"\x80", "\xc3", "\xc0\x80", "\xe2\x82", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff"}) {
        const Char first = char_at(bad.data(), bad.data() + bad.size());
        EXPECT_EQ(first.kind, CharClass::other) << bad.size();
        EXPECT_EQ(first.bytes, 1) << bad.size();
    }
    const std::string euro = "\u20ac", face = "\U0001f600", accent = "\u00e9";
    EXPECT_EQ(char_at(euro.data(), euro.data() + 3).bytes, 3);
    EXPECT_EQ(char_at(euro.data(), euro.data() + 2).bytes, 1);
    EXPECT_EQ(char_at(face.data(), face.data() + 4).bytes, 4);
    EXPECT_EQ(char_at(accent.data(), accent.data() + 2).kind, CharClass::letter);
}

// Checked against the two patterns with a regular-expression library (Unicode 15 characters).
TEST(Pretokenize, CutsAsGpt2) {
    const auto cut = [](std::string_view text) { return pieces_of(Pretokenizer::gpt2, text); };
    EXPECT_THAT(cut("Hello world"), ElementsAre("Hello", " world"));
    EXPECT_THAT(cut("it's we'll 'S '"), ElementsAre("it", "'s", " we", "'ll", " '", "S", " '"));
    EXPECT_THAT(cut("a  b   c"), ElementsAre("a", " ", " b", "  ", " c"));
    EXPECT_THAT(cut("a \n\n b\n"), ElementsAre("a", " \n\n", " b", "\n"));
    EXPECT_THAT(cut("a\n\nb"), ElementsAre("a", "\n", "\n", "b"));
    EXPECT_THAT(cut("x12345y 67!?8"), ElementsAre("x", "12345", "y", " 67", "!?", "8"));
    EXPECT_THAT(cut("!'s"), ElementsAre("!'", "s"));
    EXPECT_THAT(cut("\u4f60\u597d \u0661\u00bd\u3000\u3000z"),
                ElementsAre("\u4f60\u597d", " \u0661\u00bd", "\u3000", "\u3000", "z"));
    EXPECT_THAT(cut("a\xff\xfe b"), ElementsAre("a", "\xff\xfe", " b"));
    EXPECT_THAT(cut(" "), ElementsAre(" "));
    EXPECT_THAT(cut(""), ElementsAre());
}

TEST(Pretokenize, CutsAsCl100k) {
    const auto cut = [](std::string_view text) { return pieces_of(Pretokenizer::cl100k, text); };
    EXPECT_THAT(cut("Hello world"), ElementsAre("Hello", " world"));
    EXPECT_THAT(cut("IT'S we'Ll x'\u017f"), ElementsAre("IT", "'S", " we", "'Ll", " x", "'\u017f"));
    EXPECT_THAT(cut("1234567"), ElementsAre("123", "456", "7"));
    EXPECT_THAT(cut("\tab (cd) !!x"), ElementsAre("\tab", " (", "cd", ")", " !!", "x"));
    EXPECT_THAT(cut("end.\r\n\r\n  next"), ElementsAre("end", ".\r\n\r\n", " ", " next"));
    EXPECT_THAT(cut("a \n \n  b"), ElementsAre("a", " \n \n", " ", " b"));
    EXPECT_THAT(cut("\nab"), ElementsAre("\n", "ab"));
    EXPECT_THAT(cut("a   "), ElementsAre("a", "   "));
    EXPECT_THAT(cut("'quoted' 'd"), ElementsAre("'quoted", "'", " '", "d"));
}

TEST(Pretokenize, LosesNoByte) {
    for (const auto pretokenizer : the_pretokenizers) {
        for (std::uint64_t seed = 0; seed < 50; ++seed) {
            const std::string text = seed % 2 == 0 ? random_text(seed, 300) : random_bytes(seed, 300);
            std::string whole;
            for (const std::string& piece : pieces_of(pretokenizer, text)) {
                EXPECT_FALSE(piece.empty());
                whole += piece;
            }
            EXPECT_EQ(whole, text);
        }
    }
}

TEST(Pretokenize, RefusesAnUnknownName) {
    EXPECT_EQ(parse_pretokenizer("gpt3").error().text(), "pretokenizer: unknown 'gpt3' (did you mean gpt2?)");
    EXPECT_EQ(*parse_pretokenizer("cl100k"), Pretokenizer::cl100k);
}

TEST(FirstCut, KeepsThePiecesOfTheWhole) {
    for (const auto pretokenizer : {Pretokenizer::gpt2, Pretokenizer::cl100k}) {
        const CutRule rule{pretokenizer, TextUnit::file};
        std::size_t cuts = 0;
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            const std::string text = random_text(seed, 200);
            const auto whole = pieces_of(pretokenizer, text);
            for (std::size_t from = 1; (from = first_cut(text, from, rule)) != std::string::npos; ++from) {
                auto parts = pieces_of(pretokenizer, text.substr(0, from));
                const auto right = pieces_of(pretokenizer, text.substr(from));
                parts.insert(parts.end(), right.begin(), right.end());
                ASSERT_EQ(parts, whole) << from;
                ++cuts;
            }
        }
        EXPECT_GT(cuts, 100U);
    }
}

TEST(FirstCut, NeverCutsWhatMustStayWhole) {
    const CutRule rule{Pretokenizer::gpt2, TextUnit::file, {"end of text", "x y"}};
    const std::string text = "an end of text and";
    EXPECT_EQ(first_cut(text, 1, rule), 2U);
    EXPECT_EQ(first_cut(text, 3, rule), 14U);
    EXPECT_EQ(first_cut("no", 1, rule), std::string::npos);
    EXPECT_EQ(first_cut("a b", 1, {Pretokenizer::none, TextUnit::file}), std::string::npos);
    EXPECT_EQ(first_cut("a\nb", 1, {Pretokenizer::none, TextUnit::line}), 2U);
    EXPECT_EQ(first_cut("a\nb", 2, {Pretokenizer::none, TextUnit::line}), 2U);
}

TEST(ChunkReader, GivesTheTextInOrderWhateverTheChunk) {
    const testing::TempDir folder;
    const std::string one = random_text(1, 500), two = random_text(2, 700);
    const auto first = write_file(folder.path() / "1", one), second = write_file(folder.path() / "2", two);
    for (const std::size_t size : {1U, 7U, 100U, 100000U}) {
        std::string whole;
        auto reader = ChunkReader::open({first, second}, {}, {.chunk_bytes = size}).value();
        for (std::uint64_t index = 0;; ++index) {
            const auto chunk = reader.next();
            ASSERT_TRUE(chunk.ok());
            if (!chunk->has_value()) break;
            EXPECT_EQ((*chunk)->index, index);
            whole += (*chunk)->text;
        }
        EXPECT_EQ(whole, one + two) << size;
        EXPECT_EQ(reader.bytes_taken(), reader.bytes_total());
    }
    EXPECT_FALSE(ChunkReader::open({folder.path() / "absent"}, {}, {}).ok());
}

std::filesystem::path gzip_file(const std::filesystem::path& path, const std::string& content) {
    gzFile file = gzopen(path.c_str(), "wb");
    EXPECT_EQ(gzwrite(file, content.data(), static_cast<unsigned>(content.size())),
              static_cast<int>(content.size()));
    gzclose(file);
    return path;
}

TEST(ChunkReader, CutsACompressedFileWhereAPlainOneIsCut) {
    const testing::TempDir folder;
    const std::string text = random_text(3, 3000) + " one <special> token two " + random_text(4, 3000);
    const auto plain = write_file(folder.path() / "plain", text),
               packed = gzip_file(folder.path() / "gz", text);
    const CutRule rule{Pretokenizer::gpt2, TextUnit::file, {"<special> token", "the a"}};
    const auto chunks_of = [&](const std::filesystem::path& file, std::size_t size) {
        auto reader = ChunkReader::open({file}, rule, {.chunk_bytes = size}).value();
        std::vector<std::string> chunks;
        for (auto chunk = reader.next(); chunk.ok() && chunk->has_value(); chunk = reader.next())
            chunks.emplace_back((*chunk)->text);
        return chunks;
    };
    for (const std::size_t size : {1U, 5U, 64U, 5000U, 1000000U})
        EXPECT_EQ(chunks_of(packed, size), chunks_of(plain, size)) << size;
    EXPECT_GT(chunks_of(packed, 5).size(), 100U);
}

TEST(ChunkReader, SaysWhenAPackedTextHasNoPlaceToCut) {
    const testing::TempDir folder;
    const auto packed = gzip_file(folder.path() / "gz", std::string(100000, 'a'));
    auto reader = ChunkReader::open({packed}, {}, {.chunk_bytes = 1000, .most_bytes = 20000}).value();
    const auto chunk = reader.next();
    EXPECT_EQ(chunk.error().kind, ErrorKind::unsupported);
    EXPECT_THAT(chunk.error().text(), ::testing::HasSubstr("without a place to cut"));
}

TEST(TextUnit, Names) {
    EXPECT_EQ(*parse_text_unit("line"), TextUnit::line);
    EXPECT_EQ(name_of(TextUnit::file), "file");
    EXPECT_EQ(parse_text_unit("lines").error().text(), "unit: unknown 'lines' (did you mean line?)");
}

}  // namespace
}  // namespace plimsoll::bpe
