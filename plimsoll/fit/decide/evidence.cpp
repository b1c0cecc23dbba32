#include "plimsoll/fit/decide/evidence.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "plimsoll/base/duration.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/numbers.h"
#include "plimsoll/base/text.h"
#include "plimsoll/fit/decide/difference_text.h"

namespace plimsoll::fit {
namespace {

constexpr double learned_share = 0.01;     // of the constant answer's bits, or of accuracy
constexpr double widest_gap = 3;           // of two neighbouring depths, as a factor
constexpr double most_noise_share = 0.02;  // of a value; beyond that depths cannot be told apart
constexpr std::int64_t usual_seeds = 3;
constexpr std::int64_t depths_to_add = 2;  // that would show whether an end or a gap hides a better one

class Shortfalls {
  public:
    explicit Shortfalls(const EvidenceInput& input)
        : in_(input),
          rows_(depth_rows(input.table, input.proposal, input.winner)),
          runs_(counted_runs(input.race, input.table.rung, input.look.goal)) {}

    std::vector<Shortfall> all() {
        learned();
        compared();
        seeds();
        depths();
        steps();
        passes();
        gap();
        edge();
        rate();
        noise();
        return std::move(found_);
    }

  private:
    void add(Shortage shortage, std::string sentence, std::string settled_by, double seconds) {
        found_.push_back(
            {shortage, std::move(sentence), std::move(settled_by), std::isfinite(seconds) ? seconds : 0});
    }

    // ---- how long things take ----
    [[nodiscard]] double by_the_clock(double seconds) const {
        return seconds / real(std::max(1, in_.request.workers));
    }
    [[nodiscard]] double race_seconds() const {
        double seconds = 0;
        for (const auto& entry : in_.race.entries) seconds += entry.seconds;
        return by_the_clock(seconds);
    }
    // The mean of the rung's runs.
    [[nodiscard]] double run_seconds() const {
        double seconds = 0, count = 0;
        for (const auto& [id, runs] : runs_)
            for (const auto* run : runs) {
                seconds += run->seconds;
                ++count;
            }
        return count > 0 ? seconds / count : 0;
    }
    // Further networks with as many seeds as the others.
    [[nodiscard]] double seconds_for(std::int64_t networks) const {
        return by_the_clock(real(networks) * real(in_.table.seeds.size()) * run_seconds());
    }
    // Of the winner's runs that count.
    [[nodiscard]] double winners_mean(const std::function<double(const RaceEntry&)>& of) const {
        const auto found = runs_.find(in_.winner.id);
        if (found == runs_.end()) return 0;
        double sum = 0;
        for (const auto* run : found->second) sum += of(*run) / real(found->second.size());
        return sum;
    }

