#include "plimsoll/formats/tokenizer_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/random.h"
#include "tests/formats/hostile_files.h"
#include "tests/formats/tokenizer_file.h"
#include "tests/support/error_text.h"
#include "tests/support/random_spec.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::formats {
namespace {

using testing::read_tokenizer_json;

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Result<TokenizerJson> parse_tokenizer(std::string_view text) { return parse_tokenizer_json(text, "t.json"); }

std::string valid(std::string_view name) {
    for (const auto& file : testing::valid_tokenizers()) {
        if (file.name == name) return file.bytes;
    }
    return "";
}

TEST(TokenizerJson, EveryAttackIsRefusedWithItsSentence) {
    for (const auto& file : testing::hostile_tokenizers()) {
        const auto tokenizer = parse_tokenizer(file.bytes);
        ASSERT_FALSE(tokenizer.ok()) << file.name;
        EXPECT_EQ(tokenizer.error().kind, file.kind) << file.name;
        EXPECT_THAT(tokenizer.error().text(), HasSubstr("t.json: ")) << file.name;
        EXPECT_THAT(tokenizer.error().text(), HasSubstr(file.sentence)) << file.name;
    }
}

TEST(TokenizerJson, TextCutAnywhereIsRefused) {
    for (const auto& file : testing::valid_tokenizers()) {
        ASSERT_TRUE(parse_tokenizer(file.bytes).ok())
            << file.name << ": " << parse_tokenizer(file.bytes).error().text();
        for (std::size_t size = 0; size < file.bytes.size(); ++size) {
            EXPECT_FALSE(parse_tokenizer(file.bytes.substr(0, size)).ok()) << file.name << " cut at " << size;
        }
    }
}

TEST(TokenizerJson, EveryPartIsRead) {
    const auto tokenizer = parse_tokenizer(valid("pairs"));
    ASSERT_TRUE(tokenizer.ok());
    EXPECT_EQ(tokenizer->kind, TokenizerKind::bpe);
    EXPECT_THAT(tokenizer->vocab, ElementsAre(VocabEntry{0, "a"}, VocabEntry{1, "b"}, VocabEntry{2, "ab"},
                                              VocabEntry{3, "abb"}));
    EXPECT_THAT(tokenizer->merges, ElementsAre(Merge{0, 1, 2}, Merge{2, 1, 3}));
    EXPECT_THAT(tokenizer->added_tokens, ElementsAre(AddedToken{.id = 4, .content = "<x>", .special = true},
                                                     AddedToken{.id = 0, .content = "a"}));
    EXPECT_EQ(tokenizer->rows(), 5U);
    EXPECT_EQ(tokenizer->stages.dump(),
              R"({"version":"1.0","normalizer":null,"pre_tokenizer":{"type":"ByteLevel"}})");
    EXPECT_EQ(tokenizer->model_settings.dump(), R"({"dropout":null})");
}

TEST(TokenizerJson, OldAndNewMergesMeanTheSame) {
    EXPECT_EQ(parse_tokenizer(valid("old_strings"))->merges, parse_tokenizer(valid("pairs"))->merges);
    EXPECT_THAT(parse_tokenizer(valid("prefix"))->merges, ElementsAre(Merge{0, 1, 2}))
        << "the prefix goes when two merge";
}

TEST(TokenizerJson, OtherKindsGiveTheirVocabulary) {
    const auto pieces = parse_tokenizer(valid("word_piece"));
    EXPECT_EQ(name_of(pieces->kind), "WordPiece");
    EXPECT_EQ(pieces->vocab.size(), 2U);
    const auto unigram = parse_tokenizer(valid("unigram"));
    EXPECT_EQ(unigram->kind, TokenizerKind::unigram);
    EXPECT_THAT(unigram->vocab, ElementsAre(VocabEntry{0, "<unk>"}, VocabEntry{1, "a"}));
    const auto text = tokenizer_json_text(*unigram);
    EXPECT_EQ(text.error().kind, ErrorKind::unsupported);
    EXPECT_THAT(text.error().text(), HasSubstr("only BPE is written, this is Unigram"));
}

// A vocabulary of letters and of what random merges make of them.
TokenizerJson random_bpe(std::uint64_t seed) {
    RandomStream random(seed, "bpe");
    TokenizerJson out;
    for (std::uint32_t i = 0; i < 4; ++i)
        out.vocab.push_back({i, std::string(1, static_cast<char>('a' + i))});
    for (int tries = 0; tries < 20; ++tries) {
        const auto left = random.below(out.vocab.size()), right = random.below(out.vocab.size());
        const std::string token = out.vocab[left].token + out.vocab[right].token;
        if (std::ranges::find(out.vocab, token, &VocabEntry::token) != out.vocab.end()) continue;
        const auto id = static_cast<std::uint32_t>(out.vocab.back().id + 1 + random.below(2));
        out.vocab.push_back({id, token});
        out.merges.push_back({out.vocab[left].id, out.vocab[right].id, id});
    }
    out.added_tokens.push_back({.id = 1000, .content = "<\xE2\x82\xAC>\n", .lstrip = true, .special = true});
    out.model_settings = {{"dropout", nullptr}, {"byte_fallback", true}};
    out.stages = {{"version", "1.0"}, {"normalizer", {{"type", "NFC"}}}};
    return out;
}

TEST(TokenizerJson, WhatIsWrittenIsReadBack) {
    for (int seed = 0; seed < 50 * testing::test_scale(); ++seed) {
        const TokenizerJson drawn = random_bpe(static_cast<std::uint64_t>(seed));
        const auto text = tokenizer_json_text(drawn);
        ASSERT_TRUE(text.ok()) << "seed " << seed << ": " << text.error().text();
        EXPECT_EQ(*parse_tokenizer(*text), drawn) << "seed " << seed;
    }
}

TEST(TokenizerJson, AFileIsItsText) {
    const testing::TempDir folder;
    const auto path = folder.path() / "tokenizer.json";
    ASSERT_TRUE(write_tokenizer_json(path, random_bpe(1)).ok());
    EXPECT_EQ(*read_tokenizer_json(path), random_bpe(1));
}

TEST(TokenizerJson, MergesAreWrittenAsPairs) {
    const auto text = tokenizer_json_text(*parse_tokenizer(valid("old_strings")));
    ASSERT_TRUE(text.ok()) << text.error().text();
    EXPECT_EQ(parse_json(*text, "t")->at("model").at("merges").dump(), R"([["a","b"],["ab","b"]])");
}

TEST(TokenizerJson, TheWriterRefusesWhatTheReaderWould) {
    const auto complaint = [](auto change) {
        TokenizerJson tokenizer = random_bpe(1);
        change(tokenizer);
        return error_text(tokenizer_json_text(tokenizer));
    };
    EXPECT_THAT(complaint([](auto& t) { t.merges[0].left = 999; }),
                HasSubstr("merge 0 has an id that is not in the"));
    EXPECT_THAT(complaint([](auto& t) { t.merges[0].result = t.vocab[0].id; }),
                HasSubstr("contradict one another"));
    EXPECT_THAT(complaint([](auto& t) { std::swap(t.vocab[0], t.vocab[1]); }),
                HasSubstr("not in order of id"));
    EXPECT_THAT(complaint([](auto& t) { t.vocab.back().id = 0; }), HasSubstr("both have id 0"));
    EXPECT_THAT(complaint([](auto& t) { t.added_tokens[0].content = "\xff"; }), HasSubstr("must be UTF-8"));
    EXPECT_THAT(complaint([](auto& t) { t.model_settings["type"] = "WordPiece"; }),
                HasSubstr("key 'type' is given twice"));
}

}  // namespace
}  // namespace plimsoll::formats
