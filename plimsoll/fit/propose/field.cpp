#include "plimsoll/fit/propose/field.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "plimsoll/advise/scanned_shapes.h"
#include "plimsoll/advise/shape_capacity.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/numbers.h"
#include "plimsoll/fit/propose/assess.h"

namespace plimsoll::fit {
namespace {

constexpr double mixer_least = 1.5, mixer_most = 2;  // in lines: the deeper half of Navon's window
constexpr double table_share_limit = 0.25;  // of the budget, for the vocabulary that depths are spread on

constexpr double few_times = 5;  // the cost on the preferred input; the next finer patches cost four times

constexpr std::int64_t deepest_for_tables = 32;

constexpr std::int64_t longest_gap = 16;  // of depths that no small width meets

double size_of(const FieldShape& shape) {
    return advise::standard_size(real(shape.depth), real(shape.width));
}

FieldShape placed_for_table(arch::ArchSpec spec) {
    const ShapeNumbers numbers = numbers_of(spec);
    FieldShape shape{.spec = std::move(spec), .depth = numbers.depth, .width = numbers.width};
    shape.line = shape.least = shape.most = usual_depth_of_tables;
    return shape;
}

FieldShape placed(arch::ArchSpec spec, const advise::AdviceRequest& request, const InputChoice& input) {
    const auto layout = layout_of(spec, input);
    FieldShape shape;
    shape.depth = layout.depth;
    shape.width = layout.width;
    shape.line = advise::layout_line(request, layout);
    shape.capacity = advise::layout_capacity(request, layout);
    const bool attention = request.family == advise::AdviceFamily::transformer;
    shape.least = attention ? advise::advised_depth(advise::line_constants(), size_of(shape))
                            : mixer_least * shape.line;
    shape.most = attention ? advise::valley_at(size_of(shape)).high : mixer_most * shape.line;
    shape.rank_suffices = !attention || advise::rank_suffices(request, layout);
    shape.spec = std::move(spec);
    return shape;
}

// Less is better.
auto preference(const Field& field) {
    const FieldShape& shape = favourite_of(field);
    const bool patches = field.input().patch > 0;
    const double cost = patches ? -shape.capacity : flops_per_unit(shape.spec, field.input());
    return std::tuple(!shape.rank_suffices, table_share(field, shape) > table_share_limit, cost);
}

// Training FLOPs of one unit for the favourite; fields without a shape come last.
double unit_cost(const Field& field) {
    if (field.shapes.empty()) return std::numeric_limits<double>::infinity();
    return flops_per_unit(favourite_of(field).spec, field.input());
}

}  // namespace

double table_share(const Field& field, const FieldShape& shape) {
    return real(field.input().vocab) * real(shape.width) / real(field.maker.budget());
}

Result<Field> make_field(const std::string& family, const InputChoice& input, const DataLook& look,
                         std::int64_t budget, const std::string& style, HeadSizes heads) {
    PLIMSOLL_ASSIGN(maker, ShapeMaker::make(family, input, look, budget, style, heads));
    const std::int64_t deepest = maker.line() == Line::usual ? deepest_for_tables : advise::deepest_scanned;
    const auto request = request_for(family, input, look, budget);
    Field field{std::move(maker), {}, 0};
    std::int64_t last = 0;
    for (std::int64_t depth = 1; depth <= deepest; ++depth) {
        auto spec = field.maker.at(depth);
        if (!spec && depth > last + longest_gap) break;
        if (!spec) continue;
        last = depth;
        field.shapes.push_back(field.maker.line() == Line::usual ? placed_for_table(*std::move(spec))
                                                                 : placed(*std::move(spec), request, input));
        field.best_capacity = std::max(field.best_capacity, field.shapes.back().capacity);
    }
    return field;
}

Result<Field> field_for(const FitRequest& request, const std::string& family, const InputChoice& input,
                        const DataLook& look, std::int64_t budget) {
    return make_field(family, input, look, budget, request.style,
                      request.on_gpu() ? HeadSizes::eights : HeadSizes::any);
}

const FieldShape& favourite_of(const Field& field) {
    PLIMSOLL_CHECK(!field.shapes.empty(), "nothing to choose from");
    const auto end = field.shapes.end();
    auto found = std::find_if(field.shapes.begin(), end,
                              [](const auto& s) { return real(s.depth) >= s.least - line_rounding; });
    if (found == end) return field.shapes.back();
    while (!found->rank_suffices && found + 1 != end &&
           real((found + 1)->depth) <= (found + 1)->most + line_rounding)
        ++found;
    return *found;
}

const FieldShape& nearest_to(const Field& field, double lines) {
    PLIMSOLL_CHECK(!field.shapes.empty(), "nothing to choose from");
    return *std::min_element(field.shapes.begin(), field.shapes.end(), [&](const auto& a, const auto& b) {
        return std::abs(std::log(a.over_line() / lines)) < std::abs(std::log(b.over_line() / lines));
    });
}

const Field* preferred_field(const std::vector<Field>& fields) {
    const Field* best = nullptr;
    for (const auto& field : fields) {
        if (field.shapes.empty()) continue;
        if (best == nullptr || preference(field) < preference(*best)) best = &field;
    }
    return best;
}

void leave_out_dear(std::vector<std::vector<Field>>& all, double affordable, const std::string& unit,
                    std::vector<std::string>& pruned) {
    const double usual = unit_cost(*preferred_field(all.front()));
    for (auto& fields : all) {
        const double cheapest = unit_cost(*std::ranges::min_element(fields, {}, unit_cost));
        const double most = std::max({cheapest, affordable, few_times * usual});
        const auto dear = [&](const Field& field) {
            const double cost = unit_cost(field);
            if (field.shapes.empty() || cost <= most) return false;
            pruned.push_back(
                fmt::format("{} on {}: one {} costs {:.0f} times the FLOPs of the favourite's, so it would "
                            "see too little of the data.",
                            field.family(), field.input().name, unit, cost / usual));
            return true;
        };
        std::erase_if(fields, dear);
    }
}

}  // namespace plimsoll::fit
