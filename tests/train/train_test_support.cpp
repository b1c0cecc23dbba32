#include "tests/train/train_test_support.h"

#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"
#include "plimsoll/store/run_folder.h"
#include "tests/support/error_text.h"

namespace plimsoll::train {
namespace {

namespace fs = std::filesystem;

void big_endian(std::string& out, std::uint32_t value) {
    for (const int shift : {24, 16, 8, 0}) out += static_cast<char>(value >> shift & 0xFF);
}

// Pixels of one plane: noise, and light where `label` says.
void add_plane(std::string& out, std::int64_t side, Light light, std::int64_t label, RandomStream& stream) {
    for (std::int64_t y = 0; y < side; ++y) {
        for (std::int64_t x = 0; x < side; ++x) {
            const std::int64_t quarter = 2 * (2 * y / side) + 2 * x / side, column = 4 * x / side;
            const bool lit = (light == Light::quarter ? quarter : column) == label;
            out += static_cast<char>(stream.below(100) + (lit ? 120 : 20));
        }
    }
}

void write_idx(const fs::path& folder, const std::string& split, std::int64_t side, Light light,
               std::int64_t count) {
    RandomStream stream(1, "test/quarters/" + split);
    std::string images, labels;
    big_endian(images, 0x00000803);
    big_endian(labels, 0x00000801);
    for (auto* file : {&images, &labels}) big_endian(*file, static_cast<std::uint32_t>(count));
    for (int i = 0; i < 2; ++i) big_endian(images, static_cast<std::uint32_t>(side));
    for (std::int64_t i = 0; i < count; ++i) {
        labels += static_cast<char>(i % 4);
        add_plane(images, side, light, i % 4, stream);
    }
    ASSERT_TRUE(atomic_write(folder / (split + "-images-idx3-ubyte"), images).ok());
    ASSERT_TRUE(atomic_write(folder / (split + "-labels-idx1-ubyte"), labels).ok());
}

void write_cifar_file(const fs::path& path, std::int64_t count) {
    RandomStream stream(1, "test/cifar/" + path.filename().string());
    std::string records;
    for (std::int64_t i = 0; i < count; ++i) {
        records += static_cast<char>(i % 4);
        for (int plane = 0; plane < 3; ++plane) add_plane(records, 32, Light::quarter, i % 4, stream);
    }
    ASSERT_TRUE(atomic_write(path, records).ok());
}

}  // namespace

run::RunConfig config_of(const std::string& toml, const std::vector<std::string>& overrides) {
    auto config = run::parse_run_config(toml, "run.toml", overrides);
    EXPECT_TRUE(config.ok()) << error_text(config);
    return config.ok() ? std::move(config).value() : run::RunConfig{};
}

Result<RunSummary> TrainTest::run(const run::RunConfig& config, const std::string& folder) {
    TrainOptions options;
    options.runs = folder_.path() / folder;
    return train(config, options);
}

Result<RunSummary> TrainTest::run_until(const run::RunConfig& config, std::int64_t step,
                                        const std::function<void()>& then, const std::string& folder) {
    TrainOptions options;
    options.runs = folder_.path() / folder;
    options.tell = [&](const TrainProgress& progress) {
        if (progress.step == step) then();
    };
    return train(config, options);
}

void TrainTest::stop_at(const run::RunConfig& config, std::int64_t step) {
    EXPECT_THROW((void)run_until(config, step, [] { throw Stop(); }), Stop);
}

std::string TrainTest::refusal(const run::RunConfig& config) {
    const auto result = run(config);
    EXPECT_FALSE(result.ok());
    return error_text(result);
}

std::string TrainTest::metrics(const RunSummary& summary) {
    return read_text(summary.folder / "metrics.jsonl").value();
}

std::string TrainTest::bytes_of(const fs::path& run_folder) {
    std::string all = read_text(run_folder / "metrics.jsonl").value();
    const auto checkpoint = store::latest_checkpoint(run_folder).value();
    for (const char* name : {"weights.safetensors", "optimizer.safetensors"})
        all += read_text(checkpoint->folder / name).value();
    return all;
}

std::string TrainTest::bytes_of(const Result<RunSummary>& summary) {
    EXPECT_TRUE(summary.ok()) << error_text(summary);
    return summary.ok() ? bytes_of(summary->folder) : "";
}

std::string TrainTest::write(const std::string& name, std::string_view content) {
    const fs::path path = folder_.path() / name;
    fs::create_directories(path.parent_path());
    EXPECT_TRUE(atomic_write(path, content).ok());
    return path.string();
}

std::string TrainTest::write_images(const std::string& name, std::int64_t side, Light light,
                                    std::int64_t train, std::int64_t test) {
    const fs::path folder = folder_.path() / name;
    fs::create_directories(folder);
    write_idx(folder, "train", side, light, train);
    write_idx(folder, "t10k", side, light, test);
    return folder.string();
}

std::string TrainTest::write_cifar(const std::string& name, std::int64_t train, std::int64_t test) {
    const fs::path folder = folder_.path() / name;
    fs::create_directories(folder);
    write_cifar_file(folder / "data_batch_1.bin", train);
    write_cifar_file(folder / "test_batch.bin", test);
    return folder.string();
}

std::string TrainTest::write_pairs(const std::string& name, const std::vector<std::string>& splits,
                                   std::int64_t count) {
    RandomStream stream(1, "test/pairs/" + name);
    std::string table =
        splits.empty() ? "sentence1\tsentence2\tlabel\n" : "sentence1\tsentence2\tlabel\tsplit\n";
    for (std::int64_t i = 0; i < count; ++i) {
        const char first = static_cast<char>('a' + stream.below(3));
        const bool same = stream.below(2) == 0;
        const char second = same ? first : static_cast<char>('a' + (first - 'a' + 1 + stream.below(2)) % 3);
        table += fmt::format("{}\t{}\t{}", first, second, same ? "entailment" : "not_entailment");
        if (!splits.empty()) table += "\t" + splits[static_cast<std::size_t>(i) % splits.size()];
        table += "\n";
    }
    return write(name, table);
}

}  // namespace plimsoll::train
