#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/arch/spec.h"
#include "plimsoll/base/result.h"

// Everything one training run needs, as numbers and names; docs/RUNS.md has the table of keys.
namespace plimsoll::run {

enum class OptimizerKind {
    adamw,  // weight decay apart from the gradient (Loshchilov & Hutter)
    adam,   // weight decay added to the gradient, as torch.optim.Adam
    sgd,    // with momentum, as torch.optim.SGD
};
enum class DecayedTensors { matrices, all };                // matrices: tensors of two dimensions or more
enum class ScheduleKind { constant, linear, cosine, wsd };  // wsd: warm-up, stable, decay
enum class Precision { fp32, bf16, fp64 };
// How starts, rates and branches follow width and depth (parameterization.h has the table).
enum class Parameterization { standard, mup, completep };
enum class Normalization { none, channels };  // channels: mean 0 and deviation 1 over the training images

struct ModelSettings {
    arch::ArchSpec spec;
    std::string init = "default";  // a name of model::initialisations()
    double dropout = 0;
    Parameterization parameterization = Parameterization::standard;
    std::int64_t base_width = 0;  // mup, completep: the shape that equals standard; 0: not given
    std::int64_t base_depth = 0;  // completep only
    std::int64_t base_heads = 0;  // 0: as many as the spec has

    bool operator==(const ModelSettings&) const = default;
};

struct DataSettings {
    std::string name;                  // file, folder, name of the catalogue or synthetic:...
    std::string kind = "auto";         // how to read it, as data's --kind; auto: from the files
    std::string tokenizer = "bytes";   // bytes, or a tokenizer.json
    std::int64_t context = 0;          // tokens per example; 0: as the spec says
    std::int64_t examples = 0;         // number of examples of the training split; 0: all
    std::string validation = "auto";   // split to evaluate on; auto: the set's own, else the last part
    double validation_fraction = 0.1;  // that last part
    std::int64_t split_seed = 1;       // draws what is held out where the set has no split; 0: its end
    std::string field = "auto";        // of JSON lines or a table, which holds the text; auto: text
    std::string columns = "auto";      // sentence pairs: "first,second,label"; auto: the usual names
    std::string label = "auto";        // tables: the column to predict; auto: guessed
    std::int64_t token_bits = 0;       // width of ids without a header, 16 or 32; 0: the file says it
    std::int64_t resize = 0;           // images become squares with this side; 0: the size that most have
    std::int64_t crop = 0;             // random crop after padding by this number of pixels; 0: none
    bool flip = false;                 // random mirror images
    Normalization normalize = Normalization::channels;

    bool operator==(const DataSettings&) const = default;
};

struct OptimizerSettings {
    OptimizerKind kind = OptimizerKind::adamw;
    double lr = 1e-3;  // the peak of the schedule
    double beta1 = 0.9, beta2 = 0.999, eps = 1e-8;
    double momentum = 0;  // sgd only
    bool nesterov = false;
    double weight_decay = 0.01;
    DecayedTensors decay = DecayedTensors::matrices;
    std::optional<double> clip;   // largest norm of the whole gradient
    std::int64_t accumulate = 1;  // parts into which a batch is cut; divides batch

    bool operator==(const OptimizerSettings&) const = default;
};

struct ScheduleSettings {
    ScheduleKind kind = ScheduleKind::cosine;
    std::int64_t warmup = 0;   // steps
    double min_lr_ratio = 0;   // of the last step's rate to the peak
    std::int64_t decay = 0;    // wsd only: steps of the decay, the last of the run
    bool share_trunk = false;  // wsd only: the steps before the decay may come from a trunk (trunk.h)

    bool operator==(const ScheduleSettings&) const = default;
};

constexpr std::int64_t most_steps = 1'000'000'000'000;  // of a run

// Exactly one of `steps` and `epochs` is not 0.
struct TrainSettings {
    std::int64_t steps = 1000, epochs = 0;
    std::int64_t batch = 64;  // examples per step, over all processes
    Precision precision = Precision::fp32;
    std::int64_t eval_every = 0;        // steps; 0: at the end only
    std::int64_t eval_batches = 0;      // 0: the whole split
    std::int64_t checkpoint_every = 0;  // steps; 0: at the end only
    std::int64_t log_every = 10;        // steps between rows of metrics.jsonl
    std::int64_t noise_every = 0;       // steps between measurements of the gradient's noise; 0: none

    bool operator==(const TrainSettings&) const = default;
};

struct SeedSettings {
    std::uint64_t init = 1, data = 1, dropout = 1;

    bool operator==(const SeedSettings&) const = default;
};

struct RunConfig {
    std::string name;             // for people; may be empty
    std::string recipe = "none";  // where the defaults came from
    ModelSettings model;
    DataSettings data;
    OptimizerSettings optimizer;
    ScheduleSettings schedule;
    TrainSettings train;
    SeedSettings seeds;

    bool operator==(const RunConfig&) const = default;
};

// Reads run.toml: defaults, then the recipe it names, then its own keys, then `overrides`
// ("optimizer.lr=3e-4"). Every key must be known and the whole must pass validate().
Result<RunConfig> parse_run_config(std::string_view toml, std::string_view where,
                                   std::span<const std::string> overrides = {});
Result<RunConfig> read_run_config(const std::filesystem::path& path,
                                  std::span<const std::string> overrides = {});

// The resolved config: every key with its value, in one fixed form. parse_run_config() reverses it.
std::string to_toml(const RunConfig& config);

// The name of its run: store::run_id() of to_toml().
std::string run_hash(const RunConfig& config);

// Whether the settings agree with one another and with the spec; the error says which key and what is right.
Status validate(const RunConfig& config);

// Steps of the whole run when an epoch has `steps_per_epoch`; `bad_input` when warm-up and decay are longer.
Result<std::int64_t> total_steps(const RunConfig& config, std::int64_t steps_per_epoch);

// The learning rate of update `step` (1 is the first, `total` the last; 0 gives where the warm-up starts):
// linear from 0 to the peak over the warm-up, then as the schedule says (WIES-LR with the recipe "wies").
double learning_rate(const RunConfig& config, std::int64_t step, std::int64_t total);

// Tokens per example of a text: data.context, or what the spec says.
std::int64_t context_length(const RunConfig& config);

// What a network reads.
enum class InputKind { tokens, image, matrix, vector, row };  // row: numbers and categories of a table
InputKind input_kind(const arch::ArchSpec& spec);

// One key of run.toml, for help and docs/RUNS.md.
struct ConfigKeyInfo {
    std::string key;       // "optimizer.lr"
    std::string allowed;   // "more than 0", "adamw|adam|sgd"
    std::string fallback;  // as TOML; empty when the key is required
    std::string meaning;
};
std::vector<ConfigKeyInfo> config_keys();

}  // namespace plimsoll::run
