#include "plimsoll/target/fit_folder.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/audit/diagnose.h"
#include "plimsoll/base/files.h"
#include "plimsoll/target/target.h"
#include "tests/support/error_text.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::target {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// A decoder of text that is far too shallow by the load line.
constexpr const char* too_shallow = "transformer:depth=1,width=2048,heads=16,vocab=4096,context=256";

Json entry(const char* candidate, const char* run, int rung, double value, const char* state = "done") {
    return {{"candidate", candidate}, {"run", run}, {"rung", rung}, {"value", value}, {"state", state}};
}

Json small_fit() {
    return {{"format", "plimsoll-fit-1"},
            {"look", {{"goal", "bits per byte"}}},
            {"proposal",
             {{"candidates", Json::array({{{"id", "c01"}, {"spec", too_shallow}}, {{"id", "c02"}}})}}},
            {"race",
             {{"entries", Json::array({entry("c01", "1111111111111111", 1, 0.1),
                                       entry("c01", "2222222222222222", 2, 1.5),
                                       entry("c01", "3333333333333333", 2, 1.25),
                                       entry("c01", "4444444444444444", 2, 0.5, "diverged"),
                                       entry("c02", "5555555555555555", 2, 1.0)})}}},
            {"decision", {{"winner", "c01"}, {"rung", 2}, {"sentence", "Use 1 x 2048 (c01)."}}},
            {"handed_over", Json::object()}};
}

class FitFolder : public ::testing::Test {
  protected:
    void write(const Json& fit) const { ASSERT_TRUE(atomic_write(file(), fit.dump()).ok()); }
    [[nodiscard]] fs::path file() const { return folder_.path() / "fit.json"; }
    [[nodiscard]] Result<FitWinner> winner() const { return fit_winner(folder_.path()); }

    testing::TempDir folder_;
};

TEST_F(FitFolder, TheWinnersRunIsItsBestOnTheRungThatDecided) {
    write(small_fit());
    ASSERT_TRUE(winner().ok()) << winner().error().text();
    EXPECT_EQ(winner()->run, folder_.path() / "runs/3333333333333333");
    EXPECT_EQ(winner()->raced, 2U);
    Json fit = small_fit();
    fit["look"]["goal"] = "accuracy";
    write(fit);
    EXPECT_EQ(winner()->run, folder_.path() / "runs/2222222222222222");
}

TEST_F(FitFolder, ARunThatWasHandedOverWins) {
    Json fit = small_fit();
    fit["handed_over"]["run"] = "1111111111111111";
    write(fit);
    EXPECT_EQ(winner()->run, folder_.path() / "runs/1111111111111111");
    fit["handed_over"]["run"] = "../../outside";
    write(fit);
    EXPECT_TRUE(winner()->run.empty());
}

TEST_F(FitFolder, WhatIsNotOverOrDecidedNothingSaysSo) {
    EXPECT_THAT(error_text(winner()),
                HasSubstr("this fit is not over: the command that began it resumes it"));
    Json fit = small_fit();
    fit["decision"] = nullptr;
    write(fit);
    EXPECT_THAT(error_text(winner()), HasSubstr("this fit decided nothing"));
    fit = small_fit();
    fit["decision"]["winner"] = "c09";
    write(fit);
    EXPECT_THAT(error_text(winner()), HasSubstr("the winner c09 is not among the candidates"));
    fit["decision"]["winner"] = "c02";
    write(fit);
    EXPECT_THAT(error_text(winner()), HasSubstr("fit.json: proposal: "));
    write({{"format", "plimsoll-fit-9"}});
    EXPECT_THAT(error_text(winner()), HasSubstr("is not the fit.json of a plimsoll fit"));
    ASSERT_TRUE(atomic_write(file(), "[1, 2]").ok());
    EXPECT_FALSE(winner().ok());
}

// The line says that it costs; the race on its own data said otherwise, and the data outweighs studies of
// others.
TEST_F(FitFolder, TheAuditOfAWinnerSaysThatTheDataDecided) {
    write(small_fit());
    const auto meaning = find(folder_.path().string(), Use::shape, {"none", "none"});
    ASSERT_TRUE(meaning.ok());
    EXPECT_EQ(meaning->kind, Kind::fit);
    const auto opened = model_of(*meaning);
    ASSERT_TRUE(opened.ok()) << opened.error().text();
    const audit::Report chosen = audit::diagnose(*opened);
    EXPECT_EQ(chosen.count(audit::Severity::severe), 0U);
    EXPECT_THAT(chosen.find("depth-valley")->text,
                HasSubstr("The data decided otherwise. The race of this fit"));
    EXPECT_THAT(chosen.find("depth-valley")->text, HasSubstr("Use 1 x 2048 (c01)."));
    audit::Target same = *opened;
    same.decided.clear();
    const audit::Report alone = audit::diagnose(same);
    EXPECT_EQ(alone.find("depth-valley")->severity, audit::Severity::severe);
}

TEST_F(FitFolder, ARunThatIsGoneIsSaid) {
    write(small_fit());
    const auto meaning = find(file().string(), Use::weights, {"none", "none"});
    ASSERT_TRUE(meaning.ok());
    EXPECT_EQ(meaning->kind, Kind::fit);
    EXPECT_THAT(error_text(run_of(*meaning)), HasSubstr("the run of its winner c01 is no longer below "));
    fs::create_directories(winner()->run);
    ASSERT_TRUE(atomic_write(winner()->run / "config.toml", "").ok());
    EXPECT_TRUE(fs::equivalent(*run_of(*meaning), winner()->run));
}

}  // namespace
}  // namespace plimsoll::target
