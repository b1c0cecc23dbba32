#include <cmath>
#include <filesystem>
#include <fstream>

#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <unistd.h>

#include "plimsoll/audit/weights/weight_spectra.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"

namespace {

using namespace plimsoll::formats;
namespace fs = std::filesystem;

// A model's weights as BF16 in a file of its own: uniform random bits of magnitude 2^-5 or so.
class RandomModel {
  public:
    explicit RandomModel(const fs::path& path) : path_(path), file_(path, std::ios::binary) {
        table_.files = {path};
    }
    ~RandomModel() { fs::remove(path_); }
    RandomModel(const RandomModel&) = delete;
    RandomModel& operator=(const RandomModel&) = delete;

    void add(const std::string& name, std::uint64_t rows, std::uint64_t cols) {
        TensorInfo tensor{name, Dtype::bf16, {rows, cols}, rows * cols, size_, 2 * rows * cols, 0};
        std::vector<std::uint16_t> row(cols);
        for (std::uint64_t i = 0; i < rows; ++i) {
            for (auto& entry : row) entry = static_cast<std::uint16_t>(0x3c80 | (random_.next() & 0x80ffU));
            file_.write(reinterpret_cast<const char*>(row.data()), static_cast<std::streamsize>(2 * cols));
        }
        size_ += tensor.bytes;
        table_.tensors.push_back(std::move(tensor));
    }
    const TensorTable& table() {
        file_.flush();
        return table_;
    }

  private:
    fs::path path_;
    std::ofstream file_;
    TensorTable table_;
    std::uint64_t size_ = 0;
    plimsoll::RandomStream random_{1, "bench/weights"};
};

void add_layer(RandomModel& model, int layer, std::uint64_t width, std::uint64_t kv) {
    const std::string prefix = fmt::format("model.layers.{}.self_attn", layer);
    model.add(prefix + ".q_proj.weight", width, width);
    model.add(prefix + ".k_proj.weight", kv, width);
    model.add(prefix + ".v_proj.weight", kv, width);
    model.add(prefix + ".o_proj.weight", width, width);
}

// Arguments: vocabulary, width, heads, key-value heads, layers. The counters are bytes of weights and the
// process's peak of resident memory, both in MiB.
void weight_spectra(benchmark::State& state) {
    const auto width = static_cast<std::uint64_t>(state.range(1));
    const auto kv =
        width / static_cast<std::uint64_t>(state.range(2)) * static_cast<std::uint64_t>(state.range(3));
    RandomModel model(fs::temp_directory_path() / fmt::format("plimsoll-bench-{}", ::getpid()));
    model.add("model.embed_tokens.weight", static_cast<std::uint64_t>(state.range(0)), width);
    for (int layer = 0; layer < state.range(4); ++layer) add_layer(model, layer, width, kv);
    ModelShape shape;
    shape.width = state.range(1);
    shape.heads = state.range(2);
    for (auto _ : state) {
        const auto report = plimsoll::audit::weight_spectra(model.table(), shape);
        // Random maps have the rank of their smaller side: all of it must have been seen.
        if (!report.ok() || !report->not_analysed.empty() ||
            report->spectra.size() != static_cast<std::size_t>(1 + 2 * state.range(4)) ||
            report->spectra[0].spectrum.numerical_rank != state.range(1)) {
            return state.SkipWithError("not the expected report");
        }
    }
    struct rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    state.counters["weights_MiB"] = static_cast<double>(model.table().elements()) * 2 / 1048576;
    state.counters["peak_MiB"] = static_cast<double>(usage.ru_maxrss) / 1024;
}
// A narrow vocabulary first: the peak of a process never falls.
BENCHMARK(weight_spectra)
    ->Args({50257, 768, 12, 12, 12})
    ->Args({128256, 1024, 16, 4, 2})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(1);

}  // namespace
