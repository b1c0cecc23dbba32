#include <variant>

#include "plimsoll/base/format.h"
#include "plimsoll/base/toml.h"
#include "plimsoll/run/config_fit.h"
#include "plimsoll/run/config_keys.h"
#include "plimsoll/run/parameterization.h"
#include "plimsoll/run/run_config.h"

namespace plimsoll::run {
namespace {

// Each value by itself, by the rules of its key: a config made by hand is no better than a file.
Status check_values(const RunConfig& config) {
    RunConfig copy;
    for (const auto& key : config_key_table()) {
        PLIMSOLL_ASSIGN(value, parse_toml("value = " + key.write(config), key.full_name()));
        PLIMSOLL_RETURN_IF_ERROR(key.read(copy, value.at("value"), key.full_name()));
    }
    return {};
}

Status check_given(const RunConfig& config) {
    if (config.data.name.empty()) return bad_input("data.name", "is empty: name a file, folder or set");
    if (config.data.tokenizer.empty())
        return bad_input("data.tokenizer", "is empty: bytes, or a tokenizer.json");
    if (config.data.validation.empty()) return bad_input("data.validation", "is empty: auto, or a split");
    return {};
}

Status check_length(const RunConfig& config) {
    const auto& train = config.train;
    if (train.steps > 0 && train.epochs > 0) {
        return bad_input("train.steps",
                         fmt::format("contradicts train.epochs: give {} steps or {} epochs, not both",
                                     train.steps, train.epochs));
    }
    if (train.steps == 0 && train.epochs == 0)
        return bad_input("train.steps", "is \"none\" and so is train.epochs: give one of them");
    if (train.steps > 0) return total_steps(config, 1).ok() ? Status() : total_steps(config, 1).error();
    return {};
}

Status check_schedule(const RunConfig& config) {
    const auto& schedule = config.schedule;
    const bool wsd = schedule.kind == ScheduleKind::wsd;
    if (wsd && schedule.decay == 0)
        return bad_input("schedule.decay", "wsd needs it: the steps of the decay, 1 or more");
    if (!wsd && schedule.decay > 0)
        return bad_input("schedule.decay", "only schedule.kind = \"wsd\" has it; leave it out");
    if (!wsd && schedule.share_trunk)
        return bad_input("schedule.share_trunk", "only schedule.kind = \"wsd\" has a trunk; leave it out");
    return {};
}

Status check_optimizer(const RunConfig& config) {
    const auto& optimizer = config.optimizer;
    if (config.train.batch % optimizer.accumulate != 0) {
        return bad_input("optimizer.accumulate", fmt::format("must divide train.batch {}, got {}",
                                                             config.train.batch, optimizer.accumulate));
    }
    if (config.train.noise_every > 0 && config.train.batch == 1)
        return bad_input("train.noise_every", "compares parts of a batch: train.batch must be 2 or more");
    const bool sgd = optimizer.kind == OptimizerKind::sgd;
    if (!sgd && optimizer.momentum != 0)
        return bad_input("optimizer.momentum", "only sgd has it; adam's is beta1");
    if (optimizer.nesterov && (!sgd || optimizer.momentum == 0))
        return bad_input("optimizer.nesterov", "needs sgd with a momentum above 0");
    return {};
}

// The longest example the spec's own tables allow; 0: any.
std::int64_t longest_context(const arch::ArchSpec& spec) {
    if (const auto* net = std::get_if<arch::TransformerSpec>(&spec))
        return net->positions == arch::PositionKind::learned ? net->context : 0;
    if (const auto* net = std::get_if<arch::AttentionSpec>(&spec))
        return net->positions == arch::Positions::none ? 0 : net->context;
    return 0;
}

Status check_context(const RunConfig& config) {
    const std::int64_t given = config.data.context;
    if (given == 0) return {};
    if (input_kind(config.model.spec) != InputKind::tokens)
        return bad_input("data.context", "is for tokens, which this spec does not read");
    if (const auto* mixer = std::get_if<arch::MixerSpec>(&config.model.spec);
        mixer != nullptr && mixer->tokens != given) {
        return bad_input("data.context",
                         fmt::format("must be the mixer's tokens {}, got {}", mixer->tokens, given));
    }
    const std::int64_t most = longest_context(config.model.spec);
    if (most == 0 || given <= most) return {};
    return bad_input("data.context",
                     fmt::format("must be at most the spec's context {}, got {}", most, given));
}

// Tokens in the table of the spec; 0 when it has none.
std::int64_t vocabulary(const arch::ArchSpec& spec) {
    if (const auto* net = std::get_if<arch::TransformerSpec>(&spec)) return net->vocab;
    if (const auto* net = std::get_if<arch::MixerSpec>(&spec)) return net->vocab;
    if (const auto* net = std::get_if<arch::AttentionSpec>(&spec)) return net->vocab;
    return 0;
}

Status check_data(const RunConfig& config) {
    const auto& data = config.data;
    const bool tokens = input_kind(config.model.spec) == InputKind::tokens;
    if (tokens && data.crop > 0) return bad_input("data.crop", "is for images; this spec reads tokens");
    if (tokens && data.flip) return bad_input("data.flip", "is for images; this spec reads tokens");
    const auto examples = known_examples(data);
    if (!examples) return {};
    PLIMSOLL_RETURN_IF_ERROR(check_fits(config.model.spec, *examples));
    const bool bytes = *examples == ExampleKind::text && data.tokenizer == "bytes";
    if (const auto vocab = vocabulary(config.model.spec); bytes && vocab < 256) {
        return bad_input("model.spec",
                         fmt::format("vocab must be at least 256 for the tokenizer bytes, got {}", vocab));
    }
    return {};
}

}  // namespace

Status validate(const RunConfig& config) {
    for (const auto check : {check_values, check_given, check_schedule, check_length, check_optimizer,
                             check_parameterization, check_context, check_data})
        PLIMSOLL_RETURN_IF_ERROR(check(config));
    return {};
}

Result<std::int64_t> total_steps(const RunConfig& config, std::int64_t steps_per_epoch) {
    PLIMSOLL_CHECK(steps_per_epoch >= 1, "an epoch without a step");
    std::int64_t total = config.train.steps;
    if (total == 0 && __builtin_mul_overflow(config.train.epochs, steps_per_epoch, &total))
        return bad_input("train.epochs", "are more steps than can be counted");
    const auto& schedule = config.schedule;
    if (schedule.warmup > total)
        return bad_input("schedule.warmup", fmt::format("must be at most the {} steps of the run, got {}",
                                                        total, schedule.warmup));
    if (schedule.decay > total - schedule.warmup)
        return bad_input("schedule.decay",
                         fmt::format("must be at most the {} steps after the warm-up, got {}",
                                     total - schedule.warmup, schedule.decay));
    return total;
}

std::int64_t context_length(const RunConfig& config) {
    if (config.data.context > 0) return config.data.context;
    if (const auto* net = std::get_if<arch::TransformerSpec>(&config.model.spec)) return net->context;
    if (const auto* net = std::get_if<arch::AttentionSpec>(&config.model.spec)) return net->context;
    if (const auto* net = std::get_if<arch::MixerSpec>(&config.model.spec)) return net->tokens;
    return 0;
}

}  // namespace plimsoll::run
