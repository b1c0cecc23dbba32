// BPE against threads and size: 32,000 tokens learned from a made text of Zipf words, and the text encoded.
// Each answer is checked: the model of one thread, and the bytes back.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include <benchmark/benchmark.h>
#include <unistd.h>

#include "plimsoll/base/random.h"
#include "plimsoll/bpe/stream.h"
#include "plimsoll/bpe/train.h"

namespace {

namespace fs = std::filesystem;
using namespace plimsoll;
using namespace plimsoll::bpe;

constexpr std::size_t megabyte = 1'000'000;
constexpr std::uint64_t vocab = 32000;
constexpr std::uint64_t word_kinds = 300000;

// The word of a rank: consonants and vowels by turns, longer for rarer words.
std::string spelled(std::uint64_t rank) {
    constexpr std::string_view consonants = "bcdfghjklmnprstvz", vowels = "aeiou";
    std::string word;
    for (std::uint64_t rest = rank * 2654435761U % 4294967291U, left = rank + 20; left > 0; left /= 25) {
        word += consonants[rest % consonants.size()];
        rest /= consonants.size();
        word += vowels[rest % vowels.size()];
        rest = rest / vowels.size() + 7 * left;
    }
    return word;
}

std::string zipf_text(std::size_t bytes) {
    std::vector<std::string> words;
    for (std::uint64_t rank = 0; rank < word_kinds; ++rank) words.push_back(spelled(rank));
    RandomStream random(1, "zipf");
    std::string text;
    const double span = std::log(double(word_kinds));
    while (text.size() < bytes) {
        text += words[static_cast<std::size_t>(std::exp(random.uniform() * span)) - 1];
        text += random.below(12) == 0 ? ".\n" : " ";
    }
    return text;
}

// A text in a file of its own, made once for each size.
class TextFile {
  public:
    explicit TextFile(std::size_t megabytes) : text_(zipf_text(megabytes * megabyte)) {
        std::string name = (fs::temp_directory_path() / "plimsoll-bench-XXXXXX").string();
        ::close(::mkstemp(name.data()));
        path_ = name;
        std::ofstream(path_, std::ios::binary) << text_;
    }
    ~TextFile() { fs::remove(path_); }
    TextFile(const TextFile&) = delete;
    TextFile& operator=(const TextFile&) = delete;
    [[nodiscard]] const fs::path& path() const { return path_; }
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    std::string text_;
    fs::path path_;
};

const TextFile& text_of(std::size_t megabytes) {
    static std::map<std::size_t, std::unique_ptr<TextFile>> files;
    auto& file = files[megabytes];
    if (!file) file = std::make_unique<TextFile>(megabytes);
    return *file;
}

BpeModel train(const TextFile& file, std::size_t threads) {
    return train_bpe({file.path()}, {.vocab = vocab, .threads = threads}).value().model;
}

const BpeModel& model_of(std::size_t megabytes) {
    static std::map<std::size_t, BpeModel> models;
    auto found = models.find(megabytes);
    if (found == models.end()) found = models.emplace(megabytes, train(text_of(megabytes), 1)).first;
    return found->second;
}

void report_rate(benchmark::State& state, const TextFile& file) {
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(file.text().size()));
}

void learn(benchmark::State& state) {
    const auto megabytes = static_cast<std::size_t>(state.range(0)),
               threads = static_cast<std::size_t>(state.range(1));
    const TextFile& file = text_of(megabytes);
    BpeModel model;
    for (auto _ : state) model = train(file, threads);
    if (model != model_of(megabytes)) state.SkipWithError("another model than on one thread");
    report_rate(state, file);
}

void encode(benchmark::State& state) {
    const auto megabytes = static_cast<std::size_t>(state.range(0)),
               threads = static_cast<std::size_t>(state.range(1));
    const TextFile& file = text_of(megabytes);
    const auto encoder = BpeEncoder::make(model_of(megabytes)).value();
    std::vector<std::uint32_t> ids;
    for (auto _ : state) {
        ids.clear();
        const auto done =
            encode_file(encoder, file.path(), {.threads = threads}, [&](std::span<const std::uint32_t> part) {
                ids.insert(ids.end(), part.begin(), part.end());
                return Status();
            });
        if (!done.ok()) state.SkipWithError(done.error().text().c_str());
    }
    std::string again;
    if (!encoder.decode(ids, again).ok() || again != file.text())
        state.SkipWithError("other bytes come back");
    report_rate(state, file);
}

void sizes_and_threads(benchmark::internal::Benchmark* bench) {
    bench->ArgNames({"MB", "threads"})->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime();
    for (const std::int64_t megabytes : {10, 20, 40}) bench->Args({megabytes, 1});
    const auto all = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
    for (std::int64_t threads = 2; threads <= all; threads *= 2) bench->Args({40, threads});
}

BENCHMARK(learn)->Apply(sizes_and_threads);
BENCHMARK(encode)->Apply(sizes_and_threads);

}  // namespace