    // ---- what may be lacking ----
    void learned() {
        const double best = in_.table.mean(in_.table.best());
        if (beats_constant(in_.look, best)) return;
        const double scale = is_share(in_.look.goal) ? 100 : 1;
        add(Shortage::nothing_learned,
            fmt::format("no network found more than the best constant answer ({:.4g} {})",
                        scale * in_.look.chance, value_unit(in_.look)),
            "a race ten times as long, if there is anything to learn", 10 * race_seconds());
    }
    void compared() {
        if (in_.table.candidates.size() < 2)
            add(Shortage::one_network, "one network finished", "a race with more time", race_seconds());
    }
    void seeds() {
        if (in_.table.candidates.size() < 2 || std::isfinite(in_.noise.usual().half_width(1))) return;
        const auto more = usual_seeds - std::ssize(in_.table.seeds);
        add(Shortage::one_seed, "one seed does not say how large the noise is",
            fmt::format("{} more seeds of each network", more),
            by_the_clock(real(more) * real(in_.table.candidates.size()) * run_seconds()));
    }
    void depths() {
        if (in_.table.candidates.size() < 2 || rows_.size() >= depths_needed) return;
        add(Shortage::few_depths,
            fmt::format("of {} on {} only {} raced to the end together, so depth was not compared",
                        in_.winner.family, in_.winner.input.name,
                        rows_.size() < 2 ? "one depth" : "two depths"),
            fmt::format("{} further depths", depths_to_add), seconds_for(depths_to_add));
    }
    void steps() {
        const double steps = winners_mean([](const auto& run) { return real(run.steps); });
        const auto wanted = real(wanted_steps(in_.request.on_gpu()));
        if (steps <= 0 || steps >= wanted) return;
        add(Shortage::few_steps,
            fmt::format("its runs have {:.0f} steps, and fewer than {:.0f} favour shallow networks", steps,
                        wanted),
            "the same race with runs that long", race_seconds() * wanted / steps);
    }
    void passes() {
        if (!is_share(in_.look.goal) || in_.look.size <= in_.look.held_out) return;
        const double seen = winners_mean([](const auto& run) { return run.units_seen; });
        const double there = real(in_.look.size - in_.look.held_out);
        if (seen <= 0 || seen >= there) return;
        add(Shortage::under_one_pass,
            fmt::format("its runs saw {:.0f} % of the {} once", 100 * seen / there, in_.look.unit),
            "runs that see all of them", race_seconds() * there / seen);
    }
    [[nodiscard]] std::map<std::int64_t, std::size_t>::const_iterator best_depth() const {
        return std::ranges::max_element(
            rows_, [&](const auto& a, const auto& b) { return in_.table.lead(a.second, b.second) < 0; });
    }
    void gap() {
        if (rows_.size() < 2) return;
        const auto best = best_depth();
        const auto wide = [](auto low, auto high) {
            return real(high->first) > widest_gap * real(low->first);
        };
        std::optional<std::pair<std::int64_t, std::int64_t>> hole;
        if (best != rows_.begin() && wide(std::prev(best), best))
            hole.emplace(std::prev(best)->first, best->first);
        if (std::next(best) != rows_.end() && wide(best, std::next(best)))
            hole.emplace(best->first, std::next(best)->first);
        if (!hole) return;
        add(Shortage::gap,
            fmt::format("no depth between {} and {} raced to the end", hole->first, hole->second),
            fmt::format("{} depths between them", depths_to_add), seconds_for(depths_to_add));
    }
    // Without a curve: the best is the deepest, and beyond the noise better than its neighbour.
    [[nodiscard]] bool deepest_leads() const {
        if (in_.valley.drawn() || rows_.size() < depths_needed) return false;
        const auto best = best_depth();
        if (std::next(best) != rows_.end()) return false;
        const auto before = std::prev(best)->second;
        return in_.table.lead(best->second, before) > in_.noise.between(best->second, before).half_width(1);
    }
    void edge() {
        const bool deep = in_.valley.state == ValleyState::at_deep_end || deepest_leads();
        if (!deep && in_.valley.state != ValleyState::at_shallow_end) return;
        add(Shortage::at_edge,
            fmt::format("the best depth is the {} that raced ({})", deep ? "deepest" : "shallowest",
                        layers(deep ? rows_.rbegin()->first : rows_.begin()->first)),
            fmt::format("{} {} depths", depths_to_add, deep ? "deeper" : "shallower"),
            seconds_for(depths_to_add));
    }
    void rate() {
        std::set<double> tried;
        for (const auto& entry : in_.race.entries)
            if (entry.candidate == in_.winner.id && entry.rung == in_.table.rung &&
                entry.state == EntryState::done)
                tried.insert(entry.rate);
        const double chosen = winners_mean([](const auto& run) { return run.rate; });
        if (tried.size() < 2 || (chosen > *tried.begin() * 1.001 && chosen < *tried.rbegin() * 0.999)) return;
        const bool lowest = chosen <= *tried.begin() * 1.001;
        add(Shortage::rate_at_end,
            fmt::format("its learning rate, {:.3g}, is the {} that was tried at this length", chosen,
                        lowest ? "lowest" : "highest"),
            fmt::format("one {} rate", lowest ? "lower" : "higher"), seconds_for(1));
    }
    void noise() {
        const double half_width = in_.noise.usual().half_width(1);
        const double told = most_noise_share / negligible_share * negligible(in_.table, in_.look);
        if (!std::isfinite(half_width) || half_width <= told) return;
        const double seeds = real(in_.table.seeds.size());
        const double more = std::ceil(seeds * std::pow(half_width / told, 2) - seeds);
        add(Shortage::noise_wide,
            fmt::format("a difference of two networks is known to +- {}",
                        difference_text(half_width, in_.look)),
            fmt::format("{:.0f} more seeds of each network", more),
            by_the_clock(more * real(in_.table.candidates.size()) * run_seconds()));
    }

    const EvidenceInput& in_;
    std::map<std::int64_t, std::size_t> rows_;
    std::map<std::string, std::vector<const RaceEntry*>> runs_;
    std::vector<Shortfall> found_;
};

}  // namespace

std::string_view name_of(Shortage shortage) {
    switch (shortage) {
        case Shortage::nothing_learned:
            return "nothing beats the constant answer";
        case Shortage::one_network:
            return "one network finished";
        case Shortage::one_seed:
            return "one seed";
        case Shortage::few_depths:
            return "fewer than three depths";
        case Shortage::few_steps:
            return "too few steps";
        case Shortage::under_one_pass:
            return "less than one pass over the data";
        case Shortage::gap:
            return "a gap beside the best depth";
        case Shortage::at_edge:
            return "the best depth is at an end of the field";
        case Shortage::rate_at_end:
            return "the best learning rate is at an end of those tried";
        case Shortage::noise_wide:
            return "noise above 2 %";
    }
    return "";
}

bool beats_constant(const DataLook& look, double value) {
    if (look.chance <= 0 && look.goal != Goal::explained_variance) return true;
    if (is_share(look.goal)) return value > look.chance + 2 * learned_share;
    return value < (1 - learned_share) * look.chance;
}

std::vector<Shortfall> shortfalls_of(const EvidenceInput& input) { return Shortfalls(input).all(); }

std::string evidence_headline(const std::vector<Shortfall>& shortfalls) {
    if (shortfalls.empty()) return "";
    std::vector<std::string> names;
    for (const auto& one : shortfalls) names.emplace_back(name_of(one.shortage));
    return fmt::format("Not enough evidence: {}.", join(names, "; "));
}

std::string settling_sentence(const Shortfall& shortfall) {
    const std::string time =
        shortfall.seconds > 0 ? fmt::format(" (about {} here)", duration_text(shortfall.seconds)) : "";
    return fmt::format("{}; {}{} would settle it.", shortfall.sentence, shortfall.settled_by, time);
}

}  // namespace plimsoll::fit
