#include "plimsoll/bpe/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/bpe/stream.h"
#include "tests/bpe/bpe_support.h"
#include "tests/support/error_text.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::bpe {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

BpeModel model_to_write(Pretokenizer pretokenizer) {
    const testing::TempDir folder;
    const auto text = write_file(folder.path() / "text", random_text(77, 2000));
    return trained({text},
                   {.vocab = 320, .specials = {"<|endoftext|>", "<pad>"}, .pretokenizer = pretokenizer});
}

TEST(BpeFiles, TokenizerJsonComesBackAsItWas) {
    const testing::TempDir folder;
    for (const auto pretokenizer : {Pretokenizer::gpt2, Pretokenizer::cl100k, Pretokenizer::none}) {
        const BpeModel model = model_to_write(pretokenizer);
        ASSERT_TRUE(formats::write_tokenizer_json(folder.path() / "tokenizer.json", json_of_bpe(model)).ok());
        const auto again = read_bpe(folder.path() / "tokenizer.json");
        ASSERT_TRUE(again.ok()) << again.error().text();
        EXPECT_EQ(*again, model);
        EXPECT_EQ(*read_bpe(folder.path()), model);  // found in its folder
    }
}

TEST(BpeFiles, ReadsMergesThatAreOneString) {
    const BpeModel model = model_to_write(Pretokenizer::gpt2);
    auto json = parse_json(*formats::tokenizer_json_text(json_of_bpe(model)), "text").value();
    for (Json& merge : json["model"]["merges"])
        merge = merge[0].get<std::string>() + " " + merge[1].get<std::string>();
    const auto parsed = formats::parse_tokenizer_json(json.dump(), "old");
    ASSERT_TRUE(parsed.ok());
    EXPECT_EQ(*bpe_of_json(*parsed, "old"), model);
}

TEST(BpeFiles, RanksGiveTheSameIds) {
    const testing::TempDir folder;
    for (const auto pretokenizer : {Pretokenizer::gpt2, Pretokenizer::cl100k, Pretokenizer::none}) {
        const BpeModel model = model_to_write(pretokenizer);
        const auto file = write_file(folder.path() / "ranks.tiktoken", rank_text(model));
        const auto ranks = read_bpe(file, {pretokenizer, model.specials});
        ASSERT_TRUE(ranks.ok()) << ranks.error().text();
        EXPECT_EQ(ranks->tokens, model.tokens);
        EXPECT_EQ(rank_text(*ranks), rank_text(model));
        const BpeEncoder from_ranks = encoder_of(*ranks), from_merges = encoder_of(model);
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const std::string text = random_text(seed, 300) + "<pad>" + random_bytes(seed, 100);
            EXPECT_EQ(encoded(from_ranks, text), encoded(from_merges, text)) << seed;
        }
    }
}

TEST(BpeFiles, WritesBase64) {
    BpeModel model{.tokens = {"a", "ab", "abc", "\xff\xfe", "<s>"}, .specials = {{4, "<s>"}}};
    EXPECT_EQ(rank_text(model), "YQ== 0\nYWI= 1\nYWJj 2\n//4= 3\n");
}

TEST(BpeFiles, RefusesDamagedRanks) {
    const std::string good = rank_text(model_to_write(Pretokenizer::gpt2));
    const auto refusal = [&](const std::string& text) { return bpe_of_ranks(text, {}, "r").error().text(); };
    EXPECT_EQ(refusal(good + "YQ==\n"),
              "r: line 319 must be a token in base64, a space and its rank, is 'YQ=='");
    EXPECT_THAT(refusal(good + "YQ= 900\n"), HasSubstr("line 319 must be a token"));
    EXPECT_THAT(refusal(good + "YR== 900\n"), HasSubstr("line 319 must be a token"));
    EXPECT_THAT(refusal(good + "YQ== 99999999999\n"), HasSubstr("line 319 must be a token"));
    EXPECT_EQ(refusal(good + "YQ== 900\n"), "r: line 319 gives its token a second rank");
    EXPECT_EQ(refusal(good + "enp6enp6 5\n"), "r: rank 5 is given twice");
    EXPECT_EQ(refusal("YQ== 16777215\n"), "r: has the rank 16777215 among 2 lines");
    EXPECT_EQ(refusal(""), "r: byte 0x00 has no token, so not every text could be encoded");
    EXPECT_EQ(bpe_of_ranks(good, {Pretokenizer::gpt2, {{5, "<x>"}}}, "r").error().text(),
              "r: rank 5 is given twice");
    EXPECT_EQ(bpe_of_ranks(good, {Pretokenizer::gpt2, {{16777215, "<x>"}}}, "r").error().text(),
              "r: is given a special token of id 16777215, far beyond its ranks");
}

