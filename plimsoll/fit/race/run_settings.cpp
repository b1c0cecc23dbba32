#include "plimsoll/fit/race/run_settings.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/fit/propose/shape_maker.h"
#include "plimsoll/run/data_request.h"

namespace plimsoll::fit {
namespace {

constexpr double rate_times_width = 0.8;  // 6e-3 at a width of 128
constexpr double warmup_share = 0.1;
constexpr std::int64_t evaluations_on_the_way = 4, checkpoints_on_the_way = 4;
constexpr double least_windows = 64, least_labels = 512;  // examples, that an evaluation says something
constexpr double forward_share = 1.0 / 3;                 // of a training step's FLOPs

bool running_text(const DataLook& look) {
    return look.modality == Modality::text || look.modality == Modality::tokens;
}

// Tables are small: what fits a minute of training is thousands of passes over a thousand rows, which teach a
// network the rows and no more.
constexpr double most_passes = 100;

// The steps beyond which a run only repeats its rows.
double most_steps(const FitRequest& request, const DataLook& look, const RunLength& length) {
    if (look.modality != Modality::rows) return 1e300;
    const auto rows = static_cast<double>(look.size - look.held_out);
    return std::max(static_cast<double>(wanted_steps(request.on_gpu())),
                    most_passes * rows / static_cast<double>(length.batch));
}

std::int64_t steps_for(const FitRequest& request, const DataLook& look, const Candidate& candidate,
                       const RunLength& length) {
    const double step = flops_per_example(look, candidate) * static_cast<double>(length.batch);
    const double steps = std::min(length.flops / step, most_steps(request, look, length));
    return std::max(least_steps, static_cast<std::int64_t>(std::llround(steps)));
}

void set_data(run::DataSettings& data, const FitRequest& request, const DataLook& look,
              const InputChoice& input) {
    data.name = look.data;
    run::set_reading(request.read, request.kind, data);
    if (!input.tokenizer.empty()) data.tokenizer = input.tokenizer;
    if (running_text(look)) data.context = input.tokens;
    if (input.validation_fraction > 0) data.validation_fraction = input.validation_fraction;
}

// CompleteP carries the rate of the base shape over to any width and depth (docs/MODELS.md).
run::ModelSettings model_settings(const Candidate& candidate, const Candidate* base) {
    run::ModelSettings model;
    model.spec = candidate.spec;
    model.init = "fan-in";
    if (base == nullptr) return model;
    model.parameterization = run::Parameterization::completep;
    model.base_width = base->width;
    model.base_depth = base->depth;
    model.base_heads = numbers_of(base->spec).heads;
    return model;
}

// A share of a run's steps, as a whole number.
std::int64_t share_of(double share, std::int64_t steps) {
    return static_cast<std::int64_t>(share * static_cast<double>(steps));
}

// AdamW as it is used for such networks; the race looks for the rate, nothing else.
run::RunConfig in_our_way(const FitRequest& request, const Candidate& candidate, const RunLength& length,
                          std::int64_t steps) {
    run::RunConfig config;
    config.model = model_settings(candidate, length.base);
    config.optimizer.beta2 = 0.95;
    config.optimizer.weight_decay = 0.05;
    config.optimizer.clip = 1;
    config.schedule.warmup = share_of(warmup_share, steps);
    const bool table = candidate.input.spec_keys.has_value();  // its numbers have more digits than bf16
    if (request.on_gpu() && !table) config.train.precision = run::Precision::bf16;
    return config;
}

// The recipe's settings for another network and length; its warm-up and decay keep their share of the steps.
run::RunConfig by_recipe(run::RunConfig config, const Candidate& candidate, std::int64_t steps) {
    const auto own = static_cast<double>(config.train.steps);
    const auto scaled = [&](std::int64_t part) {
        return own > 0 ? share_of(static_cast<double>(part) / own, steps) : std::min(part, steps / 2);
    };
    config.model.spec = candidate.spec;
    const run::DataSettings data = config.data;
    config.data = {};
    config.data.crop = data.crop;
    config.data.flip = data.flip;
    config.data.normalize = data.normalize;
    config.schedule.warmup = scaled(config.schedule.warmup);
    if (config.schedule.decay > 0)
        config.schedule.decay = std::max<std::int64_t>(1, scaled(config.schedule.decay));
    config.train.epochs = 0;
    return config;
}

// Batches of an evaluation of so many examples; 0 is the whole part.
std::int64_t evaluation_batches(const DataLook& look, const Candidate& candidate, const RunLength& length) {
    const double whole = static_cast<double>(look.held_out) / units_per_example(look, candidate);
    if (length.evaluated == 0 || static_cast<double>(length.evaluated) >= whole) return 0;
    return std::max<std::int64_t>(1, length.evaluated / length.batch);
}

}  // namespace

double units_per_example(const DataLook& look, const Candidate& candidate) {
    if (!running_text(look)) return 1;
    return static_cast<double>(candidate.input.tokens) * candidate.input.units_per_token;
}

double flops_per_example(const DataLook& look, const Candidate& candidate) {
    return candidate.flops_per_unit * units_per_example(look, candidate);
}

std::int64_t evaluated_examples(const DataLook& look, const Proposal& proposal,
                                const std::vector<std::string>& who, double flops, bool last) {
    double dearest = 0, most_units = 1;
    for (const auto& id : who) {
        const Candidate& candidate = *find_candidate(proposal, id);
        dearest = std::max(dearest, flops_per_example(look, candidate));
        most_units = std::max(most_units, units_per_example(look, candidate));
    }
    const auto evaluations = static_cast<double>(last ? evaluations_on_the_way : 1);
    const double affordable = evaluation_share / forward_share * flops / dearest / evaluations;
    const double examples = std::max(affordable, running_text(look) ? least_windows : least_labels);
    return examples * most_units >= static_cast<double>(look.held_out) ? 0
                                                                       : static_cast<std::int64_t>(examples);
}

double first_rate(const Candidate& candidate) {
    return rate_times_width / static_cast<double>(candidate.width);
}

Result<std::optional<run::RunConfig>> recipe_of(const FitRequest& request) {
    if (!request.recipe) return std::optional<run::RunConfig>();
    PLIMSOLL_ASSIGN(config, run::parse_run_config(*request.recipe, "--recipe"));
    return std::optional(std::move(config));
}

Result<run::RunConfig> run_config(const FitRequest& request, const DataLook& look, const Candidate& candidate,
                                  const RunLength& length) {
    PLIMSOLL_CHECK(length.batch > 0, "a run without a batch");
    const std::int64_t steps = steps_for(request, look, candidate, length);
    PLIMSOLL_ASSIGN(recipe, recipe_of(request));
    run::RunConfig config =
        recipe ? by_recipe(*recipe, candidate, steps) : in_our_way(request, candidate, length, steps);
    set_data(config.data, request, look, candidate.input);
    config.name = "fit " + candidate.id;
    config.optimizer.lr = length.rate;
    config.train.steps = steps;
    config.train.batch = length.batch;
    config.train.eval_every = length.last ? std::max<std::int64_t>(1, steps / evaluations_on_the_way) : 0;
    config.train.checkpoint_every =
        length.last ? std::max<std::int64_t>(1, steps / checkpoints_on_the_way) : 0;
    config.train.eval_batches = evaluation_batches(look, candidate, length);
    const auto seed = static_cast<std::uint64_t>(length.seed);
    config.seeds = {seed, seed, seed};
    PLIMSOLL_RETURN_IF_ERROR(run::validate(config));
    return config;
}

}  // namespace plimsoll::fit
