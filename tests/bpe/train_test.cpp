#include "plimsoll/bpe/train.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/bpe/bpe_support.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::bpe {
namespace {

using ::testing::HasSubstr;

class BpeTrain : public ::testing::Test {
  protected:
    std::filesystem::path file(const std::string& name, const std::string& content) {
        return write_file(folder_.path() / name, content);
    }
    testing::TempDir folder_;
};

std::vector<std::string> words_of(const BpeTraining& training, const std::string& text) {
    std::vector<std::string> words;
    for_each_unit(training.unit, text, [&](std::string_view unit) {
        for (std::string& piece : pieces_of(training.pretokenizer, unit)) words.push_back(std::move(piece));
    });
    return words;
}

TEST_F(BpeTrain, AgreesWithTheObviousTrainer) {
    for (const auto pretokenizer : {Pretokenizer::gpt2, Pretokenizer::cl100k, Pretokenizer::none}) {
        for (const auto unit : {TextUnit::file, TextUnit::line}) {
            for (std::uint64_t seed = 0; seed < 3; ++seed) {
                const std::string text = random_text(seed, 250);
                const BpeTraining training{
                    .vocab = 330, .pretokenizer = pretokenizer, .unit = unit, .allow_smaller = true};
                const BpeModel model = trained({file("text", text)}, training);
                EXPECT_EQ(model.merges, naive_merges(words_of(training, text), training)) << seed;
            }
        }
    }
}

// Runs of one letter: pairs overlap, and a merged pair stands beside itself.
TEST_F(BpeTrain, CountsRunsOfOneLetterAsThePairsThatAreThere) {
    for (const std::string text :
         {"aaaaaaaaaaaaaaa", "aaa aaaa aaaaa aaaaaa", "abababababab", "aabaabaaab aab"}) {
        const BpeTraining training{.vocab = 270, .pretokenizer = Pretokenizer::gpt2, .allow_smaller = true};
        EXPECT_EQ(trained({file("text", text)}, training).merges,
                  naive_merges(words_of(training, text), training))
            << text;
    }
}

TEST_F(BpeTrain, IsTheSameWhateverTheThreads) {
    const auto text = file("text", random_text(9, 20000));
    BpeTraining training{.vocab = 400, .threads = 1};
    const BpeModel one = trained({text}, training);
    for (const std::size_t threads : {2U, 3U, 8U}) {
        training.threads = threads;
        EXPECT_EQ(trained({text}, training), one) << threads;
    }
}

TEST_F(BpeTrain, IsTheSameWhateverTheOrderOfFiles) {
    const auto a = file("a", random_text(1, 900)), b = file("b", random_text(2, 900)), c = file("c", "");
    const BpeTraining training{.vocab = 400};
    EXPECT_EQ(trained({a, b, c}, training), trained({c, b, a}, training));
}

TEST_F(BpeTrain, CountsAddOverFiles) {
    const auto a = file("a", random_text(1, 900)), b = file("b", random_text(2, 900));
    const WordOptions options{.threads = 3};
    const auto in_a = count_words({a}, options).value(), in_b = count_words({b}, options).value();
    const auto both = count_words({a, b}, options).value();
    EXPECT_EQ(both.total(), in_a.total() + in_b.total());
    std::uint64_t words = 0;
    both.for_each([&](std::string_view word, std::uint64_t count) {
        EXPECT_EQ(count, in_a.count_of(word) + in_b.count_of(word)) << word;
        ++words;
    });
    EXPECT_EQ(words, both.distinct());
}

TEST_F(BpeTrain, GivesTheBytesAndTheSpecialTokenAt257) {
    const BpeModel model = trained({file("text", "any text")}, {.vocab = 257});
    EXPECT_EQ(model.size(), 257U);
    EXPECT_EQ(model.tokens[0], "<|endoftext|>");
    EXPECT_EQ(model.tokens[1], "!");
    EXPECT_EQ(model.tokens[94], "~");
    EXPECT_EQ(model.tokens[95], "\xa1");
    EXPECT_EQ(model.tokens[189], std::string(1, '\0'));
    EXPECT_EQ(model.tokens[221], " ");
    EXPECT_EQ(model.tokens[256], "\xad");
    EXPECT_TRUE(model.merges.empty());
}

TEST_F(BpeTrain, HasExactlyTheSizeAskedFor) {
    const auto text = file("text", random_text(3, 3000));
    for (const std::uint64_t vocab : {258U, 300U, 512U}) {
        const BpeModel model = trained({text}, {.vocab = vocab, .specials = {"<a>", "<b>"}});
        EXPECT_EQ(model.size(), vocab);
        EXPECT_EQ(model.specials.size(), 2U);
    }
}

TEST_F(BpeTrain, RefusesAVocabularyThatCannotBe) {
    const auto text = file("text", "aa aa ab");
    EXPECT_EQ(train_bpe({text}, {.vocab = 256}).error().text(),
              "vocab: must be 257 (256 bytes and 1 special tokens) to 16777216, got 256");
    EXPECT_EQ(
        train_bpe({text}, {.vocab = 1000}).error().text(),
        "vocab: the text has no pair left after 261 tokens of the 1000 requested; give more text, or accept "
        "261 (--allow-smaller)");
    EXPECT_THAT(train_bpe({text}, {.vocab = 1000, .min_frequency = 2}).error().text(),
                HasSubstr("no pair that occurs 2 times left after 258 tokens"));
    EXPECT_EQ(trained({text}, {.vocab = 1000, .allow_smaller = true}).size(), 261U);
    EXPECT_EQ(train_bpe({file("empty", "")}, {.vocab = 258}).error().kind, ErrorKind::bad_input);
}

TEST_F(BpeTrain, RefusesBadSpecialTokens) {
    const auto text = file("text", "b a a a");
    const auto refusal = [&](std::vector<std::string> specials) {
        return train_bpe({text}, {.vocab = 300, .specials = std::move(specials)}).error().text();
    };
    EXPECT_EQ(refusal({""}), "special: must be UTF-8 and not empty");
    EXPECT_EQ(refusal({"\xff"}), "special: must be UTF-8 and not empty");
    EXPECT_EQ(refusal({"<a>", "<a>"}), "special: '<a>' is given twice");
    EXPECT_EQ(refusal({"a"}), "special: 'a' already stands for a byte in the vocabulary");
    // A text whose bytes " a" would be written like the special token.
    EXPECT_EQ(refusal({"\u0120a"}),
              "special: '\u0120a' is the written form of a token of this text; choose another");
}

TEST_F(BpeTrain, AMergeThatSpellsASpecialTokenIsThatToken) {
    const BpeModel model = trained({file("text", "ab ab ab abc")}, {.vocab = 259, .specials = {"ab"}});
    EXPECT_EQ(model.merges[0].result, 0U);
    EXPECT_EQ(model.size(), 259U);
    EXPECT_EQ(model.merges.size(), 3U);
}

TEST_F(BpeTrain, SaysWhenMemoryIsTooSmall) {
    const auto text = file("text", random_bytes(1, 30000));
    EXPECT_THAT(train_bpe({text}, {.vocab = 300, .max_memory = 1000}).error().text(),
                HasSubstr("max-memory: the words of the text need more than 1000 B"));
    const auto words = count_words({text}, {}).value();
    EXPECT_THAT(train_bpe(words, {.vocab = 300, .max_memory = 1000}).error().text(),
                HasSubstr("max-memory: the distinct words of the text have"));
    EXPECT_THAT(train_bpe(words, {.vocab = 300, .max_memory = 300000}).error().text(),
                HasSubstr("max-memory: the pairs of the text need more than"));
}

TEST_F(BpeTrain, ReadsAHugeWord) {
    const std::string text = std::string(300000, 'a');
    const BpeModel model = trained({file("text", text)}, {.vocab = 270});
    EXPECT_EQ(model.tokens[269].size(), 8192U);  // aa, aaaa, ... each time twice as long
}

TEST_F(BpeTrain, NamesAFileThatIsNotThere) {
    EXPECT_EQ(train_bpe({folder_.path() / "absent"}, {.vocab = 300}).error().kind, ErrorKind::not_found);
}

}  // namespace
}  // namespace plimsoll::bpe
