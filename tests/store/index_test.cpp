#include "plimsoll/store/index.h"

#include <algorithm>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"
#include "plimsoll/store/index_database.h"
#include "plimsoll/store/run_export.h"
#include "tests/store/store_support.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::store {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TempDir;

std::string config_of(int i) {
    return fmt::format(
        "name = \"run {}\"\n[model]\nspec = \"mixer:depth={}\"\n[optimizer]\nlr = {}\n[data]\nflip = {}\n", i,
        i, 0.1 * i, i % 2 == 0);
}

void make_runs(const fs::path& runs, int count) {
    for (int i = 0; i < count; ++i) {
        auto run = open_run(runs, config_of(i));
        ASSERT_TRUE(run.append_metric(row(i, 1.0 / (i + 1))).ok());
        ASSERT_TRUE(run.append_metric({{"step", i}, {"validation", {{"loss", i}, {"accuracy", 0.5}}}}).ok());
        ASSERT_TRUE(run.set_state({Phase::done, i, ""}).ok());
    }
}

RunTable plain(const fs::path& runs) { return read_run_table(runs, {.use_index = false}).value(); }

RunTable indexed(const fs::path& runs) {
    auto table = read_run_table(runs);
    EXPECT_TRUE(table.ok()) << table.error().text();
    return std::move(table).value();
}

void expect_same(const RunTable& a, const RunTable& b) {
    EXPECT_EQ(a.keys, b.keys);
    EXPECT_EQ(a.rows, b.rows);
}

TEST(Index, HasEveryFactOfARun) {
    const TempDir runs;
    {
        auto run = open_run(runs.path(), config_of(3));
        const Json session{
            {"started", "2026-01-01T00:00:00Z"}, {"device", "cpu"}, {"machine", {{"host", "node1"}}}};
        ASSERT_TRUE(run.add_environment(session).ok());
        ASSERT_TRUE(run.append_metric(row(9, 0.25)).ok());
        ASSERT_TRUE(
            run.append_metric({{"step", 9}, {"validation", {{"loss", 0.5}, {"bits_per_byte", 1.5}}}}).ok());
        ASSERT_TRUE(run.append_metric({{"step", 9}, {"other", 1}}).ok());
        ASSERT_TRUE(run.set_state({Phase::failed, 10, "no reason"}).ok());
    }
    const IndexOptions options{.derive = [](const Json&) { return Facts{{"parameters", std::int64_t{64}}}; }};
    for (int look = 0; look < 2; ++look) {
        const auto table = read_run_table(runs.path(), options).value();
        ASSERT_EQ(table.rows.size(), 1U);
        const auto at = [&](const char* key) { return table.at(table.rows[0], key); };
        EXPECT_EQ(table.rows[0].id, run_id(config_of(3)));
        EXPECT_EQ(at("name"), Cell("run 3"));
        EXPECT_EQ(at("optimizer.lr"), Cell(0.1 * 3));
        EXPECT_EQ(at("data.flip"), Cell(false)) << "truth comes back as truth";
        EXPECT_EQ(at("family"), Cell("mixer"));
        EXPECT_EQ(at("parameters"), Cell(std::int64_t{64}));
        EXPECT_EQ(at("phase"), Cell("failed"));
        EXPECT_EQ(at("step"), Cell(std::int64_t{10}));
        EXPECT_EQ(at("reason"), Cell("no reason"));
        EXPECT_EQ(at("loss"), Cell(0.25));
        EXPECT_EQ(at("validation.loss"), Cell(0.5));
        EXPECT_EQ(at("validation.bits_per_byte"), Cell(1.5));
        EXPECT_EQ(at("started"), Cell("2026-01-01T00:00:00Z"));
        EXPECT_EQ(at("host"), Cell("node1"));
        EXPECT_FALSE(is_empty(at("ended")));
        EXPECT_GE(number_of(at("seconds")), 0);
        EXPECT_TRUE(is_empty(at("validation.accuracy")));
    }
}

