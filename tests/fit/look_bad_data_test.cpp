#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/random.h"
#include "plimsoll/fit/look/look.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::fit {
namespace {

using ::testing::HasSubstr;

// Bytes that are no control characters: what has those is binary, and no text to begin with.
std::string noise(std::size_t count) {
    RandomStream stream(5, "test/noise");
    std::string bytes(count, ' ');
    for (char& byte : bytes) byte = static_cast<char>(32 + stream.below(224));
    return bytes;
}

std::string repeated(std::string_view text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
}

// CIFAR-10's records: a label and 3072 bytes.
std::string record(int label, const std::string& pixels) {
    return std::string(1, static_cast<char>(label)) + pixels;
}

class BadData : public ::testing::Test {
  protected:
    // The error of a file with that name and content; "where" is the file's name alone.
    std::string error_of(const std::string& name, const std::string& content, FitRequest request = {}) {
        const auto path = dir_.path() / name;
        EXPECT_TRUE(atomic_write(path, content).ok());
        request.data = path.string();
        return error_of(request);
    }
    std::string error_of(FitRequest request) {
        request.out = dir_.path() / "out";
        const auto seen = look(request);
        if (seen.ok()) return "no error";
        kind_ = seen.error().kind;
        const auto folder = dir_.path().string() + "/";
        std::string text = seen.error().text();
        if (text.starts_with(folder)) text.erase(0, folder.size());
        return text;
    }

