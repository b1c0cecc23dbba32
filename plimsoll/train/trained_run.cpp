#include "plimsoll/train/trained_run.h"

#include "plimsoll/base/json.h"
#include "plimsoll/store/run_folder.h"
#include "plimsoll/train/checkpoint.h"
#include "plimsoll/train/loss.h"
#include "plimsoll/train/out_of_memory.h"
#include "plimsoll/train/run_setup.h"
#include "plimsoll/train/train.h"

namespace plimsoll::train {
namespace {

// Runs of 0.1 held out the end of a set without splits; what they were not trained on is still that.
Status restore_old_split(const std::filesystem::path& run_folder, run::RunConfig& config) {
    std::error_code problem;
    const auto file = run_folder / "environment.json";
    if (!std::filesystem::exists(file, problem)) return {};
    PLIMSOLL_ASSIGN(environment, read_json(file));
    const Json::json_pointer version("/sessions/0/version");
    if (!environment.contains(version) || !environment.at(version).is_string()) return {};
    if (environment.at(version).get<std::string>().starts_with("0.1.")) config.data.split_seed = 0;
    return {};
}

// How the run reads a table; null for other data, and for runs without the file.
Result<std::shared_ptr<const run::TableEncoding>> table_of(const std::filesystem::path& run_folder) {
    std::error_code problem;
    const auto file = run_folder / run::table_file;
    if (!std::filesystem::exists(file, problem)) return std::shared_ptr<const run::TableEncoding>();
    PLIMSOLL_ASSIGN(json, read_json(file));
    PLIMSOLL_ASSIGN(table, run::table_encoding_from_json(json, file.string()));
    return std::make_shared<const run::TableEncoding>(std::move(table));
}

// Another set, read as the run's own is, with the splits that it has itself.
run::DataSettings other_set(run::DataSettings settings, const std::string& name) {
    settings.name = name;
    settings.validation = "auto";
    settings.examples = 0;
    return settings;
}

}  // namespace

Result<TrainedRun> open_trained(const std::filesystem::path& run_folder, torch::Device device) {
    PLIMSOLL_ASSIGN(config, run::read_run_config(run_folder / "config.toml"));
    PLIMSOLL_ASSIGN(checkpoint, store::latest_checkpoint(run_folder));
    if (!checkpoint) return not_found(run_folder.string(), "has no checkpoint yet");
    PLIMSOLL_RETURN_IF_ERROR(restore_old_split(run_folder, config));
    TrainedRun run{std::move(config), nullptr, checkpoint->step};
    PLIMSOLL_ASSIGN(network, build_network(run.config, device));
    run.network = std::move(network);
    PLIMSOLL_RETURN_IF_ERROR(restore(checkpoint->folder / "weights.safetensors", run.network->parameters()));
    return run;
}

namespace {

Result<Evaluation> evaluate_checked(const std::filesystem::path& run_folder, const EvaluateOptions& options) {
    PLIMSOLL_ASSIGN(device, device_named(options.device));
    PLIMSOLL_ASSIGN(run, open_trained(run_folder, device));
    FeedRequest request{.stride = options.stride, .evaluation_only = true, .split = options.split};
    if (!options.data.empty() && options.data != run.config.data.name) {
        request.other_set = run.config.data;
        run.config.data = other_set(run.config.data, options.data);
        if (!options.kind.empty()) run.config.data.kind = options.kind;
    }
    PLIMSOLL_ASSIGN(table, table_of(run_folder));
    const bool guesses = run.config.data.label == run::DataSettings{}.label;
    if (table && request.other_set && guesses) run.config.data.label = table->label.name;
    request.table = std::move(table);
    if (options.batch > 0) run.config.train.batch = options.batch;
    run.config.optimizer.accumulate = 1;
    request.plan = feed_plan({run.config}, device, 1);
    request.plan.dtype = parameter_dtype(run.config);
    PLIMSOLL_ASSIGN(feed, make_feed(run.config, request));
    const at::NoGradGuard no_grad;
    const Batch first = feed->evaluation_batch(0);
    PLIMSOLL_RETURN_IF_ERROR(model::check_input(run.config.model.spec, first.input));
    PLIMSOLL_RETURN_IF_ERROR(
        check_output(run.network->forward(first.input, 0), first.targets, feed->target_limit()));
    Evaluation result = evaluate_on(*run.network, *feed, 0).front();
    result.split = feed->evaluated();
    return result;
}

}  // namespace

Result<Evaluation> evaluate(const std::filesystem::path& run_folder, const EvaluateOptions& options) {
    return within_memory(options.device, "a smaller --batch needs less",
                         [&] { return evaluate_checked(run_folder, options); });
}

}  // namespace plimsoll::train