// Whatever happens to the runs between two looks, the index answers as the files do.
TEST(Index, AnswersAsTheFilesDo) {
    const TempDir runs;
    RandomStream random(1, "index");
    make_runs(runs.path(), 3);
    for (int round = 0; round < 60; ++round) {
        const int i = static_cast<int>(random.below(6));
        const fs::path folder = runs.path() / run_id(config_of(i));
        const auto change = [&](const std::function<Status(store::Run&)>& how) {
            auto run = store::Run::create_or_open(runs.path(), config_of(i));
            if (!run.ok()) return;  // its state was damaged below
            auto opened = std::move(run).value();
            EXPECT_TRUE(how(opened).ok());
        };
        switch (random.below(6)) {
            case 0:
                fs::remove_all(folder);
                break;
            case 1:
                change([&](auto& run) { return run.set_state({Phase::running, round, ""}); });
                break;
            case 2:
                change([&](auto& run) { return run.append_metric(row(1000 + round, 0.5)); });
                break;
            case 3:
                change([&](auto& run) { return run.add_environment({{"device", std::to_string(round)}}); });
                break;
            case 4:
                if (fs::exists(folder)) std::ofstream(folder / "state.json") << "{";
                break;
            default:
                if (fs::exists(folder)) fs::remove(folder / "metrics.jsonl");
        }
        expect_same(indexed(runs.path()), plain(runs.path()));
    }
}

TEST(Index, UnchangedRunsAreNotReadAgain) {
    const TempDir runs;
    make_runs(runs.path(), 3);
    int read = 0;
    const IndexOptions options{.derive = [&](const Json&) { return ++read, Facts(); }};
    ASSERT_TRUE(read_run_table(runs.path(), options).ok());
    EXPECT_EQ(read, 3);
    ASSERT_TRUE(read_run_table(runs.path(), options).ok());
    EXPECT_EQ(read, 3);
    ASSERT_TRUE(open_run(runs.path(), config_of(1)).append_metric(row(5)).ok());
    ASSERT_TRUE(read_run_table(runs.path(), options).ok());
    EXPECT_EQ(read, 4) << "the one that grew";
    ASSERT_TRUE(reindex(runs.path(), options).ok());
    EXPECT_EQ(read, 7);
}

// A state of the same length a moment later: size and seconds alone would not show it.
TEST(Index, AQuickChangeOfTheSameSizeIsSeen) {
    const TempDir runs;
    auto run = open_run(runs.path());
    for (int step = 10; step < 30; ++step) {
        ASSERT_TRUE(run.set_state({Phase::running, step, ""}).ok());
        const RunTable table = indexed(runs.path());
        EXPECT_EQ(table.at(table.rows[0], "step"), Cell(std::int64_t{step}));
    }
}

// Bytes turned over at random, or the end cut off: the answer stays right, whether the damage is noticed or
// not.
TEST(Index, DamageCostsTimeAndNeverARightAnswer) {
    const TempDir runs;
    make_runs(runs.path(), 4);
    ASSERT_TRUE(reindex(runs.path()).ok());
    const RunTable wanted = plain(runs.path());
    const std::string whole = *read_text(runs.path() / "index.sqlite");
    RandomStream random(2, "damage");
    int noticed = 0;
    for (int trial = 0; trial < 60; ++trial) {
        std::string damaged = whole;
        for (int k = 0; k < 40; ++k)
            damaged[random.below(damaged.size())] ^= static_cast<char>(1 + random.below(255));
        if (trial % 4 == 0) damaged.resize(random.below(damaged.size()));
        std::ofstream(runs.path() / "index.sqlite", std::ios::binary) << damaged;
        const RunTable table = indexed(runs.path());
        noticed += table.warnings.empty() ? 0 : 1;
        EXPECT_LE(table.warnings.size(), 1U);
        expect_same(table, wanted);
    }
    EXPECT_GT(noticed, 0);
    expect_same(indexed(runs.path()), wanted);
}

TEST(Index, AFileThatIsNoIndexIsMadeAnewWithAWarning) {
    const TempDir runs;
    make_runs(runs.path(), 2);
    std::ofstream(runs.path() / "index.sqlite") << std::string(5000, 'x');
    EXPECT_THAT(indexed(runs.path()).warnings,
                ElementsAre("index.sqlite: file is not a database; it is rebuilt"));
    EXPECT_THAT(indexed(runs.path()).warnings, IsEmpty());
}