TEST(BpeFiles, RefusesWhatWouldGiveOtherIds) {
    const std::string text = *formats::tokenizer_json_text(json_of_bpe(model_to_write(Pretokenizer::gpt2)));
    const Json good = parse_json(text, "text").value();
    const auto refusal = [&](const std::string& pointer, const Json& value) {
        Json json = good;
        json[Json::json_pointer(pointer)] = value;
        const auto parsed = formats::parse_tokenizer_json(json.dump(), "t");
        return error_text(parsed.ok() ? bpe_of_json(*parsed, "t") : Result<BpeModel>(parsed.error()));
    };
    EXPECT_EQ(refusal("/version", "1.0"), "");
    EXPECT_EQ(refusal("/normalizer", {{"type", "NFC"}}),
              "t: has a normalizer, so that decoding could not give the bytes back");
    EXPECT_THAT(refusal("/pre_tokenizer", nullptr), HasSubstr("pre_tokenizer must be ByteLevel"));
    EXPECT_THAT(refusal("/pre_tokenizer/add_prefix_space", true),
                HasSubstr("pre_tokenizer must be ByteLevel"));
    EXPECT_EQ(refusal("/model/dropout", 0.1), "t: model.dropout must be off for a byte-level BPE");
    EXPECT_EQ(refusal("/model/byte_fallback", true),
              "t: model.byte_fallback must be off for a byte-level BPE");
    EXPECT_EQ(refusal("/added_tokens/0/lstrip", true),
              "t: added token '<|endoftext|>' absorbs white space or matches only whole words");
    EXPECT_THAT(refusal("/model/vocab/\u4e00", 900),
                HasSubstr("is not written in GPT-2's characters for bytes"));
    EXPECT_EQ(refusal("/model/vocab/!!!!", 16777215), "t: has ids up to 16777215 for 323 tokens");
    Json no_byte = good;
    no_byte["model"]["merges"] = Json::array();
    no_byte["model"]["vocab"].erase("!");
    EXPECT_EQ(bpe_of_json(*formats::parse_tokenizer_json(no_byte.dump(), "t"), "t").error().text(),
              "t: byte 0x21 has no token, so not every text could be encoded");
}

TEST(BpeFiles, ReadsVocabularyAndMergesOfAFolder) {
    const testing::TempDir folder;
    const BpeModel model = model_to_write(Pretokenizer::gpt2);
    const auto json = json_of_bpe(model);
    Json vocab = Json::object();
    for (const auto& entry : json.vocab) vocab[entry.token] = entry.id;
    vocab.erase("<pad>");
    std::string merges = "#version: 0.2\n";
    for (const BpeMerge& merge : model.merges)
        merges += byte_text(model.tokens[merge.left]) + " " + byte_text(model.tokens[merge.right]) + "\n";
    EXPECT_THAT(read_bpe(folder.path()).error().text(),
                HasSubstr("has no tokenizer.json, and no vocab.json"));
    write_file(folder.path() / "vocab.json", vocab.dump());
    write_file(folder.path() / "merges.txt", merges);
    const auto read = read_bpe(folder.path());
    ASSERT_TRUE(read.ok()) << read.error().text();
    EXPECT_EQ(read->merges, model.merges);
    EXPECT_EQ(read->specials, std::vector<SpecialToken>({{0, "<|endoftext|>"}}));
}

TEST(BpeFiles, ByteCharactersGoBothWays) {
    std::string all;
    for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
    EXPECT_EQ(*bytes_of_text(byte_text(all)), all);
    EXPECT_EQ(byte_text(" a\n"), "\u0120a\u010a");
    EXPECT_FALSE(bytes_of_text("\u4e00").ok());
    EXPECT_FALSE(bytes_of_text(" ").ok());
}

TEST(IdFiles, ComeBackAsTheyWere) {
    const testing::TempDir folder;
    const std::vector<std::uint32_t> ids{0, 1, 65535, 300, 7};
    for (const unsigned width : {2U, 4U}) {
        const auto file = write_file(folder.path() / "ids.bin", binary_ids(ids, width));
        std::vector<std::uint32_t> again;
        ASSERT_TRUE(read_ids(file, width, [&](std::span<const std::uint32_t> part) {
                        again.insert(again.end(), part.begin(), part.end());
                        return Status();
                    }).ok());
        EXPECT_EQ(again, ids);
    }
    const auto odd = write_file(folder.path() / "odd.bin", "abc");
    EXPECT_THAT(read_ids(odd, 2, [](auto) { return Status(); }).error().text(),
                HasSubstr("holds 3 bytes, not a whole number of ids of 2 bytes"));
}

TEST(IdFiles, TextMayBreakAnywhere) {
    const std::string text = " 12 345\n\n6\t7 \r\n8";
    for (std::size_t step = 1; step <= text.size(); ++step) {
        std::size_t at = 0;
        const auto read = [&](std::span<char> out) -> Result<std::size_t> {
            const std::size_t count = std::min({step, out.size(), text.size() - at});
            std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(at), count, out.begin());
            at += count;
            return count;
        };
        std::vector<std::uint32_t> ids;
        ASSERT_TRUE(read_id_text(read, [&](std::span<const std::uint32_t> part) {
                        ids.insert(ids.end(), part.begin(), part.end());
                        return Status();
                    }).ok());
        EXPECT_EQ(ids, std::vector<std::uint32_t>({12, 345, 6, 7, 8})) << step;
    }
}

TEST(IdFiles, TextThatIsNoIdsIsNamed) {
    const testing::TempDir folder;
    for (const std::string bad : {"12 x3 4", "-1", "1.5", "99999999999"}) {
        const auto file = write_file(folder.path() / "ids.txt", bad);
        EXPECT_THAT(read_ids(file, 2, [](auto) { return Status(); }).error().text(),
                    HasSubstr("is not an id; ids are whole numbers with spaces between them"))
            << bad;
    }
}

}  // namespace
}  // namespace plimsoll::bpe
