// A model file is read by its head: 100 GB cost what 1 MB costs, in time and in memory. The large files are
// sparse, so that they take no disk.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>

#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <unistd.h>

#include "plimsoll/base/format.h"
#include "plimsoll/formats/byte_text.h"
#include "plimsoll/formats/gguf/gguf.h"
#include "plimsoll/formats/safetensors/safetensors.h"

namespace {

namespace fs = std::filesystem;
using namespace plimsoll::formats;

constexpr std::uint64_t tensors = 400;  // about a 7-billion-parameter model
constexpr std::uint64_t small_file = 1'000'000, large_file = 100'000'000'000;
constexpr double most_megabytes = 50;

// 32-bit elements of each tensor when all of them take about `file_bytes`; whole 32-byte steps for GGUF.
std::uint64_t elements_of_one(std::uint64_t file_bytes) { return file_bytes / tensors / 32 * 8; }

std::string safetensors_head(std::uint64_t elements) {
    std::string json = "{";
    for (std::uint64_t i = 0; i < tensors; ++i) {
        json +=
            fmt::format(R"({}"model.layers.{}.weight":{{"dtype":"F32","shape":[{}],"data_offsets":[{},{}]}})",
                        i == 0 ? "" : ",", i, elements, 4 * elements * i, 4 * elements * (i + 1));
    }
    json += "}";
    json.resize((json.size() + 7) / 8 * 8, ' ');
    return store_little<std::uint64_t>(json.size()) + json;
}

std::string gguf_head(std::uint64_t elements) {
    std::string head =
        "GGUF" + store_little<std::uint32_t>(3) + store_little(tensors) + store_little<std::uint64_t>(0);
    for (std::uint64_t i = 0; i < tensors; ++i) {
        const std::string name = fmt::format("blk.{}.weight", i);
        head += store_little<std::uint64_t>(name.size()) + name + store_little<std::uint32_t>(1) +
                store_little(elements) + store_little<std::uint32_t>(0) + store_little(4 * elements * i);
    }
    head.resize((head.size() + 31) / 32 * 32, '\0');
    return head;
}

// A file that holds its head and then nothing but a hole.
class SparseFile {
  public:
    SparseFile(const std::string& head, std::uint64_t data_bytes) {
        std::string name = (fs::temp_directory_path() / "plimsoll-bench-XXXXXX").string();
        ::close(::mkstemp(name.data()));
        path_ = name;
        std::ofstream(path_, std::ios::binary).write(head.data(), static_cast<std::streamsize>(head.size()));
        fs::resize_file(path_, head.size() + data_bytes);
    }
    ~SparseFile() { fs::remove(path_); }
    SparseFile(const SparseFile&) = delete;
    SparseFile& operator=(const SparseFile&) = delete;
    [[nodiscard]] const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

struct Safetensors {
    static std::string head(std::uint64_t elements) { return safetensors_head(elements); }
    static std::uint64_t count(const fs::path& path) { return read_safetensors(path)->elements(); }
};
struct Gguf {
    static std::string head(std::uint64_t elements) { return gguf_head(elements); }
    static std::uint64_t count(const fs::path& path) { return read_gguf(path)->table.elements(); }
};

double peak_megabytes() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

template <class Format>
double seconds_of(const fs::path& path) {
    const auto start = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(Format::count(path));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Reads the large file in each iteration and the small one beside it, for the ratio of the fastest of each.
template <class Format>
void head_of_100_gigabytes(benchmark::State& state) {
    const std::uint64_t small_one = elements_of_one(small_file), large_one = elements_of_one(large_file);
    const SparseFile small(Format::head(small_one), 4 * small_one * tensors);
    const SparseFile large(Format::head(large_one), 4 * large_one * tensors);
    if (Format::count(small.path()) != small_one * tensors ||
        Format::count(large.path()) != large_one * tensors) {
        state.SkipWithError("the counts are wrong");
    }
    double fastest_small = 1, fastest_large = 1;
    for (auto _ : state) {
        const double seconds = seconds_of<Format>(large.path());
        state.SetIterationTime(seconds);
        fastest_large = std::min(fastest_large, seconds);
        fastest_small = std::min(fastest_small, seconds_of<Format>(small.path()));
    }
    state.counters["times_1MB"] = fastest_large / fastest_small;
    state.counters["peak_MB"] = peak_megabytes();
    if (peak_megabytes() > most_megabytes) state.SkipWithError("more than 50 MB");
}
BENCHMARK_TEMPLATE(head_of_100_gigabytes, Safetensors)->Unit(benchmark::kMicrosecond)->UseManualTime();
BENCHMARK_TEMPLATE(head_of_100_gigabytes, Gguf)->Unit(benchmark::kMicrosecond)->UseManualTime();

}  // namespace
