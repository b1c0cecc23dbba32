#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/train/train.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::train {

// A decoder on made text: 30 steps, a checkpoint every ten.
inline constexpr const char* text_run = R"(
[model]
spec = "transformer:depth=1,width=16,heads=2,vocab=256,context=16"
[data]
name = "synthetic:grammar,bytes=20000"
[optimizer]
lr = 1e-2
[train]
steps = 30
batch = 8
eval_batches = 4
log_every = 5
checkpoint_every = 10
)";

// An encoder with a classifier on labelled sequences.
inline constexpr const char* hops_run = R"(
[model]
spec = "transformer:depth=1,width=16,heads=2,vocab=4,context=9,stack=encoder,head=classes,classes=4"
[data]
name = "synthetic:hops=1,symbols=4,count=200,test=20"
[train]
steps = 5
batch = 8
)";

// The run of a toml; an error fails the test.
run::RunConfig config_of(const std::string& toml, const std::vector<std::string>& overrides = {});

// Which part of an image is bright.
enum class Light { quarter, column };

// What stops a run in the middle, as a killed process would: nothing of the trainer catches it.
struct Stop : std::exception {};

class TrainTest : public ::testing::Test {
  protected:
    Result<RunSummary> run(const run::RunConfig& config, const std::string& folder = "runs");
    // Trains, and calls `then` when the step is reported.
    Result<RunSummary> run_until(const run::RunConfig& config, std::int64_t step,
                                 const std::function<void()>& then, const std::string& folder = "runs");
    // Trains and stops there.
    void stop_at(const run::RunConfig& config, std::int64_t step);
    // The error of a run that does not train.
    std::string refusal(const run::RunConfig& config);
    static std::string metrics(const RunSummary& summary);
    // Everything of a run that must repeat: its metrics and its last checkpoint.
    static std::string bytes_of(const std::filesystem::path& run_folder);
    static std::string bytes_of(const Result<RunSummary>& summary);
    // A file of the test's folder; its path.
    std::string write(const std::string& name, std::string_view content);

    // Grey images of `side` x `side` pixels in MNIST's layout, 4 classes: where the light is.
    std::string write_images(const std::string& name, std::int64_t side, Light light, std::int64_t train,
                             std::int64_t test);
    // The same idea in CIFAR-10's layout: 32 x 32 pixels in colour.
    std::string write_cifar(const std::string& name, std::int64_t train, std::int64_t test);
    // Pairs of words, labelled by whether they are the same, with a column for the split.
    std::string write_pairs(const std::string& name, const std::vector<std::string>& splits,
                            std::int64_t count);

    testing::TempDir folder_;
};

}  // namespace plimsoll::train
