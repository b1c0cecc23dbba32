#include "plimsoll/run/stack_rules.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/run/config_keys.h"

namespace plimsoll::run {
namespace {

bool is_shared(const ConfigKey& key) {
    return std::ranges::find(keys_free_in_a_stack(), key.full_name()) == keys_free_in_a_stack().end();
}

}  // namespace

const std::vector<std::string>& keys_free_in_a_stack() {
    static const std::vector<std::string> keys{"name",
                                               "recipe",
                                               "optimizer.lr",
                                               "optimizer.beta1",
                                               "optimizer.beta2",
                                               "optimizer.eps",
                                               "optimizer.momentum",
                                               "optimizer.nesterov",
                                               "optimizer.weight_decay",
                                               "optimizer.clip",
                                               "schedule.kind",
                                               "schedule.warmup",
                                               "schedule.min_lr_ratio",
                                               "schedule.decay",
                                               "schedule.share_trunk",
                                               "train.steps",
                                               "train.epochs",
                                               "train.eval_every",
                                               "train.checkpoint_every",
                                               "train.log_every",
                                               "train.noise_every",
                                               "seeds.init",
                                               "seeds.data",
                                               "seeds.dropout"};
    return keys;
}

std::string stack_key(const RunConfig& config) {
    std::string text;
    for (const ConfigKey& key : config_key_table()) {
        if (is_shared(key)) text += fmt::format("{} = {}\n", key.full_name(), key.write(config));
    }
    return text;
}

std::optional<std::string> why_not_stacked(const RunConfig& one, const RunConfig& other) {
    for (const ConfigKey& key : config_key_table()) {
        if (!is_shared(key) || key.write(one) == key.write(other)) continue;
        return fmt::format("{} must be the same for all runs of a stack, got {} and {}", key.full_name(),
                           key.write(one), key.write(other));
    }
    return std::nullopt;
}

}  // namespace plimsoll::run