TEST(Index, OneThatCannotBeOpenedIsPassedBy) {
    const TempDir runs;
    make_runs(runs.path(), 2);
    fs::create_directories(runs.path() / "index.sqlite" / "in the way");
    const RunTable table = indexed(runs.path());
    EXPECT_THAT(table.warnings,
                ElementsAre("index.sqlite: unable to open database file; the folders were read instead"));
    EXPECT_EQ(table.rows.size(), 2U);
    EXPECT_TRUE(fs::exists(runs.path() / "index.sqlite" / "in the way"));
}

TEST(Index, KeysThatSqliteCannotTellApartAreKept) {
    const TempDir runs;
    {
        const auto run = open_run(
            runs.path(), "a = 1\nA = 2\nid = 3\nSignature = 4\n\"x\\\"y\" = 5\n\"key 0\" = 6\nphase = 7\n");
    }
    for (int look = 0; look < 2; ++look) {
        const RunTable table = indexed(runs.path());
        EXPECT_THAT(table.warnings, IsEmpty());
        EXPECT_EQ(table_json(table, {"a", "A", "Signature", "x\"y", "key 0", "phase"})[0].dump(),
                  R"({"a":1,"A":2,"Signature":4,"x\"y":5,"key 0":6,"phase":"created"})");
    }
}

TEST(Index, AFolderThatIsNotThereIsNotFound) {
    const TempDir runs;
    EXPECT_EQ(read_run_table(runs.path() / "none").error().kind, ErrorKind::not_found);
    EXPECT_EQ(reindex(runs.path() / "none").error().kind, ErrorKind::not_found);
    EXPECT_FALSE(fs::exists(runs.path() / "none"));
}

TEST(RunFacts, TheLastRowsAreFoundHoweverFarBack) {
    const TempDir runs;
    auto run = open_run(runs.path());
    ASSERT_TRUE(run.append_metric({{"step", 0}, {"validation", {{"loss", 7}}}}).ok());
    for (int step = 1; step < 3000; ++step) ASSERT_TRUE(run.append_metric(row(step, step)).ok());
    const auto facts = read_run_facts(run.folder());
    const auto value = [&](const char* key) {
        return std::ranges::find(facts, key, &Facts::value_type::first)->second;
    };
    EXPECT_EQ(value("loss"), Cell(2999.0));
    EXPECT_EQ(value("validation.loss"), Cell(std::int64_t{7}));
}

TEST(RunFacts, HalfALineAndDamageAreSaid) {
    const TempDir runs;
    const fs::path folder = open_run(runs.path()).folder();
    std::ofstream(folder / "metrics.jsonl") << "{\"step\":1,\"loss\":2}\n{\"step\":2,\"lo";
    const RunTable torn = plain(runs.path());
    EXPECT_EQ(torn.at(torn.rows[0], "note"), Cell("metrics.jsonl ends in half a line (13 bytes)"));
    EXPECT_EQ(torn.at(torn.rows[0], "loss"), Cell(std::int64_t{2}));
    std::ofstream(folder / "metrics.jsonl") << "{\"step\":1,\"lo\n";
    std::ofstream(folder / "config.toml") << "name = \"b\"\n";
    const RunTable damaged = plain(runs.path());
    EXPECT_THAT(cell_text(damaged.at(damaged.rows[0], "problem")),
                HasSubstr("config.toml: was changed: its hash is "));
}

TEST(Index, LockedByAnotherItIsPassedBy) {
    const TempDir runs;
    make_runs(runs.path(), 2);
    ASSERT_TRUE(reindex(runs.path()).ok());
    auto other = Database::open(runs.path() / "index.sqlite");
    ASSERT_TRUE(const_cast<Database&>(*other).run("BEGIN EXCLUSIVE").ok());
    const RunTable table = indexed(runs.path());
    EXPECT_THAT(table.warnings,
                ElementsAre("index.sqlite: database is locked; the folders were read instead"));
    expect_same(table, plain(runs.path()));
}

}  // namespace
}  // namespace plimsoll::store
