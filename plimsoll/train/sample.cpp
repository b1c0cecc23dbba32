#include <algorithm>
#include <cmath>

#include <ATen/ATen.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"
#include "plimsoll/run/config_fit.h"
#include "plimsoll/train/feeds/tokenizer.h"
#include "plimsoll/train/out_of_memory.h"
#include "plimsoll/train/run_setup.h"
#include "plimsoll/train/train.h"
#include "plimsoll/train/trained_run.h"

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
    if (options.prompt.empty())
        return bad_input("prompt", "is empty; the network needs some text to continue");
    if (options.tokens < 0)
        return bad_input("tokens", fmt::format("must be at least 0, got {}", options.tokens));
    if (!(options.temperature >= 0) || !std::isfinite(options.temperature))
        return bad_input("temperature", fmt::format("must be at least 0, got {}", options.temperature));
    if (options.top_k < 0)
        return bad_input("top-k", fmt::format("must be at least 0, got {}", options.top_k));
    return {};
}

bool predicts_text(const arch::ArchSpec& spec) {
    if (const auto* s = std::get_if<arch::TransformerSpec>(&spec))
        return s->stack == arch::Stack::decoder && s->vocab > 0 && s->head == arch::HeadKind::vocab;
    if (const auto* s = std::get_if<arch::MixerSpec>(&spec)) return s->vocab_head && s->causal;
    return false;
}

Status check_run(const run::RunConfig& config, const std::filesystem::path& folder) {
    if (!predicts_text(config.model.spec))
        return unsupported(folder.string(),
                           fmt::format("does not predict text: {}", arch::to_text(config.model.spec)));
    if (config.data.tokenizer == "bytes" && run::known_examples(config.data) == run::ExampleKind::tokens)
        return unsupported(folder.string(), "was trained on token ids whose tokenizer is not known");
    return {};
}

// The scores of the token after the last of `ids`, (V).
torch::Tensor next_scores(const TrainedRun& run, const std::vector<std::uint32_t>& ids,
                          torch::Device device) {
    const auto context = static_cast<std::size_t>(run::context_length(run.config));
    const std::size_t from = ids.size() > context ? ids.size() - context : 0;
    std::vector<std::int64_t> last(ids.begin() + static_cast<std::ptrdiff_t>(from), ids.end());
    const auto end = static_cast<std::int64_t>(last.size()) - 1;
    const bool fixed_length = std::holds_alternative<arch::MixerSpec>(run.config.model.spec);
    if (fixed_length) last.resize(context);  // causal: what follows is not read
    model::Input input;
    input.tokens = at::tensor(last, at::kLong).unsqueeze(0).to(device);
    return run.network->forward(input, 0)[0][end];
}

Result<std::string> sample_checked(const std::filesystem::path& run_folder, const SampleOptions& options) {
    PLIMSOLL_RETURN_IF_ERROR(check(options));
    PLIMSOLL_ASSIGN(device, device_named(options.device));
    PLIMSOLL_ASSIGN(run, open_trained(run_folder, device));
    PLIMSOLL_RETURN_IF_ERROR(check_run(run.config, run_folder));
    PLIMSOLL_ASSIGN(tokenizer, Tokenizer::open(run.config.data.tokenizer));
    const auto known = static_cast<std::int64_t>(tokenizer.size());  // the rest pads the vocabulary
    if (options.top_k > known)
        return bad_input("top-k", fmt::format("must be at most the {} tokens, got {}", known, options.top_k));
    std::vector<std::uint32_t> ids = tokenizer.encode(options.prompt);
    const at::NoGradGuard no_grad;
    RandomStream stream(options.seed, "sample");
    for (std::int64_t i = 0; i < options.tokens; ++i)
        ids.push_back(draw(next_scores(run, ids, device).narrow(0, 0, known), options, stream));
    return tokenizer.decode(ids);
}

}  // namespace

Result<std::string> sample(const std::filesystem::path& run_folder, const SampleOptions& options) {
    return within_memory(options.device, "a shorter context needs less",
                         [&] { return sample_checked(run_folder, options); });
}

}  // namespace plimsoll::train
