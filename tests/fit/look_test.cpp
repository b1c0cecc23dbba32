#include "plimsoll/fit/look/look.h"

#include <cstring>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/bpe/encode.h"
#include "plimsoll/bpe/files.h"
#include "plimsoll/data/readers/image_file.h"
#include "plimsoll/data/synthetic/synthetic.h"
#include "plimsoll/fit/look/vocabularies.h"
#include "plimsoll/run/splits.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::fit {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string text_of(const std::string& name) {
    const auto made = data::make_synthetic(name).value();
    const auto view = std::get<data::TextFiles>(made.dataset).files.front().bytes.view();
    return {view.data(), view.size()};
}

std::vector<std::string> names_of(const DataLook& look) {
    std::vector<std::string> names;
    for (const auto& choice : look.inputs) names.push_back(choice.name);
    return names;
}

// What a run with this choice holds out: the whole text as tokens, cut by its share of the tokens.
std::string held_out_text(const std::string& text, const InputChoice& choice) {
    if (choice.tokenizer == "bytes")
        return text.substr(run::last_tokens_begin(text.size(), choice.validation_fraction));
    const auto encoder = bpe::BpeEncoder::make(bpe::read_bpe(choice.tokenizer).value()).value();
    bpe::BpeEncoder::Scratch scratch;
    std::vector<std::uint32_t> ids;
    encoder.encode(text, true, scratch, ids);
    ids.erase(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(
                                             run::last_tokens_begin(ids.size(), choice.validation_fraction)));
    std::string bytes;
    EXPECT_TRUE(encoder.decode(ids, bytes).ok());
    return bytes;
}

TEST(LookAtText, EveryVocabularyHoldsOutTheSameText) {
    const testing::TempDir dir;
    const std::string name = "synthetic:grammar,bytes=400000";
    const auto seen = look({.data = name, .out = dir.path()});
    ASSERT_TRUE(seen.ok()) << seen.error().text();
    EXPECT_THAT(names_of(*seen), ElementsAre("bytes", "bpe-500", "bpe-1000"));
    const std::string text = text_of(name);
    const std::string first = held_out_text(text, seen->inputs[0]);
    EXPECT_EQ(first.size(), seen->held_out);
    EXPECT_EQ(text.size(), seen->size);
    EXPECT_NEAR(static_cast<double>(first.size()), 0.1 * static_cast<double>(text.size()), 100);
    for (const auto& choice : seen->inputs) EXPECT_EQ(held_out_text(text, choice), first) << choice.name;
}

TEST(LookAtText, AndSoItIsWithLineEndsAndSpacesInRows) {
    const testing::TempDir dir;
    std::string text = text_of("synthetic:grammar,bytes=100000");
    for (std::size_t i = 0; i + 40 < text.size(); i += 37)
        if (text[i] == ' ') text[i] = i % 2 == 0 ? '\n' : '\t';
    for (std::size_t i = 0; i + 40 < text.size(); i += 3)
        if (text[i] == ' ') text.insert(i, i % 2 == 0 ? "\n\n" : "  ");
    ASSERT_TRUE(atomic_write(dir.path() / "text.txt", text).ok());
    const auto seen = look(
        {.data = (dir.path() / "text.txt").string(), .vocabularies = {257, 400, 600}, .out = dir.path()});
    ASSERT_TRUE(seen.ok()) << seen.error().text();
    EXPECT_THAT(names_of(*seen), ElementsAre("bytes", "bpe-400", "bpe-600"));
    for (const auto& choice : seen->inputs)
        EXPECT_EQ(held_out_text(text, choice).size(), seen->held_out) << choice.name;
}

