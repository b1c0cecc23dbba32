// Only on the branch fithand: what the race's branch brings. To be deleted when they meet.
#include "plimsoll/fit/fit.h"
#include "plimsoll/fit/run_settings.h"

namespace plimsoll::fit {

Json to_json(const FitRequest& request) { return {{"data", request.data}, {"out", request.out.string()}}; }

Result<train::RunConfig> run_config(const FitRequest&, const DataLook& look, const Candidate& candidate,
                                    const RunLength& length) {
    train::RunConfig config;
    config.model.spec = candidate.spec;
    config.data.name = look.data;
    config.data.context = candidate.input.tokens;
    config.optimizer.lr = length.rate;
    config.train.steps = static_cast<std::int64_t>(length.flops / (64 * candidate.flops_per_unit)) + 1;
    return config;
}

}  // namespace plimsoll::fit
