#include <algorithm>
#include <cmath>

#include <ATen/ATen.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"
#include "plimsoll/train/torch/run_parts.h"
#include "plimsoll/train/torch/tokenizer.h"
#include "plimsoll/train/torch/trained_run.h"
#include "plimsoll/train/train.h"

namespace plimsoll::train {
namespace {

// Draws from the softmax of `logits` (V) on the host, so that a seed means the same on every device.
std::uint32_t draw(const torch::Tensor& logits, const SampleOptions& options, RandomStream& stream) {
    const torch::Tensor host = logits.to(at::kDouble).cpu();
    if (options.temperature == 0) return static_cast<std::uint32_t>(host.argmax().item<std::int64_t>());
    const auto [values, ids] = host.sort(0, true);
    const std::int64_t kept = options.top_k > 0 ? std::min(options.top_k, values.numel()) : values.numel();
    const torch::Tensor up_to = at::softmax(values.narrow(0, 0, kept) / options.temperature, 0).cumsum(0);
    const double* probability = up_to.data_ptr<double>();
    const auto found = std::upper_bound(probability, probability + kept, stream.uniform()) - probability;
    return static_cast<std::uint32_t>(ids.data_ptr<std::int64_t>()[std::min<std::int64_t>(found, kept - 1)]);
}

Status check(const SampleOptions& options) {
    if (options.tokens < 0) return bad_input("tokens", "must be at least 0");
    if (!(options.temperature >= 0)) return bad_input("temperature", "must be at least 0");
    if (options.top_k < 0) return bad_input("top-k", "must be at least 0");
    return {};
}

}  // namespace

Result<std::string> sample(const std::filesystem::path& run_folder, const SampleOptions& options) {
    PLIMSOLL_RETURN_IF_ERROR(check(options));
    PLIMSOLL_ASSIGN(device, device_named(options.device));
    PLIMSOLL_ASSIGN(run, open_trained(run_folder, device));
    if (input_kind(run.config.model.spec) != InputKind::tokens) {
        return unsupported(run_folder.string(), "is not a run on text");
    }
    PLIMSOLL_ASSIGN(tokenizer, Tokenizer::open(run.config.data.tokenizer));
    std::vector<std::uint32_t> ids = tokenizer.encode(options.prompt.empty() ? "\n" : options.prompt);
    const auto context = static_cast<std::size_t>(context_length(run.config));
    const bool fixed_length = std::holds_alternative<arch::MixerSpec>(run.config.model.spec);
    const at::NoGradGuard no_grad;
    RandomStream stream(options.seed, "sample");
    for (std::int64_t i = 0; i < options.tokens; ++i) {
        const std::size_t from = ids.size() > context ? ids.size() - context : 0;
        std::vector<std::int64_t> last(ids.begin() + static_cast<std::ptrdiff_t>(from), ids.end());
        const auto end = static_cast<std::int64_t>(last.size()) - 1;
        if (fixed_length) last.resize(context);  // causal: what follows is not read
        model::Input input;
        input.tokens = at::tensor(last, at::kLong).unsqueeze(0).to(device);
        const torch::Tensor logits = run.network->forward(input, 0);
        if (logits.dim() != 3)
            return unsupported(run_folder.string(), "has no vocabulary head to sample from");
        ids.push_back(draw(logits[0][end], options, stream));
    }
    return tokenizer.decode(ids);
}

}  // namespace plimsoll::train
