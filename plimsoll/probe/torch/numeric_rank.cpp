#include <algorithm>
#include <chrono>
#include <limits>

#include <ATen/ATen.h>

#include "plimsoll/base/format.h"
#include "plimsoll/probe/torch/examples.h"
#include "plimsoll/probe/torch/guard.h"
#include "plimsoll/probe/torch/score_matrix.h"
#include "plimsoll/train/run_setup.h"

namespace plimsoll::probe {
namespace {

using rank::Partition;

// Everything that all partitions have in common.
struct Plan {
    const NumericQuestion& question;
    torch::Device device;
    std::vector<OpenSubject> subjects;  // the same network with different weights
    Examples examples;
    rank::NetworkFacts facts;
    rank::OutputIndex output;
    std::int64_t output_size = 1;  // numbers of one example's output

    [[nodiscard]] const arch::ArchSpec& spec() const { return subjects.front().config.model.spec; }
};

Status check_rank_question(const NumericQuestion& question) {
    constexpr std::int64_t largest = 20'000;
    if (question.size < 2 || question.size > largest) {
        return bad_input("size", fmt::format("must be 2 to {}, got {}", largest, question.size));
    }
    if (question.tolerance && !(*question.tolerance >= 0 && *question.tolerance < 1)) {
        return bad_input("tolerance", fmt::format("must be at least 0 and below 1 (it is relative to the "
                                                  "largest singular value), got {}",
                                                  *question.tolerance));
    }
    if (question.fresh && std::holds_alternative<arch::ArchSpec>(question.subject.source)) {
        return bad_input("fresh", "works only with --run; the weights of a spec are fresh");
    }
    return {};
}

Result<std::vector<OpenSubject>> open_all(const NumericQuestion& question, torch::Device device) {
    std::vector<OpenSubject> subjects;
    PLIMSOLL_ASSIGN(subject, open_subject(question.subject, device));
    subjects.push_back(std::move(subject));
    if (!question.fresh) return subjects;
    PLIMSOLL_ASSIGN(start, open_at_start(std::get<std::filesystem::path>(question.subject.source), device));
    subjects.push_back(std::move(start));
    return subjects;
}

bool is_causal(const arch::ArchSpec& spec) {
    if (const auto* s = std::get_if<arch::TransformerSpec>(&spec)) return s->stack == arch::Stack::decoder;
    const auto* mixer = std::get_if<arch::MixerSpec>(&spec);
    return mixer != nullptr && mixer->causal;
}

rank::NetworkFacts facts_of(const arch::ArchSpec& spec, const ExampleShape& shape, const torch::Tensor& y) {
    rank::NetworkFacts facts{.family = arch::family_name(spec), .split = shape.split};
    const auto size = [&](std::int64_t dim) { return static_cast<std::size_t>(y.size(dim)); };
    const bool one_vector = y.dim() == 2;
    facts.output_rows = one_vector || !shape.split.by_position ? size(1) : size(2);
    facts.output_cols = one_vector ? 1 : shape.split.by_position ? size(1) : size(2);
    return facts;
}

Result<rank::OutputIndex> choose_output(const Plan& plan) {
    if (!plan.question.output.empty()) return rank::parse_output(plan.question.output, plan.facts);
    // The first position of a causal network reads nothing but itself.
    const bool last = is_causal(plan.spec()) && plan.facts.split.by_position;
    return rank::OutputIndex{0, last ? plan.facts.output_cols - 1 : 0};
}

Result<Plan> make_plan(const NumericQuestion& question) {
    PLIMSOLL_RETURN_IF_ERROR(check_rank_question(question));
    PLIMSOLL_ASSIGN(device, train::device_named(question.inputs.device));
    PLIMSOLL_ASSIGN(subjects, open_all(question, device));
    PLIMSOLL_ASSIGN(examples, draw_examples(subjects.front(), question.inputs, question.size, device));
    Plan plan{question, device, std::move(subjects), std::move(examples), {}, {}, 1};
    const at::NoGradGuard no_grad;
    const torch::Tensor y = plan.subjects.front().network->forward(part_of(plan.examples.input, 0, 1), 0);
    plan.facts = facts_of(plan.spec(), plan.examples.shape, y);
    plan.output_size = y.numel();
    PLIMSOLL_ASSIGN(output, choose_output(plan));
    plan.output = output;
    return plan;
}

Result<std::vector<Partition>> partitions_of(const Plan& plan) {
    const NumericQuestion& question = plan.question;
    if (question.left.empty()) {
        return rank::parse_partitions(question.partition.empty() ? "half" : question.partition,
                                      plan.facts.split, question.inputs.seed);
    }
    if (!question.partition.empty()) return bad_input("left", "and partition exclude one another");
    PLIMSOLL_ASSIGN(one, rank::partition_with_left(question.left, plan.facts.split));
    return std::vector{one};
}

// Random templates of one side; real examples are cut in two, whatever the side.
model::Input side_input(const Plan& plan, const std::vector<bool>& side, const std::string& name) {
    if (!plan.question.inputs.data.empty()) return plan.examples.input;
    const ExampleShape& shape = plan.examples.shape;
    const std::uint64_t seed = plan.question.inputs.seed;
    if (shape.vocab == 0) return on_device(random_input(shape, plan.question.size, seed, name), plan.device);
    model::Input input;
    input.tokens = distinct_strings(shape, side, plan.question.size, seed, name).to(plan.device);
    return input;
}

bool has_every_string(const Plan& plan, std::size_t items, std::int64_t count) {
    const ExampleShape& shape = plan.examples.shape;
    if (shape.vocab == 0 || !plan.question.inputs.data.empty()) return false;
    const auto limit = static_cast<std::size_t>(count);
    return rank::strings_up_to(static_cast<std::size_t>(shape.vocab), items, limit) <= limit;
}

// What no weights of a polynomial network exceed; nothing for others and for very wide ones.
std::optional<std::size_t> bound_of(const Plan& plan, const Partition& partition) {
    constexpr std::size_t widest = 1024;
    if (plan.facts.split.items() > widest) return std::nullopt;
    rank::NetworkQuestion question;
    if (std::holds_alternative<arch::AttentionSpec>(plan.spec()))
        question.positions = static_cast<std::int64_t>(plan.facts.split.items());
    const auto network = rank::network_for(plan.spec(), question);
    if (!network.ok() || !((*network)->facts().split == plan.facts.split)) return std::nullopt;
    return (*network)->rank_bound((*network)->sides(partition, plan.output));
}

rank::Spectrum spectrum_at(const rank::DenseMatrix<double>& matrix, std::optional<double> tolerance) {
    auto spectrum = rank::spectrum_of(matrix.view());
    const double largest = spectrum.values.empty() ? 0 : spectrum.values.front();
    const auto larger = static_cast<double>(std::max(matrix.rows(), matrix.cols()));
    const double relative = tolerance.value_or(larger * std::numeric_limits<double>::epsilon());
    return rank::summary_of(std::move(spectrum.values), relative * largest);
}

// Whether the values pass the tolerance without a step.
bool fades(const rank::Spectrum& spectrum) {
    const auto counted = static_cast<std::size_t>(spectrum.numerical_rank);
    if (counted == 0 || counted == spectrum.values.size()) return false;
    return spectrum.values[counted - 1] < 10 * spectrum.values[counted];
}

// The part of all the work that `inner` of a callback's total stands for.
ProgressCallback piece_of(const ProgressCallback& progress, std::size_t piece, std::size_t pieces) {
    if (!progress) return {};
    return [=](std::uint64_t done, std::uint64_t total) { progress(piece * total + done, pieces * total); };
}

// Whether a larger matrix could show a larger rank.
bool is_saturated(const NumericPartition& partition, const rank::Spectrum& spectrum) {
    const auto rank = static_cast<std::size_t>(spectrum.numerical_rank);
    const bool complete = partition.rows <= partition.cols ? partition.all_rows : partition.all_cols;
    return rank == std::min(partition.rows, partition.cols) && !complete && rank != partition.bound;
}

Result<NumericPartition> measure_one(const Plan& plan, const Partition& partition,
                                     const ProgressCallback& progress) {
    std::vector<bool> right = partition.left;
    right.flip();
    const Grid grid{side_input(plan, partition.left, "probe/rows"), side_input(plan, right, "probe/cols"),
                    side_mask(plan.examples.shape, partition.left).to(plan.device),
                    plan.facts.split.by_position, plan.output};
    NumericPartition result{partition.name, partition.left_items()};
    result.rows = static_cast<std::size_t>(count_of(grid.rows));
    result.cols = static_cast<std::size_t>(count_of(grid.cols));
    result.all_rows = has_every_string(plan, partition.left_count(), count_of(grid.rows));
    result.all_cols =
        has_every_string(plan, partition.left.size() - partition.left_count(), count_of(grid.cols));
    result.bound = bound_of(plan, partition);
    for (std::size_t k = 0; k < plan.subjects.size(); ++k) {
        PLIMSOLL_ASSIGN(matrix, score_matrix(*plan.subjects[k].network, grid, plan.output_size,
                                             piece_of(progress, k, plan.subjects.size())));
        const rank::Spectrum spectrum = spectrum_at(matrix, plan.question.tolerance);
        result.ranks.push_back({plan.subjects[k].facts.weights, spectrum, largest_gap(spectrum),
                                is_saturated(result, spectrum), fades(spectrum)});
    }
    return result;
}

NumericReport empty_report(const Plan& plan) {
    return {plan.subjects.front().facts,
            plan.facts,
            plan.output,
            plan.examples.source,
            plan.question.tolerance,
            {},
            0};
}

Result<NumericReport> numeric_report(const NumericQuestion& question, const ProgressCallback& progress) {
    const auto start = std::chrono::steady_clock::now();
    PLIMSOLL_RETURN_IF_ERROR(rank::prepare_singular_values());
    PLIMSOLL_ASSIGN(plan, make_plan(question));
    PLIMSOLL_ASSIGN(partitions, partitions_of(plan));
    NumericReport report = empty_report(plan);
    for (std::size_t k = 0; k < partitions.size(); ++k) {
        PLIMSOLL_ASSIGN(one, measure_one(plan, partitions[k], piece_of(progress, k, partitions.size())));
        report.partitions.push_back(std::move(one));
    }
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
}

}  // namespace

Result<NumericReport> measure_numeric_rank(const NumericQuestion& question,
                                           const ProgressCallback& progress) {
    return guarded("rank", [&] { return numeric_report(question, progress); });
}

}  // namespace plimsoll::probe
