#include "plimsoll/bpe/encode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/bpe/files.h"
#include "plimsoll/bpe/merger.h"
#include "plimsoll/bpe/stream.h"
#include "tests/bpe/bpe_support.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::bpe {
namespace {

using ::testing::ElementsAre;
using Ids = std::vector<std::uint32_t>;

constexpr auto all_pretokenizers = {Pretokenizer::gpt2, Pretokenizer::cl100k, Pretokenizer::none};

BpeModel small_model(Pretokenizer pretokenizer, std::uint64_t vocab = 400) {
    const testing::TempDir folder;
    const auto text = write_file(folder.path() / "text", random_text(77, 3000));
    return trained({text}, {.vocab = vocab, .pretokenizer = pretokenizer});
}

std::string decoded(const BpeEncoder& encoder, const Ids& ids) {
    std::string bytes;
    EXPECT_TRUE(encoder.decode(ids, bytes).ok());
    return bytes;
}

Ids ids_of_file(const BpeEncoder& encoder, const std::filesystem::path& path, const EncodeOptions& options) {
    Ids all;
    const auto done = encode_file(encoder, path, options, [&](std::span<const std::uint32_t> ids) {
        all.insert(all.end(), ids.begin(), ids.end());
        return Status();
    });
    EXPECT_TRUE(done.ok());
    EXPECT_EQ(done->tokens, all.size());
    return all;
}

TEST(BpeEncode, GivesTheBytesBack) {
    for (const auto pretokenizer : all_pretokenizers) {
        const BpeEncoder encoder = encoder_of(small_model(pretokenizer));
        for (std::uint64_t seed = 0; seed < 16; ++seed) {
            const std::string text = seed % 2 == 0 ? random_text(seed, 200) : random_bytes(seed, 500);
            EXPECT_EQ(decoded(encoder, encoded(encoder, text)), text);
        }
        EXPECT_TRUE(encoded(encoder, "").empty());
        EXPECT_EQ(decoded(encoder, encoded(encoder, std::string(3, '\0'))), std::string(3, '\0'));
    }
}

TEST(BpeEncode, AgreesWithTheObviousEncoder) {
    for (const auto pretokenizer : all_pretokenizers) {
        const BpeModel model = small_model(pretokenizer, 330);
        const BpeEncoder encoder = encoder_of(model);
        for (std::uint64_t seed = 100; seed < 106; ++seed) {
            const std::string text = random_text(seed, 60);
            EXPECT_EQ(encoded(encoder, text, true), naive_ids(model, text)) << seed;
        }
        for (const std::string run : {"aaaaaaaaaaaaaaaaaaaaaaaaa", "abababababababab", "ingingthethe"})
            EXPECT_EQ(encoded(encoder, run), naive_ids(model, run));
    }
}

TEST(BpeEncode, RemembersPiecesAndStillGivesTheSame) {
    const BpeEncoder encoder = encoder_of(small_model(Pretokenizer::gpt2));
    BpeEncoder::Scratch scratch;
    for (std::uint64_t round = 0; round < 3; ++round) {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const std::string text = random_text(seed, 300);
            Ids ids;
            encoder.encode(text, false, scratch, ids);
            EXPECT_EQ(ids, encoded(encoder, text));
        }
    }
}

TEST(BpeEncode, CutsLongPiecesInWindowsExactly) {
    const BpeModel model = small_model(Pretokenizer::none, 300);
    const PieceMerger merger(model, model.byte_ids().value());
    ASSERT_LT(merger.reach(), 4000U);
    const std::uint64_t window = merger.reach() + 200;
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const std::string piece = seed == 0 ? std::string(9000, 'a') : random_text(seed, 5000);
        ASSERT_GT(piece.size(), 2 * window);
        Ids whole, in_windows;
        merger.merge_in_windows(piece, UINT64_MAX, whole);
        merger.merge_in_windows(piece, window, in_windows);
        EXPECT_EQ(in_windows, whole) << seed;
        Ids taken, rest;
        merger.merge_in_windows(piece, window, rest, [&](Ids& part) {
            taken.insert(taken.end(), part.begin(), part.end());
            part.clear();
        });
        EXPECT_FALSE(taken.empty());
        taken.insert(taken.end(), rest.begin(), rest.end());
        EXPECT_EQ(taken, whole) << seed;
    }
}

