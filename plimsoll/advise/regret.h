#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/advise/evidence_fit.h"

// How much a rule for the depth would have lost on what was measured.
namespace plimsoll::advise {

// Somebody's rule: the depth for so many non-embedding parameters.
struct DepthRule {
    std::string name;
    std::function<double(double size)> depth;
};

// Levine's fitted law, nanochat, Kaplan's best aspect, MobileLLM's aspect, aspect 100, 12 layers, and 1.75 T,
// which was our own default before the load line.
std::vector<DepthRule> rival_depth_rules();

// What a rule lost in one group, in percent of loss; clamped: its depth lies outside the sweep, whose end
// counts.
struct GroupRegret {
    const EvidenceGroup* group = nullptr;
    double depth = 0, lost = 0;
    bool clamped = false;
};

// A rule over all fitted groups; studies weigh the same.
struct RuleRegret {
    std::string name;
    std::vector<GroupRegret> groups;
    std::vector<std::pair<std::string, double>> by_study;  // the mean of its groups
    double mean = 0;
    double error = 0;  // of the mean, by the spread of the studies
    std::size_t clamped = 0;
};
RuleRegret regret_of(const DepthRule& rule);

// Ours: the advised depth, for each study by the line that was fitted without it.
RuleRegret regret_left_out(const LineFit& fit);

}  // namespace plimsoll::advise