    testing::TempDir dir_;
    ErrorKind kind_ = ErrorKind::io;
};

TEST_F(BadData, EmptyFile) {
    EXPECT_EQ(error_of("text.txt", ""), "text.txt: is empty: there is nothing to learn from");
    EXPECT_EQ(kind_, ErrorKind::bad_input);
}

TEST_F(BadData, AHundredBytes) {
    EXPECT_EQ(error_of("text.txt", repeated("all is well", 9) + "."),
              "text.txt: has 100 bytes of text, of which 10 can be held out (last 10 %); at least 1000 must "
              "be, or no two "
              "networks can be told apart: give at least 10000 bytes");
    EXPECT_EQ(kind_, ErrorKind::bad_input);
}

TEST_F(BadData, Noise) {
    const std::string message = error_of("text.txt", noise(40'000));
    EXPECT_THAT(
        message,
        HasSubstr(
            "text.txt: looks like noise: 7.81 bits per byte, and no byte tells anything about another"));
    EXPECT_THAT(message, HasSubstr(".gz, .xz and .zst are unpacked as they are read"));
    EXPECT_EQ(kind_, ErrorKind::bad_input);
}

TEST_F(BadData, NoiseThatRepeatsIsNotNoise) {
    const std::string piece = noise(64);
    EXPECT_EQ(error_of("text.txt", repeated(piece, 400)), "no error");
}

TEST_F(BadData, OneByteAgainAndAgain) {
    EXPECT_EQ(error_of("text.txt", std::string(20'000, 'a')),
              "text.txt: is one byte value again and again: there is nothing to learn");
}

TEST_F(BadData, AVocabularyLargerThanTheTextSupports) {
    FitRequest request;
    request.vocabularies = {257, 5000};
    EXPECT_THAT(
        error_of("text.txt", repeated("the cat sat on a mat. ", 600), request),
        HasSubstr("vocab: the training part, 11.6 KiB, does not support 5000 tokens: the text has no pair"));
    EXPECT_EQ(kind_, ErrorKind::bad_input);
}

TEST_F(BadData, AContextLongerThanTheText) {
    FitRequest request{.vocabularies = {257}, .context = 2003};
    const std::string text = repeated("the cat sat on a mat", 1000);
    EXPECT_EQ(error_of("text.txt", text, request),
              "context: must be below the 2003 tokens that the shorter part has with bytes, got 2003");
    EXPECT_EQ(kind_, ErrorKind::bad_input);
}

TEST_F(BadData, OneClass) {
    std::string records;
    for (int i = 0; i < 40; ++i) records += record(3, noise(3072));
    EXPECT_EQ(error_of("data_batch_1.bin", records),
              "data_batch_1.bin: has one class: all 36 images to train on are 'cat', so there is nothing to "
              "tell apart");
    EXPECT_EQ(kind_, ErrorKind::bad_input);
}

TEST_F(BadData, EqualImages) {
    std::string records;
    for (int i = 0; i < 40; ++i) records += record(i % 10, std::string(3072, 'x'));
    EXPECT_EQ(error_of("data_batch_1.bin", records),
              "data_batch_1.bin: all 30 images to train on are equal: there is nothing to tell apart");
}

TEST_F(BadData, OneImage) {
    EXPECT_EQ(error_of("data_batch_1.bin", record(1, noise(3072))),
              "data_batch_1.bin: has 1 images, too few to hold some of them out; give at least 2 of each "
              "class, better "
              "hundreds");
}

TEST_F(BadData, FewerImagesThanClasses) {
    std::string records;
    for (int i = 0; i < 8; ++i) records += record(i, noise(3072));
    EXPECT_EQ(error_of("data_batch_1.bin", records),
              "data_batch_1.bin: has 8 images, too few to hold some of them out; give at least 2 of each "
              "class, better hundreds");
}

TEST_F(BadData, ImagesWithoutLabels) {
    EXPECT_EQ(error_of("train-images-idx3-ubyte", std::string("\0\0\10\3\0\0\0\2\0\0\0\1\0\0\0\2abcd", 20)),
              "train-images-idx3-ubyte: has no labels: fit learns to tell classes apart");
}

TEST_F(BadData, PairsWithOneClass) {
    std::string table = "sentence1\tsentence2\tgold_label\n";
    for (int i = 0; i < 30; ++i) table += "a dog runs\tan animal moves\tentailment\n";
    EXPECT_EQ(error_of("pairs.tsv", table),
              "pairs.tsv: has one class: all 27 pairs to train on are 'entailment', so there is nothing to "
              "tell apart");
}

TEST_F(BadData, NoPairs) {
    EXPECT_NE(error_of("pairs.tsv", "sentence1\tsentence2\tgold_label\n"), "no error");
    EXPECT_EQ(kind_, ErrorKind::bad_input);
}

TEST_F(BadData, TokensOfUnknownWidth) {
    EXPECT_THAT(error_of("ids.bin", noise(40'000)),
                HasSubstr("say --token-bits 16 or 32, or --vocab (llm.c's header says it itself)"));
    EXPECT_EQ(kind_, ErrorKind::bad_input);
}

TEST_F(BadData, FewTokens) {
    std::string file(1024, '\0');
    const std::uint32_t header[] = {20240520, 1, 500};
    std::memcpy(file.data(), header, sizeof header);
    for (int i = 0; i < 500; ++i) file += std::string{static_cast<char>(i % 7), '\0'};
    EXPECT_EQ(error_of("ids.bin", file),
              "ids.bin: has 500 tokens, of which 50 can be held out; at least 1000 must be");
}

TEST_F(BadData, NothingThere) {
    EXPECT_THAT(error_of({.data = "no/such/file"}), HasSubstr("no such file or folder"));
    EXPECT_EQ(kind_, ErrorKind::not_found);
    EXPECT_THAT(error_of({.data = "synthetic:gramar"}), HasSubstr("did you mean grammar?"));
    EXPECT_EQ(kind_, ErrorKind::bad_input);
}

TEST_F(BadData, MatricesThatNoFamilyReads) {
    EXPECT_THAT(
        error_of({.data = "synthetic:teacher,count=50,test=10,spec=square-mixer:depth=1,rows=2,cols=2"}),
        HasSubstr("is a set of matrices of real numbers, which no family of fit reads"));
    EXPECT_EQ(kind_, ErrorKind::unsupported);
}

}  // namespace
}  // namespace plimsoll::fit
