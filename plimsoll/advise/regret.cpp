#include "plimsoll/advise/regret.h"

#include <array>
#include <cmath>

#include "plimsoll/advise/levine_law.h"
#include "plimsoll/theory/capacity/fast_capacity.h"

namespace plimsoll::advise {
namespace {

constexpr double least_depth = 0.1, most_depth = 1000;

// The depth L at which a network as wide as `width(L)` has so many parameters.
double depth_at_size(double size, const std::function<double(double)>& width) {
    double low = least_depth, high = most_depth;
    for (int step = 0; step < 80; ++step) {
        const double middle = std::sqrt(low * high);
        (standard_size(middle, width(middle)) <= size ? low : high) = middle;
    }
    return low;
}

DepthRule aspect_rule(std::string name, double aspect) {
    return {std::move(name), [aspect](double size) {
                return depth_at_size(size, [aspect](double depth) { return aspect * depth; });
            }};
}

// The aspect of least loss on the nearest of Kaplan's three curves.
double kaplan_depth(double size) {
    struct Curve {
        double size, aspect;
    };
    constexpr std::array curves{Curve{50e6, 50}, Curve{274e6, 25}, Curve{1.5e9, 27}};
    const auto* nearest = curves.data();
    for (const auto& curve : curves)
        if (std::abs(std::log(curve.size / size)) < std::abs(std::log(nearest->size / size)))
            nearest = &curve;
    return depth_at_size(size, [&](double depth) { return nearest->aspect * depth; });
}

// The depth that is `times` the knee T of its own width.
double knee_multiple(double size, double times) {
    double low = least_depth, high = most_depth;
    for (int step = 0; step < 80; ++step) {
        const double middle = std::sqrt(low * high);
        const double width = std::sqrt(size / standard_size(middle, 1));
        (middle <= times * theory::fast::knee_depth(width, 2 * width) ? low : high) = middle;
    }
    return low;
}

RuleRegret summed(std::string name, std::vector<GroupRegret> groups) {
    RuleRegret regret{std::move(name), std::move(groups), {}, 0, 0, 0};
    for (const auto& study : fitted_studies()) {
        double sum = 0, count = 0;
        for (const auto& group : regret.groups) {
            if (group.group->study != study) continue;
            sum += group.lost;
            ++count;
            if (group.clamped) ++regret.clamped;
        }
        regret.by_study.emplace_back(study, sum / count);
    }
    const auto n = static_cast<double>(regret.by_study.size());
    for (const auto& [study, lost] : regret.by_study) regret.mean += lost / n;
    double squares = 0;
    for (const auto& [study, lost] : regret.by_study) squares += (lost - regret.mean) * (lost - regret.mean);
    regret.error = std::sqrt(squares / (n - 1) / n);
    return regret;
}

GroupRegret regret_in(const EvidenceGroup& group, double depth) {
    const auto [lost, clamped] = lost_at_depth(group, depth);
    return {&group, depth, lost, clamped};
}

}  // namespace

std::vector<DepthRule> rival_depth_rules() {
    return {{"Levine's fitted law", [](double size) { return depth_at_size(size, levine_width); }},
            aspect_rule("nanochat, 64 depth", 64),
            {"Kaplan's best aspect", kaplan_depth},
            aspect_rule("MobileLLM's aspect", 19.2),
            aspect_rule("aspect 100", 100),
            {"12 layers", [](double) { return 12.0; }},
            {"1.75 T, ours before", [](double size) { return knee_multiple(size, 1.75); }}};
}

RuleRegret regret_of(const DepthRule& rule) {
    std::vector<GroupRegret> groups;
    for (const auto* group : fitted_groups()) groups.push_back(regret_in(*group, rule.depth(group->size)));
    return summed(rule.name, std::move(groups));
}

RuleRegret regret_left_out(const LineFit& fit) {
    std::vector<GroupRegret> groups;
    for (std::size_t i = 0; i < fit.studies.size(); ++i)
        for (const auto* group : fitted_groups())
            if (group->study == fit.studies[i])
                groups.push_back(regret_in(*group, advised_depth(fit.without[i], group->size)));
    return summed("load line, left out", std::move(groups));
}

}  // namespace plimsoll::advise
