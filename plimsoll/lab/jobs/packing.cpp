#include "plimsoll/lab/jobs/packing.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include "plimsoll/arch/count.h"
#include "plimsoll/base/format.h"
#include "plimsoll/run/stack_rules.h"

namespace plimsoll::lab {
namespace {

constexpr std::size_t most_runs_on_gpu = 32, most_runs_on_cpu = 4;
constexpr double most_bytes = 48.0 * 1024 * 1024 * 1024;
constexpr double small_step = 1.5e8;  // FLOPs; larger ones fill a core, and more of them leave its cache
constexpr double bytes_per_parameter = 20, bytes_per_logit = 12;

using Group = std::vector<std::size_t>;  // jobs that may share a stack

struct SharedGroup {
    std::string key;
    Group jobs;
    std::size_t stacks = 1;

    [[nodiscard]] std::size_t largest() const { return (jobs.size() + stacks - 1) / stacks; }
};

// By the size of the largest stack, then by what does not depend on the order of the plan.
bool is_smaller(const SharedGroup& one, const SharedGroup& other) {
    return std::pair(one.largest(), std::string_view(one.key)) <
           std::pair(other.largest(), std::string_view(other.key));
}

double vocabulary(const arch::ArchSpec& spec) {
    return std::visit(
        [](const auto& one) -> double {
            if constexpr (requires { one.vocab; }) return static_cast<double>(one.vocab);
            return 0;
        },
        spec);
}

std::int64_t value_bytes(run::Precision precision) {
    constexpr std::int64_t half = 2, single = 4, twice = 8;
    if (precision == run::Precision::bf16) return half;
    return precision == run::Precision::fp64 ? twice : single;
}

bool reads_tokens(const run::RunConfig& config) {
    return run::input_kind(config.model.spec) == run::InputKind::tokens;
}

// Examples that are computed at once.
std::int64_t part_of_batch(const run::RunConfig& config) {
    return config.train.batch / std::max<std::int64_t>(1, config.optimizer.accumulate);
}

Result<arch::CountReport> cost_of(const run::RunConfig& config) {
    return arch::count(config.model.spec,
                       {.context = reads_tokens(config) ? run::context_length(config) : 0,
                        .batch = std::clamp<std::int64_t>(part_of_batch(config), 1, arch::max_batch),
                        .bytes_per_value = value_bytes(config.train.precision)});
}

bool is_cpu(const std::string& device) { return device == "cpu"; }

// Trunks have no length of their own: they end with the last checkpoint that is kept.
std::string group_key(const Job& job) {
    const auto& train = job.config.train;
    const std::string key = fmt::format("{}{} {}", run::stack_key(job.config), train.steps, train.epochs);
    return job.keep.empty() ? key : fmt::format("{} {}", key, job.keep.back());
}

// Stacks that keep all lanes busy are a multiple of them, so that the lanes end together.
std::size_t balanced(std::size_t stacks, std::size_t lanes) {
    return stacks < lanes ? stacks : (stacks + lanes - 1) / lanes * lanes;
}

// In the order of their first jobs.
std::vector<SharedGroup> groups_of(const Plan& plan, const Group& indices, const PackingOptions& options) {
    std::vector<SharedGroup> groups;
    std::map<std::string, std::size_t> places;
    for (const std::size_t index : indices) {
        const auto [place, fresh] = places.try_emplace(group_key(plan.jobs[index]), groups.size());
        if (fresh) groups.push_back({place->first, {}});
        groups[place->second].jobs.push_back(index);
    }
    for (SharedGroup& group : groups) {
        const std::size_t most = most_in_stack(options.devices, plan.jobs[group.jobs.front()].config);
        const std::size_t least = (group.jobs.size() + most - 1) / most;
        group.stacks = std::min(group.jobs.size(), balanced(least, lanes(options)));
    }
    return groups;
}

// More stacks out of the largest ones, until there is one for each lane or none can be cut.
void fill_lanes(std::vector<SharedGroup>& groups, std::size_t wanted) {
    auto stacks = std::accumulate(groups.begin(), groups.end(), std::size_t{0},
                                  [](std::size_t sum, const auto& group) { return sum + group.stacks; });
    for (; stacks < wanted; ++stacks) {
        const auto largest = std::ranges::max_element(groups, is_smaller);
        if (largest == groups.end() || largest->largest() < 2) return;
        ++largest->stacks;
    }
}

// Parts of a group in its order whose sizes differ by one at most.
void cut(const SharedGroup& group, std::vector<Group>& stacks) {
    const std::size_t jobs = group.jobs.size();
    for (std::size_t i = 0; i < group.stacks; ++i) {
        const auto first = static_cast<std::ptrdiff_t>(i * jobs / group.stacks);
        const auto last = static_cast<std::ptrdiff_t>((i + 1) * jobs / group.stacks);
        stacks.emplace_back(group.jobs.begin() + first, group.jobs.begin() + last);
    }
}

}  // namespace

double stack_bytes(const run::RunConfig& config) {
    const arch::ArchSpec& spec = config.model.spec;
    const std::int64_t batch = part_of_batch(config);
    const auto cost = cost_of(config);
    double bytes = bytes_per_parameter * arch::parameter_count(spec).real();
    if (!cost.ok()) return bytes;
    bytes += cost->activation_bytes.real() - cost->score_bytes.real();
    const auto positions = static_cast<double>(batch * cost->tokens);
    return bytes + (reads_tokens(config) ? bytes_per_logit * positions * vocabulary(spec) : 0);
}

std::size_t most_on_gpu(const run::RunConfig& config) {
    const double fit = std::floor(most_bytes / std::max(1.0, stack_bytes(config)));
    return static_cast<std::size_t>(std::clamp(fit, 1.0, static_cast<double>(most_runs_on_gpu)));
}

std::size_t most_on_cpu(const run::RunConfig& config) {
    const auto cost = cost_of(config);
    if (!cost.ok()) return 1;
    const std::int64_t tokens = cost->unit == "token" ? cost->tokens : 1;
    const double flops = cost->training_flops.real() * static_cast<double>(config.train.batch * tokens);
    return flops < small_step ? most_runs_on_cpu : 1;
}

std::size_t most_in_stack(const std::vector<std::string>& devices, const run::RunConfig& config) {
    std::size_t most = most_runs_on_gpu;
    for (const auto& device : devices)
        most = std::min(most, is_cpu(device) ? most_on_cpu(config) : most_on_gpu(config));
    return most;
}

std::size_t lanes(const PackingOptions& options) {
    const auto workers = static_cast<std::size_t>(std::max(1, options.workers));
    if (std::ranges::any_of(options.devices, is_cpu)) return workers;
    return std::min(workers, std::set(options.devices.begin(), options.devices.end()).size());
}

std::vector<std::vector<std::size_t>> pack(const Plan& plan, const std::vector<std::size_t>& indices,
                                           const PackingOptions& options) {
    std::vector<Group> stacks;
    if (!options.stack) {
        for (const std::size_t index : indices) stacks.push_back({index});
        return stacks;
    }
    auto groups = groups_of(plan, indices, options);
    fill_lanes(groups, lanes(options));
    for (const SharedGroup& group : groups) cut(group, stacks);
    std::ranges::sort(stacks, {}, [](const Group& stack) { return stack.front(); });
    return stacks;
}

}  // namespace plimsoll::lab
