#include "plimsoll/train/torch/trained_run.h"

#include "plimsoll/store/run_folder.h"
#include "plimsoll/train/torch/checkpoint.h"
#include "plimsoll/train/torch/loss.h"
#include "plimsoll/train/torch/run_parts.h"

namespace plimsoll::train {

Result<TrainedRun> open_trained(const std::filesystem::path& run_folder, torch::Device device) {
    PLIMSOLL_ASSIGN(config, read_run_config(run_folder / "config.toml"));
    PLIMSOLL_ASSIGN(checkpoint, store::latest_checkpoint(run_folder));
    if (!checkpoint) return not_found(run_folder.string(), "has no checkpoint yet");
    TrainedRun run{std::move(config), nullptr, checkpoint->step};
    PLIMSOLL_ASSIGN(network, build_network(run.config, device));
    run.network = std::move(network);
    PLIMSOLL_RETURN_IF_ERROR(restore(checkpoint->folder / "weights.safetensors", run.network->parameters()));
    return run;
}

Result<Evaluation> evaluate(const std::filesystem::path& run_folder, const EvaluateOptions& options) {
    PLIMSOLL_ASSIGN(device, device_named(options.device));
    PLIMSOLL_ASSIGN(run, open_trained(run_folder, device));
    if (!options.data.empty()) run.config.data.name = options.data;
    if (options.batch > 0) run.config.train.batch = options.batch;
    if (!options.split.empty()) run.config.data.validation = options.split;
    if (options.stride < 0) return bad_input("stride", "must be at least 1");
    run.config.optimizer.accumulate = 1;
    FeedRequest request{.plan = feed_plan(run.config, device, 1), .stride = options.stride};
    request.plan.dtype = parameter_dtype(run.config);
    PLIMSOLL_ASSIGN(feed, make_feed(run.config, request));
    const at::NoGradGuard no_grad;
    const Batch first = feed->evaluation_batch(0);
    PLIMSOLL_RETURN_IF_ERROR(model::check_input(run.config.model.spec, first.input));
    PLIMSOLL_RETURN_IF_ERROR(
        check_output(run.network->forward(first.input, 0), first.targets, feed->target_limit()));
    return evaluate_on(*run.network, *feed, 0);
}

}  // namespace plimsoll::train
