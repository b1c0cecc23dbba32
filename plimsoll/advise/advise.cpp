#include "plimsoll/advise/advise.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/advise/choice.h"
#include "plimsoll/advise/reasons.h"
#include "plimsoll/advise/rivals.h"
#include "plimsoll/advise/sentences.h"
#include "plimsoll/advise/shape_capacity.h"
#include "plimsoll/arch/limits.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::advise {
namespace {

constexpr std::int64_t max_head_dim = 4096;
constexpr double table_share_limit = 0.5;  // of the budget; above it the token table is factorised

Status in_range(const char* where, std::int64_t value, std::int64_t low, std::int64_t high) {
    if (value >= low && value <= high) return {};
    return bad_input(where, fmt::format("must be {} to {}, got {}", low, high, value));
}

Status check_input(const AdviceRequest& r) {
    const bool mixer = r.family == AdviceFamily::mixer;
    if (r.vocab > 0 && r.image.used())
        return bad_input("patch", "must not be given with vocab: one kind of input");
    if (mixer && r.vocab > 0) {
        return unsupported("vocab",
                           "advice for mixers covers patches and plain vectors; give --patch or --context");
    }
    if (!mixer && r.vocab == 0 && !r.image.used())
        return bad_input("vocab", "missing; give --vocab or --patch");
    if (r.vocab > 0) PLIMSOLL_RETURN_IF_ERROR(in_range("vocab", r.vocab, 2, arch::max_vocab));
    if (r.classes != 0) PLIMSOLL_RETURN_IF_ERROR(in_range("classes", r.classes, 1, arch::max_classes));
    if (mixer && r.context == 0) return {};
    return in_range("context", r.context, 2, mixer ? arch::max_width : arch::max_context);
}

Status check_sizes(const AdviceRequest& r) {
    PLIMSOLL_RETURN_IF_ERROR(in_range("params", r.parameters, 1, max_budget));
    PLIMSOLL_RETURN_IF_ERROR(in_range("multiple-of", r.multiple_of, 1, arch::max_width));
    if (r.head_dims.empty()) return bad_input("head-dim", "must name at least one size");
    for (const auto size : r.head_dims) {
        PLIMSOLL_RETURN_IF_ERROR(in_range("head-dim", size, 1, max_head_dim));
    }
    if (r.embedding_rank && r.vocab == 0) return bad_input("embedding-rank", "needs vocab");
    if (r.embedding_rank) {
        PLIMSOLL_RETURN_IF_ERROR(in_range("embedding-rank", *r.embedding_rank, 0, arch::max_width));
    }
    return {};
}

Error nothing_fits(const CostModel& costs) {
    const AdviceRequest& r = costs.request();
    std::int64_t width = r.multiple_of;
    while (width < arch::max_width && !costs.allowed(width)) width += r.multiple_of;
    const std::int64_t least = costs.parameters(costs.layout(1, width));
    const std::string with = r.vocab > 0 ? fmt::format(" with {} tokens", r.vocab) : "";
    return bad_input(
        "params", fmt::format("{} is less than one layer of width {}{} ({}); give a larger budget{} or a "
                              "smaller --multiple-of",
                              human_count(static_cast<double>(r.parameters)), width, with,
                              human_count(static_cast<double>(least)), r.vocab > 0 ? ", fewer tokens" : ""));
}

bool reaches_window(const std::vector<ScannedShape>& shapes) {
    return std::any_of(shapes.begin(), shapes.end(), [](const auto& shape) { return shape.in_band; });
}

struct Plan {
    CostModel costs;
    std::vector<ScannedShape> shapes;
};

Plan scanned(const AdviceRequest& request, Block block, TableRank table, bool free_heads) {
    CostModel costs(request, block, table, free_heads);
    auto shapes = scan_shapes(costs);
    return {std::move(costs), std::move(shapes)};
}

// The block asked for, or GPT-2's; Llama's with free heads where no head size divides an affordable width of
// the window.
Plan with_block(const AdviceRequest& request, TableRank table) {
    const Block block = request.block.value_or(Block::gpt2);
    Plan plan = scanned(request, block, table, false);
    if (request.block == Block::gpt2 || reaches_window(plan.shapes)) return plan;
    Plan free = scanned(request, Block::llama, table, true);
    const bool better = free.shapes.size() > plan.shapes.size() && reaches_window(free.shapes);
    return better ? free : plan;
}

// Of the budget, in the network that the load line advises: rounded widths would make it jump.
double table_share(const AdviceRequest& request) {
    const auto budget = static_cast<double>(request.parameters), rows = static_cast<double>(request.vocab);
    return rows * advised_width(budget, rows) / budget;
}

// Full rank, unless the table alone would take more than half of the budget.
Plan planned(const AdviceRequest& request) {
    if (request.embedding_rank) {
        return with_block(request, *request.embedding_rank > 0 ? TableRank::given : TableRank::full);
    }
    const bool wide = request.vocab > 0 && table_share(request) > table_share_limit;
    Plan plan = with_block(request, wide ? TableRank::half : TableRank::full);
    return wide && plan.shapes.empty() ? with_block(request, TableRank::full) : plan;
}

// The same budget without rounding widths: what the best and the drawing are taken from.
std::vector<ScannedShape> unrounded(const Plan& plan) {
    AdviceRequest request = plan.costs.request();
    request.multiple_of = 1;
    request.usual_widths = false;
    request.head_dims = {1};
    return scan_shapes(CostModel(request, plan.costs.block(), plan.costs.table()));
}

// The shape of most capacity.
const ScannedShape& peak_of(const std::vector<ScannedShape>& shapes) {
    return *std::max_element(shapes.begin(), shapes.end(),
                             [](const auto& a, const auto& b) { return a.capacity < b.capacity; });
}

// The least expected loss of the valley at this budget, with any width; of all shapes where no one is in it.
double least_percent_of(const std::vector<ScannedShape>& shapes) {
    const auto better = [](const auto& a, const auto& b) {
        return std::pair(!a.in_band, a.percent) < std::pair(!b.in_band, b.percent);
    };
    return std::min_element(shapes.begin(), shapes.end(), better)->percent;
}

std::vector<CurvePoint> curve_of(const std::vector<ScannedShape>& shapes, const Reference& best) {
    std::vector<CurvePoint> curve;
    for (const auto& shape : shapes) {
        if (!shape.widest) continue;
        curve.push_back({shape.layout.depth, shape.layout.width, shape.capacity,
                         shape.capacity / best.capacity, shape.depth_over_line(),
                         std::max(0.0, shape.percent - best.percent)});
    }
    return curve;
}

void add_rivals(Advice& advice, const CostModel& costs, const Reference& reference) {
    for (auto& rival : rival_shapes(costs, advice.rival_notes)) {
        ShapeReport report = report_shape(costs, rival.layout, reference);
        report.label = std::move(rival.label);
        report.source = std::move(rival.source);
        report.note = std::move(rival.note);
        advice.rivals.push_back(std::move(report));
    }
}

void set_window(Advice& advice, const ScannedShape& answer) {
    const DepthWindow window = window_at(advice.request, answer.layout);
    advice.window_low = window.low;
    advice.window_high = window.high;
    advice.band_low = window.band_low;
    advice.band_high = window.band_high;
    advice.line_name = advice.request.family == AdviceFamily::mixer ? "log2 C" : "load line";
    advice.line = answer.line;
    if (advice.request.family == AdviceFamily::transformer)
        advice.judgement = judge_depth(answer.layout.depth, answer.layout.width);
}

// Tokens are counted by the parameters that stay when the answer leaves some of the budget.
void set_training(Advice& advice) {
    if (advice.request.vocab == 0) return;
    TrainingCost cost;
    cost.tokens = tokens_per_parameter * static_cast<double>(advice.answer.parameters);
    cost.flops = cost.tokens * advice.answer.training_flops;
    cost.card = advice.request.card;
    cost.hours = hours_of_flops(cost.flops, cost.card);
    advice.training = cost;
}

// Advice for a budget in parameters.
Result<Advice> advise_parameters(const AdviceRequest& request) {
    PLIMSOLL_RETURN_IF_ERROR(check_sizes(request));
    PLIMSOLL_RETURN_IF_ERROR(check_input(request));
    const Plan plan = planned(request);
    if (plan.shapes.empty()) return nothing_fits(plan.costs);
    const Choice choice = choose_shape(plan.costs, plan.shapes);
    const auto smooth = unrounded(plan);
    const ScannedShape& best = peak_of(smooth);
    const Reference reference{best.capacity, least_percent_of(smooth)};

    Advice advice;
    advice.request = request;
    advice.request.block = plan.costs.block();
    advice.decided = choice.decided;
    advice.narrowed_by_rank = choice.narrowed_by_rank;
    advice.best_capacity = best.capacity;
    advice.best_depth = best.layout.depth;
    advice.best_width = best.layout.width;
    advice.string_cap = string_cap(request);
    set_window(advice, choice.shape);
    advice.answer = report_shape(plan.costs, choice.shape.layout, reference);
    advice.answer.label = "advised";
    advice.alternatives = nearby_shapes(plan.costs, plan.shapes, choice.shape.layout, reference);
    advice.curve = curve_of(smooth, reference);
    advice.shapes_scanned = static_cast<std::int64_t>(plan.shapes.size() + smooth.size());
    add_rivals(advice, plan.costs, reference);
    set_training(advice);
    certify(advice);
    add_reasons(advice);
    add_sentences(advice);
    add_warnings(advice);
    return advice;
}

// FLOPs that training the answer for a budget takes, or nothing where nothing fits.
std::optional<double> training_flops_for(AdviceRequest request, std::int64_t parameters) {
    request.parameters = parameters;
    const Plan plan = planned(request);
    if (plan.shapes.empty()) return std::nullopt;
    const Reference any{1, 0};
    const auto answer = report_shape(plan.costs, choose_shape(plan.costs, plan.shapes).shape.layout, any);
    return tokens_per_parameter * static_cast<double>(answer.parameters) * answer.training_flops;
}

// The largest budget up to the request's whose answer stays within its FLOPs. 6 N D counts neither the scores
// of attention nor a head that is the token table, so that it is off by up to a fifth.
std::int64_t parameters_within(const AdviceRequest& request, double flops) {
    const auto fits = [&](std::int64_t parameters) {
        return training_flops_for(request, parameters).value_or(0) <= flops;
    };
    std::int64_t low = request.parameters / 2, high = request.parameters + request.parameters / 2;
    while (high - low > std::max<std::int64_t>(1, request.parameters / 500)) {
        const std::int64_t middle = low + (high - low) / 2;
        (fits(middle) ? low : high) = middle;
    }
    return low;
}

}  // namespace

Result<Advice> advise(const AdviceRequest& request) {
    if (!request.training_flops) return advise_parameters(request);
    PLIMSOLL_RETURN_IF_ERROR(check_sizes(request));
    PLIMSOLL_RETURN_IF_ERROR(check_input(request));
    AdviceRequest exact = request;
    if (request.vocab > 0) exact.parameters = parameters_within(request, *request.training_flops);
    const auto rule = request.vocab > 0 ? "" : " by 6 N D";
    exact.assumed.insert(
        exact.assumed.begin(),
        fmt::format("{:.0f} tokens per parameter, so that {:.3g} FLOPs train {} parameters{}",
                    tokens_per_parameter, *request.training_flops,
                    human_count(static_cast<double>(exact.parameters)), rule));
    return advise_parameters(exact);
}

}  // namespace plimsoll::advise
