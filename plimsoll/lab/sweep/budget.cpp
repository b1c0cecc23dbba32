#include "plimsoll/lab/sweep/budget.h"

#include <cmath>

#include "plimsoll/base/format.h"

namespace plimsoll::lab {
namespace {

constexpr std::int64_t largest_value = 1'000'000;
constexpr std::int64_t most_refused = 64;  // in a row, before we give up

double share(const arch::Count& counted, std::int64_t parameters) {
    const auto target = static_cast<double>(parameters);
    return (counted.real() - target) / target;
}

// The field at multiples 1, 2, 3, ... of the budget's step.
class Ladder {
  public:
    Ladder(std::vector<Setting> settings, const Budget& budget, std::int64_t step)
        : settings_(std::move(settings)), budget_(budget), step_(step) {
        settings_.push_back({budget.adjust, Json(), budget.place});
    }

    [[nodiscard]] std::int64_t rungs() const { return largest_value / step_; }

    // The first rung from `from` on that the spec accepts; nothing when there is none near.
    Result<std::optional<Fit>> at_or_after(std::int64_t from) {
        for (std::int64_t rung = from; rung <= rungs() && rung < from + most_refused; ++rung) {
            settings_.back().value = rung * step_;
            const auto spec = resolve_spec(settings_);
            if (!spec.ok()) {
                refusal_ = spec.error();
                continue;
            }
            PLIMSOLL_ASSIGN(counted, budget_.count->count(*spec));
            return std::optional(Fit{rung * step_, counted});
        }
        return std::optional<Fit>();
    }
    [[nodiscard]] std::int64_t rung_of(const Fit& fit) const { return fit.value / step_; }
    [[nodiscard]] const std::optional<Error>& refusal() const { return refusal_; }

  private:
    std::vector<Setting> settings_;
    const Budget& budget_;
    std::int64_t step_;
    std::optional<Error> refusal_;
};

Json given_value(const std::vector<Setting>& settings, const std::string& key) {
    for (const auto& setting : settings)
        if (setting.key == key) return setting.value;
    for (const auto& setting : settings) {
        if (setting.key != "model.spec") continue;
        const auto spec = split_spec(setting.value.get<std::string>(), setting.place);
        PLIMSOLL_CHECK(spec.ok(), "a spec that was read before");
        for (const auto& [field, text] : spec->fields)
            if ("model." + field == key) return plain_word(text);
    }
    return {};
}

// A field that nobody gave is 1: its default, heads for one, may depend on the width that we look for.
Result<std::int64_t> step_of(const std::vector<Setting>& settings, const Budget& budget) {
    if (budget.multiple_of_key.empty()) return budget.multiple_of;
    const Json value = given_value(settings, budget.multiple_of_key);
    if (value.is_null()) return std::int64_t{1};
    if (value.is_number_integer() && value.get<std::int64_t>() >= 1) return value.get<std::int64_t>();
    return bad_input(budget.place, fmt::format("multiple_of: {} is {}, not a whole number from 1 on",
                                               budget.multiple_of_key, value_text(value)));
}

std::string fit_text(const Fit& fit, std::int64_t parameters) {
    return fmt::format("{} gives {} ({:+.1f} %)", fit.value, fit.counted.grouped(),
                       100 * share(fit.counted, parameters));
}

}  // namespace

const Fit* Nearest::best(std::int64_t parameters, bool at_most) const {
    if (at_most) return below ? &*below : nullptr;
    if (!below || !above) return below ? &*below : above ? &*above : nullptr;
    const double down = std::abs(share(below->counted, parameters));
    const double up = std::abs(share(above->counted, parameters));
    return up < down ? &*above : &*below;
}

Result<Nearest> nearest(const std::vector<Setting>& settings, const Budget& budget, std::int64_t parameters) {
    PLIMSOLL_ASSIGN(step, step_of(settings, budget));
    Ladder ladder(settings, budget, step);
    PLIMSOLL_ASSIGN(first, ladder.at_or_after(1));
    if (!first && ladder.refusal()) return *ladder.refusal();
    if (!first) return Nearest{};
    const auto small = [&](const Fit& fit) { return fit.counted <= arch::Count(parameters); };
    if (!small(*first)) return Nearest{{}, first};
    Nearest found{first, {}};
    // Up to `low` all are small; from `high` on none is.
    std::int64_t low = ladder.rung_of(*first), high = ladder.rungs() + 1;
    while (low + 1 < high) {
        const bool open_end = high > ladder.rungs();
        const std::int64_t next = open_end ? std::min(2 * low, high - 1) : low + (high - low) / 2;
        PLIMSOLL_ASSIGN(fit, ladder.at_or_after(next));
        if (fit && ladder.rung_of(*fit) < high && small(*fit)) {
            found.below = fit;
            low = ladder.rung_of(*fit);
            continue;
        }
        if (fit && ladder.rung_of(*fit) < high) found.above = fit;  // else: refused from `next` to `high`
        high = next;
    }
    return found;
}

bool meets(const Fit& fit, std::int64_t parameters, double within) {
    return std::abs(share(fit.counted, parameters)) <= within;
}

std::string nearest_text(const Nearest& nearest, const Budget& budget, std::int64_t parameters) {
    if (!nearest.below && !nearest.above) return fmt::format("no {} fits the spec", budget.adjust);
    std::string text;
    for (const auto* fit : {&nearest.below, &nearest.above})
        if (*fit) text += (text.empty() ? "" : ", ") + fit_text(**fit, parameters);
    return text;
}

}  // namespace plimsoll::lab
