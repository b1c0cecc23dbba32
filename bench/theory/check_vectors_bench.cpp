#include <filesystem>
#include <string>

#include <benchmark/benchmark.h>

#include "plimsoll/theory/ids/vectors.h"

// Throughput of `plimsoll bounds --check`.
namespace {

void check(benchmark::State& state, const char* name) {
    const auto file = plimsoll::read_json(std::filesystem::path(PLIMSOLL_FIXTURES) / "theory" / name);
    const auto report = plimsoll::theory::check_vectors(*file, name);
    if (!report.ok() || !report->differences.empty()) state.SkipWithError("the vectors do not pass");
    for (auto _ : state) benchmark::DoNotOptimize(plimsoll::theory::check_vectors(*file, name)->checked);
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(report->checked));
}
BENCHMARK_CAPTURE(check, papers, "papers.json")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(check, capacity, "capacity.json")->Unit(benchmark::kMillisecond);

}  // namespace
