#include "plimsoll/advise/depth_words.h"

#include <cmath>

#include "plimsoll/base/format.h"

namespace plimsoll::advise {
namespace {

// Percent without its sign, to what the fit can tell.
std::string bare_percent(double percent) {
    if (percent >= 10) return fmt::format("{:.0f}", percent);
    return fmt::format("{:.1f}", std::abs(percent));
}

}  // namespace

std::string percent_text(double percent) { return bare_percent(percent) + " %"; }

std::string cost_text(const DepthCost& cost) {
    return fmt::format("{} ({} to {})", percent_text(cost.percent), bare_percent(cost.low()),
                       bare_percent(cost.high()));
}

std::string valley_text(const Valley& valley) {
    const double low = std::ceil(valley.low), high = std::floor(valley.high);
    return low >= high ? fmt::format("{:.0f}", high) : fmt::format("{:.0f} to {:.0f}", low, high);
}

std::string valley_words(const Valley& valley) {
    const std::string depths = valley_text(valley);
    return depths == "1" ? "1 layer costs at most 1 % of loss" : depths + " layers cost at most 1 % of loss";
}

std::string place_text(const DepthJudgement& judged) {
    switch (judged.place) {
        case ValleySide::inside:
            return "inside the valley";
        case ValleySide::edge:
            return "at the edge of the valley";
        case ValleySide::too_shallow:
            return "too shallow, costs " + percent_text(judged.cost.percent);
        case ValleySide::too_deep:
            return "too deep, costs " + percent_text(judged.cost.percent);
    }
    return "";
}

}  // namespace plimsoll::advise