TEST(LookAtText, VocabulariesAreTrainedOnceAndOnTheTrainingPartOnly) {
    const testing::TempDir dir;
    // The word that only the held-out part has is never merged.
    std::string text = text_of("synthetic:grammar,bytes=200000");
    for (int i = 0; i < 2000; ++i) text += " ZQZQZQ";
    ASSERT_TRUE(atomic_write(dir.path() / "text.txt", text).ok());
    const FitRequest request{
        .data = (dir.path() / "text.txt").string(), .vocabularies = {500}, .out = dir.path() / "out"};
    const auto first = look(request);
    ASSERT_TRUE(first.ok()) << first.error().text();
    const auto path = std::filesystem::path(first->inputs.at(0).tokenizer);
    EXPECT_EQ(path, dir.path() / "out/tokenizers/bpe-500.json");
    const auto trained = read_text(path).value();
    EXPECT_THAT(trained, ::testing::Not(HasSubstr("ZQ")));
    EXPECT_FALSE(std::filesystem::exists(dir.path() / "out/tokenizers/training-part.tmp"));
    const auto written = std::filesystem::last_write_time(path);
    EXPECT_EQ(look(request).value(), *first);
    EXPECT_EQ(std::filesystem::last_write_time(path), written);
}

TEST(LookAtText, RefusesATokenizerOfAnotherSize) {
    const testing::TempDir dir;
    const FitRequest request{
        .data = "synthetic:grammar,bytes=50000", .vocabularies = {400}, .out = dir.path()};
    ASSERT_TRUE(look(request).ok());
    std::filesystem::rename(dir.path() / "tokenizers/bpe-400.json", dir.path() / "tokenizers/bpe-300.json");
    const auto seen = look({.data = request.data, .vocabularies = {300}, .out = dir.path()});
    ASSERT_FALSE(seen.ok());
    EXPECT_THAT(seen.error().text(), HasSubstr("has 400 tokens, not 300: it belongs to something else"));
}

TEST(LookAtText, MeasuresRanksAndLengths) {
    const testing::TempDir dir;
    const auto seen = look({.data = "synthetic:grammar,bytes=200000",
                            .vocabularies = {256, 500},
                            .context = 77,
                            .out = dir.path()});
    ASSERT_TRUE(seen.ok());
    const auto& bytes = seen->inputs[0];
    EXPECT_EQ(bytes.vocab, 256);
    EXPECT_EQ(bytes.units_per_token, 1);
    EXPECT_EQ(bytes.tokens, 77);
    EXPECT_LT(bytes.rank, 60);
    EXPECT_LT(bytes.effective_rank, bytes.rank);
    const auto& bpe = seen->inputs[1];
    EXPECT_EQ(bpe.vocab, 500);
    EXPECT_GT(bpe.units_per_token, 2);
    EXPECT_GT(bpe.rank, 200);
    EXPECT_LT(bpe.rank, 500);
    EXPECT_NEAR(seen->chance, 4.1, 0.2);
    EXPECT_EQ(seen->goal, Goal::bits_per_byte);
}

