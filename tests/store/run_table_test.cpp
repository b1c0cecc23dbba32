#include "plimsoll/store/run_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/store/run_export.h"
#include "plimsoll/store/run_list.h"
#include "tests/store/store_support.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::store {
namespace {

using ::testing::ElementsAre;

// Four runs a, b, c, d: c has no loss.
RunTable table() {
    return table_of(
        {"a", "b", "c", "d"},
        {{{"loss", 0.5},
          {"optimizer.lr", 1e-3},
          {"model.spec", "mixer:depth=2"},
          {"data.name", "cifar10"},
          {"steps", std::int64_t{64'000}}},
         {{"loss", 0.25}, {"optimizer.lr", 1e-4}, {"model.spec", "transformer:depth=2"}, {"data.kind", "x"}},
         {{"optimizer.lr", 1e-3}, {"optimizer.kind", "sgd"}, {"flip", true}},
         {{"loss", std::int64_t{2}},
          {"optimizer.lr", 1e-2},
          {"steps", std::int64_t{9}},
          {"note", "a, \"b\""}}});
}

std::string ids(const TableQuery& query) {
    RunTable rows = table();
    const Status done = select(rows, query);
    if (!done.ok()) return done.error().text();
    std::string text;
    for (const RunRow& row : rows.rows) text += row.id;
    return text;
}

TEST(RunTable, ConditionsHoldTogether) {
    EXPECT_EQ(ids({}), "abcd");
    EXPECT_EQ(ids({.where = {"loss<0.5"}}), "b");
    EXPECT_EQ(ids({.where = {"loss <= 0.5"}}), "ab");
    EXPECT_EQ(ids({.where = {"loss>0.25", "loss<2"}}), "a");
    EXPECT_EQ(ids({.where = {"loss>=2"}}), "d");
    EXPECT_EQ(ids({.where = {"loss=2.0"}}), "d");
    EXPECT_EQ(ids({.where = {"loss!=2"}}), "abc") << "a run without a loss has another one";
    EXPECT_EQ(ids({.where = {"lr=1e-3"}}), "ac") << "the end of one key";
    EXPECT_EQ(ids({.where = {"steps=64K"}}), "a");
    EXPECT_EQ(ids({.where = {"spec~mixer"}}), "a");
    EXPECT_EQ(ids({.where = {"data=cifar10"}}), "a");
    EXPECT_EQ(ids({.where = {"flip=true"}}), "c");
    EXPECT_EQ(ids({.where = {"model.spec>n"}}), "b");
    EXPECT_EQ(ids({.where = {"id=b"}}), "b");
}

TEST(RunTable, SortsNumbersAsNumbersAndMissingOnesLast) {
    EXPECT_EQ(ids({.sort = "loss"}), "badc");
    EXPECT_EQ(ids({.sort = "-loss"}), "dabc");
    EXPECT_EQ(ids({.sort = "-id", .limit = 2}), "dc");
    EXPECT_EQ(ids({.sort = "steps"}), "dabc");
}

TEST(RunTable, SlipsAreNamed) {
    EXPECT_EQ(ids({.where = {"los<1"}}), "where: no run has a key 'los' (did you mean loss?)");
    EXPECT_EQ(ids({.where = {"kind=sgd"}}), "where: 'kind' could be data.kind, optimizer.kind");
    EXPECT_EQ(ids({.where = {"loss<abc"}}), "where: loss is a number, 'abc' is none");
    EXPECT_EQ(ids({.where = {"loss"}}),
              "where: must be KEY OP VALUE with one of = != < <= > >= ~; got 'loss'");
    EXPECT_EQ(ids({.sort = "stepz"}), "sort: no run has a key 'stepz' (did you mean steps?)");
    EXPECT_EQ(ids({.sort = "nothing at all"}),
              "sort: no run has a key 'nothing at all' (one of: data.kind, data.name, flip, loss, "
              "model.spec, note, "
              "optimizer.kind, optimizer.lr, steps)");
}

TEST(RunTable, AsCsvAndJson) {
    EXPECT_EQ(table_csv(table(), {"id", "loss", "note", "flip"}),
              "id,loss,note,flip\na,0.5,,\nb,0.25,,\nc,,,true\nd,2,\"a, \"\"b\"\"\",\n");
    EXPECT_EQ(table_json(table(), {"id", "loss", "flip"}).dump(),
              R"([{"id":"a","loss":0.5},{"id":"b","loss":0.25},{"id":"c","flip":true},{"id":"d","loss":2}])");
    EXPECT_THAT(table_csv(table(), {}), ::testing::StartsWith("id,data.kind,data.name,flip,loss,"));
}

TEST(RunTable, MetricsOfEveryRun) {
    const testing::TempDir runs;
    for (const char* config : {"a = 1\n", "a = 2\n"}) {
        auto run = open_run(runs.path(), config);
        ASSERT_TRUE(run.append_metric(row(1, 0.5)).ok());
        ASSERT_TRUE(run.append_metric({{"step", 1}, {"validation", {{"loss", 0.25}}}}).ok());
    }
    const RunTable all = table_of(run_ids(runs.path()).value(), {{}, {}});
    const std::string first = all.rows[0].id, second = all.rows[1].id;
    EXPECT_EQ(*metrics_csv(runs.path(), all), "id,step,loss,validation.loss\n" + first + ",1,0.5,\n" + first +
                                                  ",1,,0.25\n" + second + ",1,0.5,\n" + second +
                                                  ",1,,0.25\n");
    EXPECT_EQ(metrics_json(runs.path(), all)->at(1).dump(),
              R"({"id":")" + first + R"(","step":1,"validation.loss":0.25})");
}

// What a sweep's runner asks.
TEST(RunStatus, SaysWhoHasARun) {
    const testing::TempDir runs;
    {
        auto run = open_run(runs.path(), "a = 1\n");
        ASSERT_TRUE(run.set_state({Phase::done, 4, ""}).ok());
    }
    const auto held = open_run(runs.path(), "a = 2\n");
    std::vector<RunStatus> all;
    for (const char* config : {"a = 1\n", "a = 2\n", "a = 3\n"})
        all.push_back(run_status(runs.path() / run_id(config)));
    EXPECT_TRUE(all[0].exists && all[1].exists);
    EXPECT_EQ(all[0].state.phase, Phase::done);
    EXPECT_FALSE(all[0].holder);
    ASSERT_TRUE(all[1].holder);
    EXPECT_EQ(all[1].holder->holder, this_process());
    EXPECT_FALSE(all[2].exists);
}

}  // namespace
}  // namespace plimsoll::store
