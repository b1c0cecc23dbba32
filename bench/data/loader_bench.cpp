// CIFAR-10 from .xz to arrays against liblzma alone unpacking the same bytes in the same run. The real files
// are used where they are ($PLIMSOLL_SHARED); otherwise six files of the same layout and size are made.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <optional>

#include <benchmark/benchmark.h>
#include <lzma.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/scratch_folder.h"
#include "plimsoll/data/readers/cifar.h"

namespace {

namespace fs = std::filesystem;
using namespace plimsoll::data;

constexpr std::size_t record_bytes = 3073, records = 10000, file_bytes = record_bytes * records;
// The loader also reads the labels and checks them; more than this above liblzma is a regression.
constexpr double most_ratio = 1.1;
constexpr const char* names[] = {"data_batch_1.bin.xz", "data_batch_2.bin.xz", "data_batch_3.bin.xz",
                                 "data_batch_4.bin.xz", "data_batch_5.bin.xz", "test_batch.bin.xz"};

// Pictures compress to three quarters: three random bytes, then one that repeats.
std::vector<std::uint8_t> made_records(std::uint64_t state) {
    std::vector<std::uint8_t> bytes(file_bytes);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        bytes[i] = i % record_bytes == 0 ? static_cast<std::uint8_t>(i / record_bytes % 10)
                   : i % 4 == 0          ? std::uint8_t{7}
                                         : static_cast<std::uint8_t>(state >> 56);
    }
    return bytes;
}

void write_packed(const fs::path& path, const std::vector<std::uint8_t>& content) {
    std::vector<std::uint8_t> packed(lzma_stream_buffer_bound(content.size()));
    std::size_t size = 0;
    lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, nullptr, content.data(), content.size(), packed.data(),
                            &size, packed.size());
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(packed.data()), static_cast<std::streamsize>(size));
}

// The folder with the six files; what was made is removed at the end.
class Folder {
  public:
    Folder() {
        const char* shared = std::getenv("PLIMSOLL_SHARED");
        path_ = fs::path(shared != nullptr ? shared : PLIMSOLL_SHARED_DEFAULT) / "data/cifar10";
        real_ = std::all_of(std::begin(names), std::end(names),
                            [&](const char* name) { return fs::exists(path_ / name); });
        if (real_) return;
        made_.emplace(plimsoll::ScratchFolder::make("bench").value());
        path_ = made_->path();
        for (std::size_t i = 0; i < std::size(names); ++i) write_packed(path_ / names[i], made_records(i));
    }
    [[nodiscard]] const fs::path& path() const { return path_; }
    [[nodiscard]] bool real() const { return real_; }

  private:
    std::optional<plimsoll::ScratchFolder> made_;
    fs::path path_;
    bool real_ = false;
};

const Folder& folder() {
    static const Folder one;
    return one;
}

// What liblzma does alone: the mapped file, unpacked in one call to memory that is there.
std::vector<std::uint8_t> unpack(const fs::path& path) {
    const auto file = plimsoll::MappedFile::open(path);
    std::vector<std::uint8_t> content(file_bytes);
    std::uint64_t memory = UINT64_MAX;
    std::size_t in = 0, out = 0;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(file->bytes().data());
    if (lzma_stream_buffer_decode(&memory, 0, nullptr, bytes, &in, file->bytes().size(), content.data(), &out,
                                  content.size()) != LZMA_OK ||
        out != file_bytes)
        content.clear();
    return content;
}

struct Times {
    double wall = 1e9, cpu = 1e9;
    void keep_fastest(const Times& other) {
        wall = std::min(wall, other.wall);
        cpu = std::min(cpu, other.cpu);
    }
};

double cpu_seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

template <class Work>
Times times_of(Work work) {
    const auto start = std::chrono::steady_clock::now();
    const double cpu = cpu_seconds();
    benchmark::DoNotOptimize(work());
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
            cpu_seconds() - cpu};
}

bool is_right(const ImageSplit& split, std::size_t first, const std::vector<std::uint8_t>& content) {
    for (std::size_t i = 0; i < content.size() / record_bytes; ++i) {
        const auto pixels = split.pixels(first + i, cifar_shape);
        if (split.labels[first + i] != content[i * record_bytes] ||
            std::memcmp(pixels.data(), &content[i * record_bytes + 1], pixels.size()) != 0)
            return false;
    }
    return content.size() == file_bytes;
}

// Runs both in turn and reports the fastest of each: seconds on the clock, and seconds of processor, which a
// busy machine does not stretch.
template <class Loader, class Alone>
void compare(benchmark::State& state, Loader loader, Alone alone, std::size_t files) {
    Times ours, theirs;
    for (auto _ : state) {
        const Times times = times_of(loader);
        state.SetIterationTime(times.wall);
        ours.keep_fastest(times);
        theirs.keep_fastest(times_of(alone));
    }
    state.counters["times_liblzma"] = ours.wall / theirs.wall;
    state.counters["cpu_times_liblzma"] = ours.cpu / theirs.cpu;
    state.counters["MB_per_s"] = static_cast<double>(files * file_bytes) / 1e6 / ours.wall;
    state.SetLabel(folder().real() ? "real CIFAR-10" : "made files");
    if (ours.cpu > most_ratio * theirs.cpu) state.SkipWithError("more work than liblzma's by over a tenth");
}

void one_file_of_xz(benchmark::State& state) {
    const fs::path path = folder().path() / names[0];
    const auto set = load_cifar(path, Cifar::ten, {});
    if (!set.ok() || !is_right(set->splits[0], 0, unpack(path)))
        return state.SkipWithError("the images are wrong");
    compare(
        state, [&] { return load_cifar(path, Cifar::ten, {}).ok(); }, [&] { return unpack(path).size(); }, 1);
}
BENCHMARK(one_file_of_xz)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(5);

// Six files at once: with more than one free core the loader is faster than one liblzma after the other.
void six_files_of_xz(benchmark::State& state) {
    const fs::path& path = folder().path();
    const auto all_alone = [&] {
        std::size_t bytes = 0;
        for (const char* name : names) bytes += unpack(path / name).size();
        return bytes;
    };
    const auto set = load_cifar(path, Cifar::ten, {});
    if (!set.ok() || !is_right(set->splits[0], 40000, unpack(path / names[4])) ||
        !is_right(set->splits[1], 0, unpack(path / names[5])))
        return state.SkipWithError("the images are wrong");
    compare(state, [&] { return load_cifar(path, Cifar::ten, {}).ok(); }, all_alone, std::size(names));
}
BENCHMARK(six_files_of_xz)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(2);

}  // namespace
