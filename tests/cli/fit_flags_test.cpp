#include "plimsoll/cli/fit/fit_flags.h"

#include <fstream>

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>

#include "plimsoll/base/scratch_folder.h"
#include "tests/support/error_text.h"

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// What the words behind `plimsoll fit` come to.
struct Parsed {
    CLI::App app{"", "fit"};
    std::shared_ptr<FitFlags> flags = add_fit_flags(app);

    explicit Parsed(std::vector<std::string> words) {
        std::reverse(words.begin(), words.end());  // as CLI11 takes them
        app.parse(words);
    }
    [[nodiscard]] Result<fit::FitRequest> request() const { return request_of(*flags); }
};

std::string problem_of(std::vector<std::string> words) {
    return error_text(Parsed(std::move(words)).request());
}

TEST(FitFlags, NothingAtAllIsTheEmbeddedGrammarWithADefaultTime) {
    const auto request = Parsed({}).request();
    ASSERT_TRUE(request.ok());
    EXPECT_THAT(request->data, HasSubstr("synthetic:grammar"));
    EXPECT_TRUE(request->seconds.has_value());
    EXPECT_FALSE(request->flops.has_value());
    EXPECT_EQ(request->parameters, 0);
    EXPECT_GE(request->workers, 1);
    EXPECT_EQ(request->out, "fit-grammar");
    EXPECT_THAT(request->vocabularies, IsEmpty());
    EXPECT_THAT(request->families, IsEmpty());
}

TEST(FitFlags, NumbersAndTimesAreWrittenAsEverywhere) {
    const auto request =
        Parsed({"a.txt", "--params", "1.5M", "--time", "1h30m", "--families", "mixer,rp-mixer", "--vocab",
                "257,2K", "--context", "64", "--device", "cuda:0,cuda:1", "--out", "o", "--seed", "7"})
            .request();
    ASSERT_TRUE(request.ok());
    EXPECT_EQ(request->data, "a.txt");
    EXPECT_EQ(request->parameters, 1'500'000);
    EXPECT_EQ(request->seconds, 5400);
    EXPECT_THAT(request->families, ElementsAre("mixer", "rp-mixer"));
    EXPECT_THAT(request->vocabularies, ElementsAre(257, 2000));
    EXPECT_EQ(request->context, 64);
    EXPECT_EQ(request->workers, 2);
    EXPECT_EQ(request->out, "o");
    EXPECT_EQ(request->seed, 7);
    EXPECT_EQ(request->style, "auto");
    EXPECT_EQ(Parsed({"--style", "modern"}).request()->style, "modern");
    EXPECT_EQ(Parsed({"--flops", "1e15"}).request()->flops, 1e15);
    EXPECT_EQ(Parsed({"--workers", "3"}).request()->workers, 3);
}

TEST(FitFlags, WhatIsWrongIsOneSentence) {
    EXPECT_EQ(problem_of({"--time", "0s"}), "--time: '0s' is not a time like 90s, 10m or 1h30m");
    EXPECT_EQ(problem_of({"--flops", "0"}), "--flops: must be above 0, got 0");
    EXPECT_EQ(problem_of({"--flops", "-1"}), "--flops: must be above 0, got -1");
    EXPECT_EQ(problem_of({"--params", "0"}), "--params: must be at least 1, got 0");
    EXPECT_EQ(problem_of({"--device", "gpu"}), "--device: must be cpu, cuda or cuda:1, got 'gpu'");
    EXPECT_EQ(problem_of({"--device", "cuda:x"}), "--device: must be cpu, cuda or cuda:1, got 'cuda:x'");
    EXPECT_EQ(problem_of({"--style", "llama"}), "--style: must be gpt2|modern|auto, got llama");
    EXPECT_THAT(problem_of({"--vocab", "257,many"}), HasSubstr("--vocab: "));
    EXPECT_THROW(Parsed({"--time", "1m", "--flops", "1"}), CLI::ParseError);
}

class SeveralFiles : public ::testing::Test {
  protected:
    void SetUp() override {
        for (const char* name : {"b.txt", "a.txt"}) std::ofstream(path(name)) << name;
    }
    [[nodiscard]] std::string path(const std::string& name) const {
        return (scratch_.path() / name).string();
    }

    ScratchFolder scratch_ = std::move(ScratchFolder::make("fit-flags")).value();
};

TEST_F(SeveralFiles, BecomeOneFolderInTheirOrder) {
    const std::vector<std::string> files{path("b.txt"), path("a.txt")};
    ASSERT_TRUE(join_text_files(files, path("out/data")).ok());
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path("out/data")))
        names.push_back(entry.path().filename());
    EXPECT_THAT(names, ::testing::UnorderedElementsAre("1-b.txt", "2-a.txt"));
    EXPECT_EQ(fs::read_symlink(path("out/data/1-b.txt")), path("b.txt"));
    EXPECT_TRUE(join_text_files(files, path("out/data")).ok());  // again
    const auto other = join_text_files({path("a.txt"), path("b.txt")}, path("out/data"));
    ASSERT_FALSE(other.ok());
    EXPECT_THAT(other.error().text(), HasSubstr("has other files; name another folder"));
}

TEST_F(SeveralFiles, NameTheFolderAfterTheFirst) {
    const auto request = Parsed({path("b.txt"), path("a.txt")}).request();
    ASSERT_TRUE(request.ok());
    EXPECT_EQ(request->out, "fit-b-and-1-more");
    EXPECT_EQ(request->data, "fit-b-and-1-more/data");
}

TEST_F(SeveralFiles, MustBeFiles) {
    EXPECT_THAT(problem_of({path("a.txt"), path("")}),
                HasSubstr("put folders into one folder and name that"));
    EXPECT_THAT(problem_of({path("a.txt"), path("none")}), HasSubstr("none: no such file"));
}

TEST(FitFlags, TheCommandCanBePasted) {
    const Parsed parsed({"my book.txt", "--params", "10M", "--json", "--out", "it's"});
    EXPECT_EQ(typed_command(parsed.app), "plimsoll fit 'my book.txt' --params 10M --json --out 'it'\\''s'");
}

}  // namespace
}  // namespace plimsoll::cli
