#include "plimsoll/train/train.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include <c10/core/DeviceGuard.h>

#include "plimsoll/base/device.h"
#include "plimsoll/base/format.h"
#include "plimsoll/run/stack_rules.h"
#include "plimsoll/train/feeds/data_cache.h"
#include "plimsoll/train/out_of_memory.h"
#include "plimsoll/train/page_keeper.h"
#include "plimsoll/train/processes/processes.h"
#include "plimsoll/train/run_setup.h"
#include "plimsoll/train/stack_session.h"

namespace plimsoll::train {
namespace {

std::int64_t steps_per_epoch(const Feed& feed, std::int64_t batch) {
    return std::max<std::int64_t>(1, feed.epoch_examples() / batch);
}

// The parts into which a step's batch is cut: as many as optimizer.accumulate says, or the next number that
// all processes can share.
Result<std::int64_t> parts_of(const run::RunConfig& config, int processes) {
    const std::int64_t parts = std::lcm(config.optimizer.accumulate, std::int64_t{processes});
    if (config.train.batch % parts == 0) return parts;
    return bad_input(
        "train.batch",
        fmt::format("must be a multiple of {} for {} processes and optimizer.accumulate {}, got {}", parts,
                    processes, config.optimizer.accumulate, config.train.batch));
}

// "cuda" is a GPU of its own for each process on a host, as far as there are enough.
Result<torch::Device> device_of(const std::string& name, const ProcessRank& place) {
    const std::size_t gpus = name == "cuda" && place.count > 1 ? cuda_facts().gpus.size() : 0;
    if (gpus == 0) return device_named(name);
    return device_named(fmt::format("cuda:{}", static_cast<std::size_t>(place.local_rank) % gpus));
}

Result<SessionParts> session_parts(const std::vector<run::RunConfig>& stack, torch::Device device,
                                   std::int64_t parts, DataCache* cache) {
    PLIMSOLL_ASSIGN(network, build_network(stack, device));
    FeedPlan plan = feed_plan(stack, device, most_steps_at_a_time);
    plan.parts = parts;
    PLIMSOLL_ASSIGN(feed, make_feed(stack.front(), {.plan = plan, .cache = cache}));
    SessionParts session{device, std::move(network), std::move(feed), {}};
    for (const auto& config : stack) {
        PLIMSOLL_ASSIGN(steps, run::total_steps(config, steps_per_epoch(*session.feed, config.train.batch)));
        session.steps.push_back(steps);
    }
    return session;
}

// Opens the folder of a member; what cannot be trained, or need not be, has its result then.
void open_record(Member& member, const TrainOptions& options, RunRecord::Seat seat) {
    auto opened = RunRecord::open(member.config, options, seat);
    if (!opened.ok()) {
        member.result = opened.error();
        return;
    }
    const store::RunState& state = opened->state();
    if (state.phase == store::Phase::done) {
        member.result = opened->earlier_summary();
    } else if (state.phase == store::Phase::failed && !options.retry_failed) {
        member.result = bad_input("train", fmt::format("failed before: {}", state.reason));
    } else {
        member.record = std::move(opened).value();
    }
}

// Only the first process opens the folders.
void open_records(Members& members, const TrainOptions& options, const Processes& processes) {
    if (!processes.first()) return;
    const std::int64_t runs = std::ssize(members);
    for (std::int64_t slot = 0; slot < runs; ++slot)
        open_record(members[static_cast<std::size_t>(slot)], options, {processes.count(), runs, slot});
}

// Whether the first process found that nothing is to do: the others hear it, and why when it is an error.
Result<bool> nothing_to_do(const Members& members, Processes& processes) {
    const Member& first = members.front();
    const bool lost = members.size() == 1 && first.result && !first.result->ok();
    PLIMSOLL_RETURN_IF_ERROR(processes.agree(lost ? Status(first.result->error()) : Status()));
    const bool none = processes.first() && std::ranges::none_of(members, &Member::live);
    const torch::Tensor done = torch::full({1}, none ? 1 : 0, torch::kLong);
    processes.copy_from_first(done);
    return done.item<std::int64_t>() == 1;
}

Status check_same_config(const run::RunConfig& config, Processes& processes) {
    if (processes.same(store::run_id(run::to_toml(config)))) return {};
    return bad_input("run.toml", "this process was given another config than process 0");
}

// Runs `work`; what it throws for want of memory, or of another process, becomes an error.
template <class Work>
Status caught(const TrainOptions& options, const Work& work) {
    constexpr const char* advice =
        "a smaller train.batch or a larger optimizer.accumulate needs less; the run resumes from its last "
        "checkpoint";
    try {
        return within_memory(options.device, advice, work);
    } catch (const LostProcess& error) {
        return io_error("processes",
                        fmt::format("another process of this run is gone: {}. The last checkpoint is kept, "
                                    "and the same command resumes from there",
                                    error.what()));
    }
}

// The error, if there is one, is that of every member without a result.
Status train_together(Members& members, const TrainOptions& options, const ProcessRank& place,
                      Processes& processes) {
    PLIMSOLL_ASSIGN(cut, parts_of(members.front().config, processes.count()));
    PLIMSOLL_RETURN_IF_ERROR(processes.agree(check_same_config(members.front().config, processes)));
    PLIMSOLL_ASSIGN(device, processes.agree(device_of(options.device, place)));
    const c10::DeviceGuard on_device(device);
    processes.use(device);
    open_records(members, options, processes);
    PLIMSOLL_ASSIGN(none, nothing_to_do(members, processes));
    if (none) {
        if (!processes.first())
            members.front().result = RunSummary{.rank = processes.rank(), .was_done = true};
        return {};
    }
    return caught(options, [&]() -> Status {
        PLIMSOLL_ASSIGN(parts, processes.agree(session_parts(configs_of(members), device, cut,
                                                             options.data_cache.get())));
        return train_session(members, options, processes, std::move(parts));
    });
}

Result<ProcessRank> place_of(std::size_t runs, const TrainOptions& options) {
    if (options.alone) return ProcessRank{};
    PLIMSOLL_ASSIGN(place, place_from(environment_variables()));
    if (place.count > 1 && runs > 1)
        return unsupported("processes", fmt::format("a stack of {} runs is trained by one process, and there "
                                                    "are {}; train the runs one by one, or with --alone",
                                                    runs, place.count));
    return place;
}

Status check_stack(const Members& members) {
    for (const Member& member : members) {
        if (const auto why = run::why_not_stacked(members.front().config, member.config))
            return bad_input("stack", *why);
    }
    return {};
}

Status train_members(Members& members, const TrainOptions& options) {
    PLIMSOLL_RETURN_IF_ERROR(check_stack(members));
    PLIMSOLL_ASSIGN(place, place_of(members.size(), options));
    // Before anybody waits for anybody.
    PLIMSOLL_RETURN_IF_ERROR(parts_of(members.front().config, place.count));
    if (options.device == "cpu") keep_pages();
    PLIMSOLL_ASSIGN(processes, Processes::join(place));
    return caught(options, [&] { return train_together(members, options, place, processes); });
}

}  // namespace

std::shared_ptr<DataCache> make_data_cache(std::uint64_t most_bytes) {
    return std::make_shared<DataCache>(most_bytes);
}

Result<RunSummary> train(const run::RunConfig& config, const TrainOptions& options) {
    return std::move(train_stack({config}, options).front());
}

std::vector<Result<RunSummary>> train_stack(const std::vector<run::RunConfig>& configs,
                                            const TrainOptions& options) {
    PLIMSOLL_CHECK(options.keep.empty() || options.keep.size() == configs.size(),
                   "a list to keep for each run");
    Members members;
    for (const auto& config : configs) members.push_back({.config = config});
    for (std::size_t k = 0; k < options.keep.size(); ++k) members[k].keep = options.keep[k];
    const Status status = members.empty() ? Status() : train_members(members, options);
    std::vector<Result<RunSummary>> results;
    for (Member& member : members) {
        PLIMSOLL_CHECK(!member.live() || !status.ok(), "a run of a stack without a result");
        if (member.live()) member.end(status.error());
        results.push_back(std::move(*member.result));
    }
    return results;
}

}  // namespace plimsoll::train
