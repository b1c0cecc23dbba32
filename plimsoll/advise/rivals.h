#pragma once

#include "plimsoll/advise/scanned_shapes.h"

// What others would say for the same budget, each counted like ours.
namespace plimsoll::advise {

// The loss increase in percent that Kaplan et al. measured at this aspect ratio (width / depth), read out of
// figure 5 and interpolated in the logarithms; none outside the measured sizes and ratios.
std::optional<double> kaplan_loss_percent(double non_embedding_parameters, double aspect_ratio);

// A size that they measured, in non-embedding parameters, and width / depth of the least loss there.
struct BestAspect {
    double parameters = 0, aspect = 0;
};
std::vector<BestAspect> kaplan_best_aspects();

// Somebody else's shape for the budget, before its costs are known.
struct RivalShape {
    std::string label, source, note;
    Layout layout;
};

// Levine's table and fitted law, Kaplan, nanochat and MobileLLM for tokens; Navon's window for mixers. What
// does not apply is said in `notes`.
std::vector<RivalShape> rival_shapes(const CostModel& costs, std::vector<std::string>& notes);

// Where the budget meets Levine's fitted law width = exp(5.039 + 0.0555 depth), as real numbers.
struct LawPoint {
    double depth = 0, width = 0;
};
LawPoint fitted_law_point(const AdviceRequest& request);

}  // namespace plimsoll::advise
