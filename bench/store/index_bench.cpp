// 10,000 runs: listed, filtered and exported from the index (bar: one second for all three together), and
// reindexed (bar: ten seconds), beside reading every folder.
#include <chrono>
#include <cstdlib>
#include <fstream>

#include <benchmark/benchmark.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/scratch_folder.h"
#include "plimsoll/store/index.h"
#include "plimsoll/store/lease.h"
#include "plimsoll/store/run_export.h"
#include "plimsoll/store/run_folder.h"

namespace {

namespace fs = std::filesystem;
using namespace plimsoll;

constexpr int runs_in_all = 10'000;

// A config with as many keys as a real one, different for each run.
std::string config_of(int i) {
    std::string text = fmt::format(
        "name = \"run {}\"\nrecipe = \"none\"\n\n[model]\nspec = \"mixer:depth={},width=64\"\n", i, i % 40);
    for (const char* section : {"data", "optimizer", "schedule", "train", "seeds"}) {
        text += fmt::format("\n[{}]\nlr = {}\nseed = {}\nkind = \"kind {}\"\n", section, 1e-5 * (i + 1), i,
                            i % 7);
        for (int k = 0; k < 6; ++k) text += fmt::format("key{} = {}\n", k, i % (k + 2));
    }
    return text;
}

void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

// The files of a run that has ended, without the syncs that a real one pays for.
void make_run(const fs::path& runs, int i) {
    const std::string config = config_of(i);
    const fs::path folder = runs / store::run_id(config);
    fs::create_directories(folder / "claims");
    write(folder / "config.toml", config);
    write(folder / "state.json", fmt::format("{{\"phase\":\"{}\",\"step\":{},\"reason\":\"\"}}\n",
                                             i % 10 == 0 ? "failed" : "done", i));
    std::string metrics;
    for (int step = 0; step < 50; ++step)
        metrics += fmt::format("{{\"step\":{},\"loss\":{},\"rate\":0.001,\"gradient_norm\":1.5}}\n", step,
                               1.0 / (i + step + 1));
    metrics += fmt::format(
        "{{\"step\":50,\"validation\":{{\"loss\":{},\"accuracy\":0.5,\"bits_per_byte\":1.25}}}}\n",
        1.0 / (i + 1));
    write(folder / "metrics.jsonl", metrics);
    write(
        folder / "environment.json",
        R"({"sessions":[{"started":"2026-01-01T00:00:00Z","program":"plimsoll-torch","device":"cpu","machine":{"host":"node1","cores":8},"ended":"2026-01-01T00:01:00Z","seconds":60.5}]})");
}

ScratchFolder many_runs() {
    auto folder = ScratchFolder::make("index").value();
    for (int i = 0; i < runs_in_all; ++i) make_run(folder.path(), i);
    return folder;
}

const fs::path& folder() {
    static const ScratchFolder made = many_runs();
    return made.path();
}

double seconds_of(const std::function<bool()>& body, benchmark::State& state) {
    const auto start = std::chrono::steady_clock::now();
    if (!body()) state.SkipWithError("a wrong answer");
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool is_right(const store::RunTable& table) {
    return table.rows.size() == runs_in_all && table.warnings.empty() && table.keys.size() > 50;
}

bool list(bool use_index) {
    auto table = store::read_run_table(folder(), {.use_index = use_index});
    return table.ok() && is_right(*table);
}

bool filter(bool use_index) {
    auto table = store::read_run_table(folder(), {.use_index = use_index}).value();
    const bool ok =
        store::select(table, {.where = {"phase=failed", "validation.loss<0.01"}, .sort = "-optimizer.lr"})
            .ok();
    return ok && table.rows.size() == 990 && store::cell_text(table.at(table.rows[0], "name")) == "run 9990";
}

bool export_csv(bool use_index) {
    const auto table = store::read_run_table(folder(), {.use_index = use_index}).value();
    const std::string text = store::table_csv(table, {});
    return std::ranges::count(text, '\n') == runs_in_all + 1;
}

void reindexed(benchmark::State& state) {
    for (auto _ : state)
        state.SetIterationTime(seconds_of([] { return is_right(store::reindex(folder()).value()); }, state));
}
BENCHMARK(reindexed)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(2);

// Each way in turn; the counter says how many times longer it takes without the index.
void from_index(benchmark::State& state, bool (*question)(bool)) {
    if (!question(true)) state.SkipWithError("a wrong answer");
    double index = 0, plain = 0;
    for (auto _ : state) {
        const double seconds = seconds_of([&] { return question(true); }, state);
        state.SetIterationTime(seconds);
        index += seconds;
        plain += seconds_of([&] { return question(false); }, state);
    }
    state.counters["times_plain"] = plain / index;
}
BENCHMARK_CAPTURE(from_index, list, list)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(3);
BENCHMARK_CAPTURE(from_index, filter, filter)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(3);
BENCHMARK_CAPTURE(from_index, export_csv, export_csv)
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime()
    ->Iterations(3);

// What a run pays before each row of metrics.
void still_mine(benchmark::State& state) {
    const auto run = ScratchFolder::make("claim").value();
    const auto lease = store::Lease::take(run.path());
    for (auto _ : state)
        if (!lease->still_mine().ok()) state.SkipWithError("not ours");
}
BENCHMARK(still_mine)->Unit(benchmark::kMicrosecond);

}  // namespace
