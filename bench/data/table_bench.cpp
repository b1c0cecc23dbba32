// A CSV of 1 GB to columns: megabytes a second on the cores that are there, processor seconds, and the memory
// of our own that it takes (a mapped file is not). The file is a block of rows again and again, so that its
// sums are known.
#include <chrono>
#include <ctime>
#include <fstream>
#include <string>

#include <benchmark/benchmark.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/scratch_folder.h"
#include "plimsoll/data/tables/text_table.h"

namespace {

namespace fs = std::filesystem;
using namespace plimsoll::data;

constexpr std::size_t block_rows = 200'000, file_bytes = 1'000'000'000;
// 200 MB/s on two cores; a busy machine does not stretch processor time as it does the clock's.
constexpr double most_cpu_seconds_a_gigabyte = 10;

double cpu_seconds_so_far() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// One block: numbers of several lengths, a category, missing cells, a class.
struct Block {
    std::string text;
    double sum = 0;  // of the column `first`
    std::size_t missing = 0, class_b = 0;
};
Block made_block() {
    Block block;
    for (std::size_t i = 0; i < block_rows; ++i) {
        const std::size_t mixed = i * 2654435761U % 1'000'003;
        block.sum += static_cast<double>(i % 1000);
        block.class_b += i % 3 == 1 ? 1 : 0;
        block.missing += i % 50 == 0 ? 1 : 0;
        block.text +=
            fmt::format("{},{:.4f},{:.6g},{},{},{},{}\n", i % 1000, static_cast<double>(mixed) / 997,
                        static_cast<double>(mixed) * 1e-7, i % 50 == 0 ? "" : fmt::format("{}", mixed),
                        mixed % 2 == 0 ? "red" : "\"blue, light\"", mixed % 97,
                        i % 3 == 0   ? "a"
                        : i % 3 == 1 ? "b"
                                     : "c");
    }
    return block;
}

// Kilobytes of memory that no file stands behind.
double own_kilobytes() {
    std::ifstream status("/proc/self/status");
    std::string word;
    double value = 0;
    while (status >> word)
        if (word == "RssAnon:") status >> value;
    return value;
}

bool is_right(const Table& table, const Block& block, std::size_t blocks) {
    double sum = 0;
    for (const float value : table.numbers[0].values) sum += value;
    std::size_t class_b = 0;
    for (const auto label : table.label.classes) class_b += label == 1 ? 1 : 0;
    return table.rows == blocks * block_rows && sum == block.sum * static_cast<double>(blocks) &&
           class_b == blocks * block.class_b && table.numbers[3].missing == blocks * block.missing &&
           table.categories.size() == 1 && table.categories[0].values.size() == 2;
}

void csv_of_a_gigabyte(benchmark::State& state) {
    const auto folder = plimsoll::ScratchFolder::make("bench");
    if (!folder.ok()) return state.SkipWithError("no folder to write to");
    const fs::path path = folder->path() / "table.csv";
    const Block block = made_block();
    const std::size_t blocks = file_bytes / block.text.size() + 1;
    {
        std::ofstream file(path, std::ios::binary);
        file << "first,second,third,fourth,colour,fifth,label\n";
        for (std::size_t i = 0; i < blocks; ++i) file << block.text;
    }
    const double before = own_kilobytes();
    double fastest = 1e9, least_cpu = 1e9, own = 0;
    for (auto _ : state) {
        const auto start = std::chrono::steady_clock::now();
        const double cpu = cpu_seconds_so_far();
        const auto table = load_text_table(path, {}, {});
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        state.SetIterationTime(seconds);
        fastest = std::min(fastest, seconds);
        least_cpu = std::min(least_cpu, cpu_seconds_so_far() - cpu);
        own = std::max(own, own_kilobytes() - before);
        if (!table.ok() || !is_right(*table, block, blocks)) return state.SkipWithError("the table is wrong");
    }
    state.counters["MB_per_s"] = static_cast<double>(fs::file_size(path)) / 1e6 / fastest;
    state.counters["cpu_s"] = least_cpu;
    if (least_cpu > most_cpu_seconds_a_gigabyte)
        state.SkipWithError("more than 10 s of processor a gigabyte");
    state.counters["own_MB"] = own * 1024 / 1e6;
    state.counters["rows"] = static_cast<double>(blocks * block_rows);
}
BENCHMARK(csv_of_a_gigabyte)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(3);

}  // namespace