// A merge that comes before one of its parts: no bound is known, so there are no windows.
TEST(BpeEncode, KnowsNoReachForMergesOutOfOrder) {
    BpeModel model = small_model(Pretokenizer::none, 260);
    model.tokens.insert(model.tokens.end(), {"abc", "zz"});
    model.tokens.emplace_back("ab");
    const auto ids = model.byte_ids().value();
    const auto first = static_cast<std::uint32_t>(model.tokens.size() - 3);
    model.merges = {{first + 2, ids['c'], first, 0}, {ids['a'], ids['b'], first + 2, 1}};
    const PieceMerger merger(model, ids);
    EXPECT_EQ(merger.reach(), UINT64_MAX);
    Ids merged;
    merger.merge("abcabc", merged);
    EXPECT_THAT(merged, ElementsAre(first, first));
}

TEST(BpeEncode, FindsSpecialTokensOrTakesThemAsText) {
    BpeModel model = small_model(Pretokenizer::gpt2);
    model.specials.push_back({static_cast<std::uint32_t>(model.tokens.size()), "<|end"});
    model.tokens.emplace_back("<|end");
    const BpeEncoder encoder = encoder_of(model);
    const auto end = static_cast<std::uint32_t>(model.tokens.size() - 1);
    // The longer of two that begin at one place.
    EXPECT_THAT(encoded(encoder, "<|endoftext|><|end<|endoftext|>"), ElementsAre(0, end, 0));
    const Ids text = encoded(encoder, "<|endoftext|>", true);
    EXPECT_GT(text.size(), 1U);
    EXPECT_EQ(decoded(encoder, text), "<|endoftext|>");
    // The text on each side is cut into pieces as if it stood alone.
    Ids parts = encoded(encoder, "a  ");
    parts.push_back(0);
    const Ids right = encoded(encoder, " b");
    parts.insert(parts.end(), right.begin(), right.end());
    EXPECT_EQ(encoded(encoder, "a  <|endoftext|> b"), parts);
}

TEST(BpeEncode, GivesTheSameForAFileOnAnyThreads) {
    const testing::TempDir folder;
    std::string text = random_text(5, 330000);
    text.insert(text.size() / 2, "<|endoftext|>");
    const auto path = write_file(folder.path() / "text", text);
    ASSERT_GT(text.size(), std::size_t{1} << 19U);
    const BpeEncoder encoder = encoder_of(small_model(Pretokenizer::gpt2));
    const Ids whole = encoded(encoder, text);
    EXPECT_EQ(ids_of_file(encoder, path, {.threads = 1}), whole);
    EXPECT_EQ(ids_of_file(encoder, path, {.threads = 5}), whole);
    Ids by_lines;
    BpeEncoder::Scratch scratch;
    for_each_unit(TextUnit::line, text,
                  [&](std::string_view line) { encoder.encode(line, false, scratch, by_lines); });
    EXPECT_EQ(ids_of_file(encoder, path, {.unit = TextUnit::line, .threads = 3}), by_lines);
    EXPECT_NE(by_lines, whole);
}

TEST(BpeEncode, StopsWhenTheSinkRefuses) {
    const testing::TempDir folder;
    const auto path = write_file(folder.path() / "text", random_text(5, 400000));
    const BpeEncoder encoder = encoder_of(small_model(Pretokenizer::gpt2, 257));
    const auto full = encode_file(encoder, path, {.threads = 4}, [](std::span<const std::uint32_t>) {
        return Status(io_error("disk", "full"));
    });
    EXPECT_EQ(full.error().text(), "disk: full");
}

TEST(BpeEncode, NamesAnIdThatIsNoToken) {
    const BpeEncoder encoder = encoder_of(small_model(Pretokenizer::gpt2, 257));
    std::string bytes;
    EXPECT_EQ(encoder.decode(Ids{257}, bytes).error().text(),
              "ids: 257 is not a token of this vocabulary of 257");
}

TEST(BpeEncode, GivesGpt2sOwnIds) {
    const auto vocab = shared_file("data/tokenizers/gpt2_encoder.json");
    if (!vocab) GTEST_SKIP() << "data/tokenizers/gpt2_encoder.json is absent";
    const auto model = read_bpe(vocab->parent_path());
    ASSERT_TRUE(model.ok()) << model.error().text();
    EXPECT_EQ(model->size(), 50257U);
    const BpeEncoder encoder = encoder_of(*model);
    EXPECT_THAT(encoded(encoder, "Hello world"), ElementsAre(15496, 995));
    EXPECT_THAT(encoded(encoder, "Hello, world!"), ElementsAre(15496, 11, 995, 0));
    EXPECT_THAT(encoded(encoder, "<|endoftext|>"), ElementsAre(50256));
}

}  // namespace
}  // namespace plimsoll::bpe
