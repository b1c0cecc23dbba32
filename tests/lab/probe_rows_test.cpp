#include "plimsoll/lab/experiment/probe_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "tests/lab/fake_trainer.h"
#include "tests/lab/sweep_support.h"
#include "tests/lab/table_support.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<NamedPlan> plans() {
    return {
        {"mix", planned("seeds = 2\n[base]\nmodel.spec = \"s-mixer:depth=1,tokens=4,channels=4\"\n"
                        "data.name = \"none\"\n")},
        {"sw", planned("seeds = 2\n[base]\nmodel.spec = \"sw-mlp:depth=1,width=16\"\ndata.name = \"none\"\n"
                       "[axes]\nmodel.connections = [32, 64]\n")}};
}

ProbeOptions asked_of(const FakeTrainer& program) {
    ProbeOptions options;
    options.program = program.program();
    options.folder = program.folder() / "out";
    options.runs = program.folder() / "runs";
    fs::create_directories(options.folder);
    return options;
}

std::size_t calls(const FakeTrainer& program) {
    const auto text = read_text(program.folder() / "calls");
    return text.ok() ? split(trim(*text), '\n').size() : 0;
}

// ---- spectra ----

const std::string spectra_script =
    "echo \"$*\" >> ${0%/*}/calls\n"
    "echo '{\"spec\": \"x\", \"matrices\": [{\"name\": \"w\", \"shape\": [2, 2], \"copies\": 3, \"density\": "
    "0.5, "
    "\"values\": [3.0, 1.0], \"law\": [2.0, 0.5], \"edges\": [0.0, 2.0], \"effective_rank\": 1.5, "
    "\"distance\": 0.25}]}'\n";

TEST(SpectraRows, HaveOneForEachValueOfEachNetwork) {
    const FakeTrainer program(spectra_script);
    const auto table = spectra_rows(plans(), asked_of(program)).value();
    EXPECT_THAT(table.rows, SizeIs(6 * 2));
    EXPECT_EQ(calls(program), 6U);
    EXPECT_THAT(
        read_text(program.folder() / "calls").value(),
        HasSubstr("probe spectra s-mixer:depth=1,channels=4,tokens=4 --init default --seed 2 --json"));
    const std::map<std::string, Wanted> first{{"family", "s-mixer"}, {"seed", 2.0}, {"index", 1.0}};
    EXPECT_EQ(number_at(table, first, "value"), 3);
    EXPECT_EQ(number_at(table, first, "over_edge"), 1.5);
    EXPECT_EQ(number_at(table, first, "share"), 0.25);
    EXPECT_EQ(number_at(table, first, "law"), 2);
    EXPECT_EQ(number_at(table, {{"connections", 32.0}, {"seed", 1.0}, {"index", 2.0}}, "value"), 1);
}

TEST(SpectraRows, AreNotMeasuredTwiceAndHaveTheirColumnsBefore) {
    const FakeTrainer program(spectra_script);
    ProbeOptions options = asked_of(program);
    const auto table = spectra_rows(plans(), options).value();
    EXPECT_EQ(report::csv_text(spectra_rows(plans(), options).value()), report::csv_text(table));
    EXPECT_EQ(calls(program), 6U);
    options.program.clear();
    options.folder = "/nonexistent";
    EXPECT_EQ(spectra_rows(plans(), options).value().columns, table.columns);
}

TEST(SpectraRows, OfALargeMatrixHaveTheEndsAndSomeBetween) {
    const FakeTrainer program(
        "v=1000; l=1; while [ $v -gt 1 ]; do v=$((v - 1)); l=\"$l, $v\"; done\n"
        "echo \"{\\\"matrices\\\": [{\\\"name\\\": \\\"w\\\", \\\"shape\\\": [1000, 1000], \\\"values\\\": "
        "[$l], "
        "\\\"law\\\": [], \\\"edges\\\": [0.0, 2.0]}]}\"\n");
    const auto table = spectra_rows({plans().front()}, asked_of(program)).value();
    EXPECT_THAT(table.rows, SizeIs(2 * 64));
    for (const double index : {1.0, 16.0, 1000.0})
        EXPECT_EQ(number_at(table, {{"seed", 1.0}, {"index", index}}, "rows"), 1000);
}

TEST(SpectraRows, GiveTheProgramsOwnWordsWhenItFails) {
    const FakeTrainer program("echo 'error: model.init: unknown' >&2; exit 2\n");
    EXPECT_THAT(spectra_rows(plans(), asked_of(program)).error().text(),
                HasSubstr("plimsoll-torch probe spectra: error: model.init: unknown"));
}

