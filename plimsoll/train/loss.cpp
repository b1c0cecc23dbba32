#include "plimsoll/train/loss.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <ATen/ATen.h>

#include "plimsoll/base/format.h"

namespace plimsoll::train {
namespace {

// (targets, classes), in float at least.
torch::Tensor flat_logits(const torch::Tensor& output) {
    const torch::Tensor flat = output.flatten(0, -2);
    return flat.scalar_type() == at::kDouble ? flat : flat.to(at::kFloat);
}

// What one batch adds, still on the device.
struct BatchScore {
    torch::Tensor loss, right, targets, bytes;  // scalars double
};

BatchScore score(const torch::Tensor& output, const torch::Tensor& targets,
                 const torch::Tensor& token_bytes) {
    const torch::Tensor logits = flat_logits(output), wanted = targets.flatten();
    const torch::Tensor counted = wanted.ne(no_target);
    const torch::Tensor losses = at::cross_entropy_loss(logits, wanted, {}, at::Reduction::None, no_target);
    BatchScore result{losses.to(at::kDouble).sum(),
                      logits.argmax(1).eq(wanted).logical_and(counted).sum().to(at::kDouble),
                      counted.sum().to(at::kDouble), at::zeros({}, losses.options().dtype(at::kDouble))};
    if (token_bytes.defined() && token_bytes.numel() > 0) {
        result.bytes = token_bytes.index_select(0, wanted.masked_select(counted)).sum();
    }
    return result;
}

// Half the 95 % interval of a mean of batch means, by the normal law.
double half_width(const std::vector<double>& means) {
    constexpr double deviations = 1.96;
    if (means.size() < 2) return 0;
    double mean = 0, squares = 0;
    for (const double value : means) mean += value / static_cast<double>(means.size());
    for (const double value : means) squares += (value - mean) * (value - mean);
    const auto count = static_cast<double>(means.size());
    return deviations * std::sqrt(squares / (count - 1) / count);
}

}  // namespace

torch::Tensor loss_of(const torch::Tensor& output, const torch::Tensor& targets) {
    return at::cross_entropy_loss(flat_logits(output), targets.flatten(), {}, at::Reduction::Mean, no_target);
}

Evaluation evaluate_on(const model::Network& network, const Feed& feed, std::int64_t batches) {
    const at::NoGradGuard no_grad;
    const std::int64_t all = feed.evaluation_batches(), count = batches > 0 ? std::min(batches, all) : all;
    double loss = 0, right = 0, targets = 0, bytes = 0;
    std::vector<double> means;
    for (std::int64_t i = 0; i < count; ++i) {
        const Batch batch = feed.evaluation_batch(i * all / count);
        const BatchScore one = score(network.forward(batch.input, 0), batch.targets, feed.token_bytes());
        const double batch_loss = one.loss.item<double>(), batch_targets = one.targets.item<double>();
        loss += batch_loss;
        right += one.right.item<double>();
        targets += batch_targets;
        bytes += one.bytes.item<double>();
        if (batch_targets > 0) means.push_back(batch_loss / batch_targets);
    }
    Evaluation result{.loss = loss / targets, .half_width = half_width(means), .accuracy = right / targets};
    result.targets = static_cast<std::int64_t>(targets);
    const bool text = feed.token_bytes().defined();
    if (text) result.perplexity = std::exp(result.loss);
    if (text && bytes > 0) result.bits_per_byte = loss / std::numbers::ln2 / bytes;
    return result;
}

Status check_output(const torch::Tensor& output, const torch::Tensor& targets, std::int64_t limit) {
    if (output.dim() != targets.dim() + 1) {
        return bad_input("model.spec", targets.dim() == 1
                                           ? "must have a classifier (classes=...) for labelled data"
                                           : "must have a vocabulary head (head=vocab) for text");
    }
    if (output.size(-1) < limit) {
        return bad_input("model.spec",
                         fmt::format("must have an output for each of the {} {} of the data, has {}", limit,
                                     targets.dim() == 1 ? "labels" : "ids", output.size(-1)));
    }
    return {};
}

}  // namespace plimsoll::train
