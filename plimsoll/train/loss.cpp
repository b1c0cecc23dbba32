#include "plimsoll/train/loss.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <ATen/ATen.h>

#include "plimsoll/base/format.h"
#include "plimsoll/model/fused.h"

namespace plimsoll::train {
namespace {

torch::Tensor in_float(const torch::Tensor& x) {
    return x.scalar_type() == at::kDouble ? x : x.to(at::kFloat);
}

// What one batch of the validation split adds.
struct BatchScore {
    std::vector<double> losses, right;  // of each run
    double targets = 0, bytes = 0;      // the same for all
    double numbers = 0, squares = 0;    // sums of targets that are numbers
};

bool are_numbers(const torch::Tensor& targets) { return at::isFloatingType(targets.scalar_type()); }

// Of outputs (K B, 1) and numbers (K B): (K B).
torch::Tensor squared_errors(const torch::Tensor& output, const torch::Tensor& numbers) {
    const torch::Tensor answers = in_float(output.flatten(0, -2)).squeeze(1);
    return (answers - numbers.to(answers.scalar_type())).square();
}

torch::Tensor repeated(const torch::Tensor& x, std::int64_t times) {
    if (!x.defined() || times == 1) return x;
    std::vector<std::int64_t> counts(static_cast<std::size_t>(x.dim()), 1);
    counts.front() = times;
    return x.repeat(counts);
}

// The same batch for each of K runs.
Batch for_all_runs(const Batch& batch, std::int64_t runs) {
    Batch all;
    all.input.tokens = repeated(batch.input.tokens, runs);
    all.input.segments = repeated(batch.input.segments, runs);
    all.input.padding = repeated(batch.input.padding, runs);
    all.input.values = repeated(batch.input.values, runs);
    all.targets = repeated(batch.targets, runs);
    return all;
}

// (K n) as K sums of n, on the host.
std::vector<double> sums_by_run(const torch::Tensor& x, std::int64_t runs) {
    const torch::Tensor sums = x.view({runs, -1}).sum(1).to(at::kDouble).cpu();
    return {sums.data_ptr<double>(), sums.data_ptr<double>() + runs};
}

BatchScore score_numbers(const model::Network& network, const Batch& one) {
    const Batch batch = for_all_runs(one, network.runs());
    const torch::Tensor errors = squared_errors(network.forward(batch.input, 0), batch.targets);
    const torch::Tensor numbers = one.targets.to(at::kDouble);
    BatchScore result{sums_by_run(errors.to(at::kDouble), network.runs())};
    result.right.resize(result.losses.size());
    result.targets = static_cast<double>(numbers.numel());
    result.numbers = numbers.sum().item<double>();
    result.squares = numbers.square().sum().item<double>();
    return result;
}

BatchScore score(const model::Network& network, const Batch& one, const torch::Tensor& token_bytes) {
    if (are_numbers(one.targets)) return score_numbers(network, one);
    const Batch batch = for_all_runs(one, network.runs());
    const torch::Tensor logits = network.forward(batch.input, 0).flatten(0, -2),
                        wanted = batch.targets.flatten();
    const torch::Tensor losses = model::cross_entropies(logits, wanted, no_target);
    const torch::Tensor right = logits.argmax(1).eq(wanted).logical_and(wanted.ne(no_target));
    BatchScore result{sums_by_run(losses.to(at::kDouble), network.runs()),
                      sums_by_run(right, network.runs())};
    const torch::Tensor targets = one.targets.flatten(), counted = targets.ne(no_target);
    result.targets = counted.sum().to(at::kDouble).item<double>();
    if (token_bytes.defined() && token_bytes.numel() > 0)
        result.bytes = token_bytes.index_select(0, targets.masked_select(counted)).sum().item<double>();
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

torch::Tensor losses_of(const torch::Tensor& output, const torch::Tensor& targets, std::int64_t runs) {
    if (are_numbers(targets)) return squared_errors(output, targets).view({runs, -1}).mean(1);
    const torch::Tensor logits = output.flatten(0, -2), wanted = targets.flatten();
    if (runs == 1 && !output.is_cuda())
        return at::cross_entropy_loss(in_float(logits), wanted, {}, at::Reduction::Mean, no_target).view({1});
    const torch::Tensor losses = model::cross_entropies(logits, wanted, no_target);
    return losses.view({runs, -1}).sum(1) / wanted.ne(no_target).view({runs, -1}).sum(1);
}

namespace {

// What a run's batches add up to; `label` is what numbers were standardised by, null for classes and tokens.
Evaluation evaluation_of(const std::vector<BatchScore>& scores, std::size_t run, bool text,
                         const run::LabelRule* label) {
    double loss = 0, right = 0, targets = 0, bytes = 0, numbers = 0, squares = 0;
    std::vector<double> means;
    for (const BatchScore& one : scores) {
        loss += one.losses[run];
        right += one.right[run];
        targets += one.targets;
        bytes += one.bytes;
        numbers += one.numbers;
        squares += one.squares;
        if (one.targets > 0) means.push_back(one.losses[run] / one.targets);
    }
    Evaluation result{.loss = loss / targets, .half_width = half_width(means), .accuracy = right / targets};
    result.targets = static_cast<std::int64_t>(targets);
    if (text) result.perplexity = std::exp(result.loss);
    if (text && bytes > 0) result.bits_per_byte = loss / std::numbers::ln2 / bytes;
    if (label != nullptr) {
        const double spread = squares - numbers * numbers / targets;
        result.accuracy = -1;
        result.explained = spread > 0 ? 1 - loss / spread : 0;
        result.error = std::sqrt(result.loss) * label->deviation;
    }
    return result;
}

}  // namespace

namespace {

const run::LabelRule* number_label(const Feed& feed) {
    const run::TableEncoding* table = feed.table().get();
    return table != nullptr && table->label.is_number() ? &table->label : nullptr;
}

}  // namespace

std::vector<Evaluation> evaluate_on(const model::Network& network, const Feed& feed, std::int64_t batches) {
    const at::NoGradGuard no_grad;
    const std::int64_t all = feed.evaluation_batches(), count = batches > 0 ? std::min(batches, all) : all;
    std::vector<BatchScore> scores;
    for (std::int64_t i = 0; i < count; ++i)
        scores.push_back(score(network, feed.evaluation_batch(i * all / count), feed.token_bytes()));
    std::vector<Evaluation> result;
    for (std::int64_t run = 0; run < network.runs(); ++run)
        result.push_back(evaluation_of(scores, static_cast<std::size_t>(run), feed.token_bytes().defined(),
                                       number_label(feed)));
    return result;
}

Status check_output(const torch::Tensor& output, const torch::Tensor& targets, std::int64_t limit) {
    if (output.dim() != targets.dim() + 1) {
        return bad_input("model.spec", targets.dim() == 1
                                           ? "must have a classifier (classes=...) for labelled data"
                                           : "must have a vocabulary head (head=vocab) for text");
    }
    if (are_numbers(targets) && output.size(-1) != 1)
        return bad_input("model.spec",
                         fmt::format("must have classes=1 to predict a number, has {}", output.size(-1)));
    if (output.size(-1) < limit) {
        return bad_input("model.spec",
                         fmt::format("must have an output for each of the {} {} of the data, has {}", limit,
                                     targets.dim() == 1 ? "labels" : "ids", output.size(-1)));
    }
    return {};
}

}  // namespace plimsoll::train