// ---- similarity ----

// Rows of runs: a mixer and two masks for each of two seeds, one of them not done.
report::Table runs_table() {
    report::Table table{{"run", "seed", "family", "depth", "connections", "phase"}, {}};
    for (const std::int64_t seed : {1, 2}) {
        const std::string s = std::to_string(seed);
        table.rows.push_back(
            {"m" + s, seed, std::string("s-mixer"), std::int64_t{2}, {}, std::string("done")});
        for (const std::int64_t connections : {32, 64})
            table.rows.push_back({fmt::format("w{}-{}", seed, connections), seed, std::string("sw-mlp"),
                                  std::int64_t{4}, connections,
                                  std::string(seed == 2 && connections == 64 ? "failed" : "done")});
    }
    return table;
}

std::vector<NamedPlan> plans_of_runs() {
    auto all = plans();
    for (std::size_t i = 0; i < 2; ++i) all[0].plan.jobs[i].id = "m" + std::to_string(i + 1);
    return all;
}

const std::string cka_script =
    "echo \"$*\" >> ${0%/*}/calls\n"
    "echo '{\"first_layers\": [\"1\", \"output\"], \"second_layers\": [\"1\", \"2\", \"3\", \"output\"], "
    "\"cka\": [[0.9, 0.5, 0.2, 0.1], [0.1, 0.2, 0.8, 0.6]]}'\n";

TEST(CkaRows, CompareRunsOfTheSameSeedAtTheSameShareOfTheirDepth) {
    const FakeTrainer program(cka_script);
    const Pairs pairs{.by = "family", .of = {"s-mixer", "sw-mlp"}, .match = {"seed"}};
    const auto table = cka_rows(plans_of_runs(), runs_table(), pairs, asked_of(program)).value();
    EXPECT_THAT(table.rows, SizeIs(3 * 2));  // three pairs of finished runs, two layers
    const std::map<std::string, Wanted> first{{"seed", 1.0}, {"connections", 32.0}, {"layer", 1.0}};
    EXPECT_EQ(text_at(table, first, "pair"), "s-mixer / sw-mlp");
    EXPECT_EQ(text_at(table, first, "run"), "m1");
    EXPECT_EQ(text_at(table, first, "second_run"), "w1-32");
    EXPECT_EQ(number_at(table, first, "depth"), 2);
    EXPECT_EQ(number_at(table, first, "second_depth"), 4);
    EXPECT_EQ(number_at(table, first, "cka"), 0.5);  // half way: layer 1 of 2 with 2 of 4
    EXPECT_EQ(number_at(table, first, "best_cka"), 0.9);
    EXPECT_EQ(number_at(table, first, "best_layer"), 1);
    EXPECT_EQ(number_at(table, {{"seed", 2.0}, {"layer", 2.0}}, "cka"), 0.6);
    EXPECT_THAT(read_text(program.folder() / "calls").value(), HasSubstr("--data none --device cpu --json"));
}

TEST(CkaRows, OfOneFamilyCompareItsRuns) {
    const FakeTrainer program(cka_script);
    const Pairs pairs{.by = "family", .of = {"s-mixer", "s-mixer"}, .match = {}};
    const auto table = cka_rows(plans_of_runs(), runs_table(), pairs, asked_of(program)).value();
    EXPECT_THAT(table.rows, SizeIs(2));  // one pair
    EXPECT_EQ(text_at(table, {{"layer", 1.0}}, "second_run"), "m2");
}

TEST(CkaRows, HaveTheirColumnsBeforeAnythingIsDone) {
    const FakeTrainer program("exit 1\n");
    const Pairs pairs{.by = "family", .of = {"none", "sw-mlp"}, .match = {"seed"}};
    const auto table = cka_rows(plans_of_runs(), runs_table(), pairs, asked_of(program)).value();
    EXPECT_THAT(table.columns, Contains("second_connections"));
    EXPECT_THAT(table.columns, Contains("best_cka"));
    const Pairs wrong{.by = "famly", .of = {"a", "b"}, .match = {}};
    EXPECT_THAT(cka_rows(plans_of_runs(), runs_table(), wrong, asked_of(program)).error().text(),
                HasSubstr("famly"));
}

}  // namespace
}  // namespace plimsoll::lab
