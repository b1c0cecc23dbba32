#include "plimsoll/probe/torch/subject.h"

#include "plimsoll/base/format.h"
#include "plimsoll/model/init.h"
#include "plimsoll/train/run_setup.h"
#include "plimsoll/train/trained_run.h"

namespace plimsoll::probe {
namespace {

using Built = Result<std::unique_ptr<model::Network>>;

// The same network with the same numbers in double precision.
Built in_double(const model::Network& network, const run::RunConfig& config, torch::Device device) {
    model::BuildOptions options = train::build_options(config, device);
    options.dropout = 0;
    options.dtype = torch::kDouble;
    auto result = model::build(network.spec(), options);
    if (!result.ok()) return result;
    const at::NoGradGuard no_grad;
    for (std::size_t k = 0; k < network.parameters().size(); ++k) {
        (*result)->parameters()[k].tensor.copy_(network.parameters()[k].tensor);
    }
    return result;
}

Result<OpenSubject> open_run(run::RunConfig config, const model::Network& network, std::string weights,
                             torch::Device device) {
    PLIMSOLL_ASSIGN(doubled, in_double(network, config, device));
    return OpenSubject{
        {arch::to_text(config.model.spec), std::move(weights)}, std::move(doubled), std::move(config), true};
}

Result<OpenSubject> open_spec(const Subject& subject, const arch::ArchSpec& spec, torch::Device device) {
    PLIMSOLL_ASSIGN(init, model::resolve_initialisation(subject.init, spec));
    model::BuildOptions options;
    options.init_seeds = {subject.seed};
    options.init = init;
    options.dtype = torch::kDouble;
    options.device = device;
    PLIMSOLL_ASSIGN(network, model::build(spec, options));
    run::RunConfig config;
    config.model.spec = spec;
    config.model.init = init;
    return OpenSubject{{arch::to_text(spec), fmt::format("fresh, init {}, seed {}", init, subject.seed)},
                       std::move(network),
                       std::move(config),
                       false};
}

}  // namespace

Result<OpenSubject> open_subject(const Subject& subject, torch::Device device) {
    if (const auto* spec = std::get_if<arch::ArchSpec>(&subject.source))
        return open_spec(subject, *spec, device);
    PLIMSOLL_ASSIGN(run, train::open_trained(std::get<std::filesystem::path>(subject.source), device));
    return open_run(run.config, *run.network, fmt::format("trained, step {}", run.step), device);
}

Result<OpenSubject> open_at_start(const std::filesystem::path& run_folder, torch::Device device) {
    PLIMSOLL_ASSIGN(config, run::read_run_config(run_folder / "config.toml"));
    PLIMSOLL_ASSIGN(network, train::build_network(config, device));
    return open_run(config, *network, "fresh, as the run started", device);
}

}  // namespace plimsoll::probe
