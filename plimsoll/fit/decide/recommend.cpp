#include "plimsoll/fit/decide/recommend.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "plimsoll/fit/decide/duel.h"

namespace plimsoll::fit {
namespace {

// What may be given up for a cheaper network: a share of the 1 %.
constexpr double given_up_share = 0.25;

// What every row is expected to come to; lower is better.
class Expectations {
  public:
    Expectations(const RungTable& table, const RungNoise& noise, const DataLook& look,
                 const Proposal& proposal)
        : noise_(noise) {
        const double sign = table.lower_is_better ? 1 : -1;
        for (std::size_t row = 0; row < table.candidates.size(); ++row)
            costs_.push_back(sign * table.mean(row));
        std::set<std::pair<std::string, std::string>> seen;
        for (const auto& candidate : proposal.candidates)
            if (seen.emplace(candidate.family, candidate.input.name).second)
                draw_to_curve(table, look, depth_rows(table, proposal, candidate));
    }

    [[nodiscard]] double cost(std::size_t row) const { return costs_[row]; }
    // Half of the 95 % interval of the difference of two costs.
    [[nodiscard]] double half_width(std::size_t a, std::size_t b) const {
        const Noise noise = noise_.between(a, b);
        for (const auto& [rows, curve] : curves_) {
            const auto i = std::ranges::find(rows, a), j = std::ranges::find(rows, b);
            if (i == rows.end() || j == rows.end()) continue;
            const auto place = [&](auto at) { return static_cast<std::size_t>(at - rows.begin()); };
            return Noise{curve.error_between(place(i), place(j)), noise.freedom}.half_width(1);
        }
        return noise.half_width(1);
    }

  private:
    void draw_to_curve(const RungTable& table, const DataLook& look,
                       const std::map<std::int64_t, std::size_t>& rows) {
        auto curve = curve_of(table, noise_, look, rows);
        if (!curve) return;
        std::vector<std::size_t> order;
        for (const auto& [depth, row] : rows) {
            costs_[row] = curve->curve.expected(order.size());
            order.push_back(row);
        }
        curves_.emplace_back(std::move(order), std::move(curve->curve));
    }

    const RungNoise& noise_;
    std::vector<double> costs_;
    std::vector<std::pair<std::vector<std::size_t>, DepthCurve>> curves_;  // rows by depth
};

// Picks among rows that are as good as the best.
class Picker {
  public:
    Picker(const RungTable& table, const Proposal& proposal, const Expectations& expected)
        : table_(table), proposal_(proposal), expected_(expected) {}

    [[nodiscard]] std::pair<std::size_t, Tip> pick(std::size_t best, std::vector<std::size_t> close) const {
        const double least =
            flops(*std::ranges::min_element(close, {}, [&](auto row) { return flops(row); }));
        std::erase_if(close, [&](auto row) { return flops(row) > (1 + same_cost) * least; });
        const auto value = [&](auto row) { return expected_.cost(row); };
        const std::size_t better = *std::ranges::min_element(close, {}, value);
        if (better != best) return {better, Tip::cheaper};
        const auto shallow = *std::ranges::min_element(close, {}, [&](auto row) { return depth(row); });
        if (2 * depth(shallow) <= depth(best)) return {shallow, Tip::shallower};
        return {best, Tip::value};
    }

  private:
    [[nodiscard]] double flops(std::size_t row) const {
        return candidate_of(proposal_, table_, row).flops_per_unit;
    }
    [[nodiscard]] std::int64_t depth(std::size_t row) const {
        return candidate_of(proposal_, table_, row).depth;
    }

    const RungTable& table_;
    const Proposal& proposal_;
    const Expectations& expected_;
};

}  // namespace

std::string_view name_of(Tip tip) {
    switch (tip) {
        case Tip::value:
            return "the better value";
        case Tip::cheaper:
            return "cheaper to train";
        case Tip::shallower:
            return "faster to run";
    }
    return "";
}

Choice choose_network(const RungTable& table, const RungNoise& noise, const DataLook& look,
                      const Proposal& proposal) {
    const Expectations expected(table, noise, look, proposal);
    std::vector<std::size_t> close;
    Choice choice;
    for (std::size_t row = 1; row < table.candidates.size(); ++row)
        if (expected.cost(row) < expected.cost(choice.best)) choice.best = row;
    const double allowed = given_up_share * negligible(table, look);
    for (std::size_t row = 0; row < table.candidates.size(); ++row) {
        const double lag = expected.cost(row) - expected.cost(choice.best);
        const double noisy = row == choice.best ? 0 : expected.half_width(choice.best, row);
        if (lag <= std::min(allowed, std::isfinite(noisy) ? noisy : 0)) close.push_back(row);
    }
    std::tie(choice.row, choice.tip) = Picker(table, proposal, expected).pick(choice.best, close);
    const double sign = table.lower_is_better ? 1 : -1;
    choice.expected = sign * expected.cost(choice.row);
    choice.given_up = expected.cost(choice.row) - expected.cost(choice.best);
    if (choice.row != choice.best) choice.half_width = expected.half_width(choice.best, choice.row);
    return choice;
}

}  // namespace plimsoll::fit
