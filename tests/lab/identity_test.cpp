#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <locale>

#include <gtest/gtest.h>

#include "plimsoll/lab/sweep/plan_rows.h"
#include "tests/lab/sweep_support.h"
#include "tests/support/temp_dir.h"

// The name of a job is the same everywhere: two machines must agree on what is done.
namespace plimsoll::lab {
namespace {

const std::string sweep_text =
    "seeds = [1, 2]\n"
    "[base]\n"
    "model.spec = \"transformer:heads=2,vocab=256,context=32\"\n"
    "model.dropout = 0.125\n"
    "data.name = \"corpora/some.txt\"\n"
    "train.steps = 1500\n"
    "[axes]\n"
    "model.depth = [2, 4]\n"
    "optimizer.lr = [0.001, 0.0316]\n"
    "[budget]\n"
    "parameters = [64000]\n"
    "within = 0.05\n";

// Recorded on Debian 12, x86-64, in the locale C.
const std::vector<std::string> recorded{"2fbd7a996766b599", "8eff2aa9696653fb", "0778030cbe3adc1d",
                                        "dc98f1eb10329afc", "c41ea76fafebb89c", "6851b6bc913f6989",
                                        "9824a5687a812a3f", "d3eaa8b2256172ac"};

// Every number with a comma where we write a point, and dots between thousands.
class CommaNumbers : public std::numpunct<char> {
  protected:
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

TEST(Identity, TheIdsAreThoseThatWereRecorded) { EXPECT_EQ(ids(planned(sweep_text)), recorded); }

TEST(Identity, StreamsThatWriteCommasChangeNothing) {
    const std::string csv = plan_csv(planned(sweep_text), nullptr);
    const std::locale before = std::locale::global(std::locale(std::locale::classic(), new CommaNumbers));
    const Plan plan = planned(sweep_text);
    const std::string there = plan_csv(plan, nullptr);
    std::locale::global(before);
    EXPECT_EQ(ids(plan), recorded);
    EXPECT_EQ(there, csv);
}

// A German locale, compiled from its source, so that no machine needs to have one.
TEST(Identity, ALocaleWithDecimalCommasChangesNothing) {
    const testing::TempDir folder;
    const std::string made = (folder.path() / "de_DE.UTF-8").string();
    if (std::system(("localedef -i de_DE -f UTF-8 " + made + " >/dev/null 2>&1").c_str()) != 0)
        GTEST_SKIP() << "no source of a German locale on this machine (package locales)";
    const std::string before = std::setlocale(LC_ALL, nullptr);
    ::setenv("LOCPATH", folder.path().c_str(), 1);
    const bool found = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
    ::unsetenv("LOCPATH");
    ASSERT_TRUE(found);
    ASSERT_STREQ(std::localeconv()->decimal_point, ",");
    const Plan plan = planned(sweep_text);
    std::setlocale(LC_ALL, before.c_str());
    EXPECT_EQ(ids(plan), recorded);
}

TEST(Identity, NumbersMayBeWrittenInAnyWay) {
    EXPECT_EQ(
        ids(planned("seeds = 2\n"
                    "budget.parameters = \"64K\"\n"
                    "budget.within = 5e-2\n"
                    "budget.count = \"honest\"\n"
                    "[axes.optimizer]\n"
                    "lr = [1e-3, 3.16e-2]\n"
                    "[axes.model]\n"
                    "depth = {from = 2, to = 4, times = 2}\n"
                    "[base]\n"
                    "train.steps = \"1.5K\"\n"
                    "data = {name = \"corpora/some.txt\"}\n"
                    "model = {dropout = 1.25e-1, spec = \"transformer: context=32, vocab=256, heads=2\"}\n")),
        recorded);
}

TEST(Identity, TheFolderWeAreInDoesNotMatter) {
    const testing::TempDir folder;
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    const Plan plan = planned(sweep_text);
    std::filesystem::current_path(before);
    EXPECT_EQ(ids(plan), recorded);
}

// docs/RUNS.md: the id knows a data set by its name. The same file by another path is another run.
TEST(Identity, ADataSetIsKnownByItsNameAsWritten) {
    std::string absolute = sweep_text;
    absolute.replace(absolute.find("corpora/"), 8, "/corpora/");
    const Plan plan = planned(absolute);
    ASSERT_EQ(plan.jobs.size(), recorded.size());
    for (std::size_t i = 0; i < recorded.size(); ++i) EXPECT_NE(plan.jobs[i].id, recorded[i]);
}

TEST(Identity, TheNameOfTheSweepsFileDoesNotMatter) {
    const auto sweep = parse_sweep(sweep_text, "another.toml", "/somewhere");
    EXPECT_EQ(ids(*plan(*sweep)), recorded);
}

}  // namespace
}  // namespace plimsoll::lab