TEST(LookAtText, TakesTheSplitsOfAFolder) {
    const testing::TempDir dir;
    const std::string text = text_of("synthetic:grammar,bytes=60000");
    const auto folder = dir.path() / "set";
    std::filesystem::create_directory(folder);
    ASSERT_TRUE(atomic_write(folder / "train.txt", text.substr(0, 50'000)).ok());
    ASSERT_TRUE(atomic_write(folder / "valid.txt", text.substr(50'000)).ok());
    const auto seen = look({.data = folder.string()});
    ASSERT_TRUE(seen.ok()) << seen.error().text();
    EXPECT_EQ(seen->held_out, text.size() - 50'000);
    EXPECT_EQ(seen->held_out_part, "valid.txt");
    EXPECT_EQ(seen->inputs[0].validation_fraction, 0.1);
}

TEST(LookAtText, WithoutAFolderReadsBytesOnlyAndSaysSo) {
    const auto seen = look({.data = "synthetic:grammar,bytes=400000"});
    ASSERT_TRUE(seen.ok());
    EXPECT_THAT(names_of(*seen), ElementsAre("bytes"));
    EXPECT_THAT(seen->notes,
                ElementsAre("Without a folder to keep them in no vocabulary is trained; bytes only."));
}

TEST(LookAtText, WordsInRandomOrderDependOnNothingBeyondThem) {
    const auto seen = look({.data = "synthetic:shuffled"});
    ASSERT_TRUE(seen.ok());
    for (const auto& point : seen->dependence.by_distance) {
        if (point.distance <= 4) {
            EXPECT_GT(point.bits, 100 * point.noise);
        } else if (point.distance >= 32) {
            EXPECT_LE(point.bits, point.noise) << point.distance;
        }
    }
    EXPECT_LE(seen->dependence.reach, 16);
    const auto grammar = look({.data = "synthetic:grammar"});
    EXPECT_GE(grammar->dependence.reach, 32);
    EXPECT_GT(grammar->dependence.by_distance[4].bits, 5 * seen->dependence.by_distance[4].bits);
}

TEST(LookAtNothing, TakesTheEmbeddedGrammar) {
    const auto seen = look({});
    ASSERT_TRUE(seen.ok());
    EXPECT_EQ(seen->data, "synthetic:grammar,bytes=2000000,nouns=2000,seed=1");
    EXPECT_EQ(look({.data = seen->data}).value(), *seen);
    EXPECT_EQ(look_from_json(to_json(*seen), "").value(), *seen);
}

TEST(LookAtSequences, CountsSymbolsAndClasses) {
    const auto seen = look({.data = "synthetic:hops=2,symbols=8,count=4000,test=500"});
    ASSERT_TRUE(seen.ok()) << seen.error().text();
    EXPECT_EQ(seen->modality, Modality::sequences);
    EXPECT_EQ(seen->length, 17);
    EXPECT_EQ(seen->size, 4500U);
    EXPECT_EQ(seen->held_out, 500U);
    EXPECT_EQ(seen->classes, 8);
    EXPECT_NEAR(seen->chance, 1.0 / 8, 0.05);
    ASSERT_EQ(seen->inputs.size(), 1U);
    EXPECT_EQ(seen->inputs[0].vocab, 8);
    EXPECT_EQ(seen->inputs[0].rank, 8);
    EXPECT_EQ(seen->inputs[0].tokens, 17);
    // Half of the neighbours are a pair "a b" with b any but a: log2(8/7) bits; the others share next to
    // nothing.
    EXPECT_NEAR(seen->dependence.by_distance[0].bits, std::log2(8.0 / 7) / 2, 0.01);
}

// A folder of classes: one comes after the other, and yet each is held out, the images that a run holds out.
TEST(LookAtImages, ClassesWithoutSplitsAreHeldOutByClass) {
    const testing::TempDir dir;
    const std::vector<std::size_t> counts{30, 20};
    std::vector<std::uint16_t> labels;
    for (std::size_t c = 0; c < counts.size(); ++c) {
        std::filesystem::create_directories(dir.path() / "set" / std::to_string(c));
        for (std::size_t i = 0; i < counts[c]; ++i) {
            const std::vector<std::uint8_t> pixels(64, static_cast<std::uint8_t>(labels.size()));
            const auto file = dir.path() / "set" / std::to_string(c) / (std::to_string(100 + i) + ".png");
            ASSERT_TRUE(atomic_write(file, data::encode_png(pixels, {1, 8, 8}).value()).ok());
            labels.push_back(static_cast<std::uint16_t>(c));
        }
    }
    FitRequest request;
    request.data = (dir.path() / "set").string();
    const auto seen = look(request);
    ASSERT_TRUE(seen.ok()) << seen.error().text();
    EXPECT_EQ(seen->held_out, 5U);
    EXPECT_EQ(seen->held_out_part, "10 % of each class, drawn with seed 1");
    EXPECT_DOUBLE_EQ(seen->chance, 0.6);
    const auto held = run::rows_of(labels, run::Cut::drawn, run::DataSettings{});
    EXPECT_EQ(held.size(), 5U);
    EXPECT_LT(held.front(), 30U);
    EXPECT_GE(held.back(), 30U);
}

// nanoGPT's folder: the split of its own, and the width from the request.
TEST(LookAtTokens, ReadsAFolderWithItsSplits) {
    const testing::TempDir dir;
    std::string ids;
    for (int i = 0; i < 4000; ++i) ids += {static_cast<char>(i * i % 50), '\0'};
    ASSERT_TRUE(atomic_write(dir.path() / "train.bin", ids).ok());
    ASSERT_TRUE(atomic_write(dir.path() / "val.bin", ids.substr(0, 2400)).ok());
    FitRequest request;
    request.data = dir.path().string();
    request.read.tokens.width = data::TokenWidth::bits16;
    const auto seen = look(request);
    ASSERT_TRUE(seen.ok()) << seen.error().text();
    EXPECT_EQ(seen->held_out, 1200U);
    EXPECT_EQ(seen->size, 5200U);
    EXPECT_EQ(seen->held_out_part, "val");
}

TEST(LookAtTokens, ReadsALlmcFile) {
    const testing::TempDir dir;
    const std::string text = text_of("synthetic:grammar,bytes=30000");
    std::string file(1024, '\0');
    const std::uint32_t header[] = {20240520, 1, static_cast<std::uint32_t>(text.size())};
    std::memcpy(file.data(), header, sizeof header);
    for (const char byte : text) (file += byte) += '\0';
    ASSERT_TRUE(atomic_write(dir.path() / "ids.bin", file).ok());
    const auto seen = look({.data = (dir.path() / "ids.bin").string()});
    ASSERT_TRUE(seen.ok()) << seen.error().text();
    EXPECT_EQ(seen->modality, Modality::tokens);
    EXPECT_EQ(seen->unit, "tokens");
    EXPECT_EQ(seen->size, text.size());
    EXPECT_EQ(seen->inputs[0].vocab, 'z' + 1);
    const auto as_text = look({.data = "synthetic:grammar,bytes=30000"});
    EXPECT_NEAR(seen->dependence.by_distance[0].bits, as_text->dependence.by_distance[0].bits, 0.01);
    const auto narrow = look({.data = (dir.path() / "ids.bin").string(), .vocabularies = {100}});
    ASSERT_FALSE(narrow.ok());
    EXPECT_EQ(narrow.error().text(), "vocab: must be at least 123, the ids of the data, got 100");
}

TEST(Look, TellsHowFarItIs) {
    std::vector<std::uint64_t> seen;
    const auto result =
        look({.data = "synthetic:grammar,bytes=50000"}, [&](std::uint64_t done, std::uint64_t total) {
            EXPECT_LE(done, total);
            seen.push_back(done);
        });
    ASSERT_TRUE(result.ok());
    EXPECT_TRUE(std::ranges::is_sorted(seen));
    EXPECT_GE(seen.size(), 3U);
}

// A look at a table sees what a run will read of it.
TEST(LookAtTables, SaysGoalPartsAndKeys) {
    const testing::TempDir dir;
    const auto file = dir.path() / "t.csv";
    std::string text = "size,word,id,price,kind\n";
    for (int i = 0; i < 600; ++i)
        text += fmt::format("{},{},id{},{}.5,{}\n", i % 10 == 0 ? "" : std::to_string(i % 83), "abc"[i % 3],
                            i, i % 57, i % 2 == 0 ? "cat" : "dog");
    ASSERT_TRUE(atomic_write(file, text).ok());
    const auto seen = look({.data = file.string(), .read = {.label = "kind"}});
    ASSERT_TRUE(seen.ok()) << seen.error().text();
    EXPECT_EQ(seen->modality, Modality::rows);
    EXPECT_EQ(seen->goal, Goal::accuracy);
    EXPECT_EQ(seen->size, 600);
    EXPECT_EQ(seen->held_out, 60);
    EXPECT_EQ(seen->held_out_part, "10 % of each class, drawn with seed 1");
    ASSERT_EQ(seen->inputs.size(), 1);
    EXPECT_EQ(seen->inputs[0].spec_keys, "inputs=3,categories=3,classes=2");
    EXPECT_THAT(seen->notes, ::testing::Contains(HasSubstr("left out")));
    EXPECT_EQ(look_from_json(to_json(*seen), "look").value(), *seen);
    const auto number = look({.data = file.string(), .read = {.label = "price"}});
    ASSERT_TRUE(number.ok()) << number.error().text();
    EXPECT_EQ(number->goal, Goal::explained_variance);
    EXPECT_EQ(number->chance, 0);
    EXPECT_EQ(number->held_out_part, "10 % of the rows, drawn with seed 1");
    EXPECT_EQ(value_unit(*number), "% of the variance");
}

}  // namespace
}  // namespace plimsoll::fit
