#include "plimsoll/lab/sweep/plan.h"

#include <algorithm>
#include <map>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/lab/sweep/budget.h"

namespace plimsoll::lab {
namespace {

constexpr std::size_t most_notes = 5;  // of one kind

// Sentences of one kind: the first few, and how many more there were.
class Notes {
  public:
    void add(std::string sentence) {
        if (++count_ <= most_notes) sentences_.push_back(std::move(sentence));
    }
    void move_to(std::vector<std::string>& all) {
        std::ranges::move(sentences_, std::back_inserter(all));
        if (count_ > most_notes) all.push_back(fmt::format("... and {} more of these", count_ - most_notes));
    }
    [[nodiscard]] std::size_t count() const { return count_; }

  private:
    std::vector<std::string> sentences_;
    std::size_t count_ = 0;
};

// One combination of budget, points of the axes and seed.
struct Combination {
    std::int64_t budget = 0;  // 0: none
    std::vector<Setting> settings;
    std::string label;  // "model.depth=2, seed=1"
};

class Planner {
  public:
    explicit Planner(const Sweep& sweep) : sweep_(sweep) {
        sizes_.push_back(sweep.budget ? sweep.budget->parameters.size() : 1);
        for (const auto& axis : sweep.axes) sizes_.push_back(axis.points.size());
        sizes_.push_back(std::max<std::size_t>(1, sweep.seeds.size()));
        name_columns();
    }

    Result<Plan> go() {
        PLIMSOLL_RETURN_IF_ERROR(count_combinations());
        std::vector<std::size_t> place(sizes_.size(), 0);
        for (std::size_t i = 0; i < plan_.combinations; ++i, advance(place))
            PLIMSOLL_RETURN_IF_ERROR(add(combination(place)));
        finish();
        return std::move(plan_);
    }

  private:
    void name_columns() {
        plan_.file = sweep_.file;
        if (sweep_.budget) plan_.columns.emplace_back("budget");
        for (const auto& axis : sweep_.axes)
            plan_.columns.insert(plan_.columns.end(), axis.keys.begin(), axis.keys.end());
        if (sweep_.budget) plan_.columns.push_back(sweep_.budget->adjust);
        if (sweep_.budget) plan_.counting = sweep_.budget->count->name;
        if (!sweep_.seeds.empty()) plan_.columns.emplace_back("seed");
    }

    Status count_combinations() {
        plan_.combinations = 1;
        for (const std::size_t size : sizes_) {
            plan_.combinations *= size;
            if (plan_.combinations > most_jobs)
                return bad_input(sweep_.file, fmt::format("has more than {} combinations", most_jobs));
        }
        return {};
    }

    // The last part moves fastest.
    void advance(std::vector<std::size_t>& place) const {
        for (std::size_t k = place.size(); k-- > 0;) {
            if (++place[k] < sizes_[k]) return;
            place[k] = 0;
        }
    }

    [[nodiscard]] Combination combination(const std::vector<std::size_t>& place) const {
        Combination made{0, sweep_.base, ""};
        std::vector<std::string> words;
        if (sweep_.budget) made.budget = sweep_.budget->parameters[place.front()];
        if (sweep_.budget) words.push_back(fmt::format("budget={}", made.budget));
        for (std::size_t a = 0; a < sweep_.axes.size(); ++a) {
            const Axis& axis = sweep_.axes[a];
            for (std::size_t k = 0; k < axis.keys.size(); ++k) {
                const Json& value = axis.points[place[a + 1]][k];
                made.settings.push_back({axis.keys[k], value, axis.places[k]});
                words.push_back(fmt::format("{}={}", axis.keys[k], value_text(value)));
            }
        }
        if (!sweep_.seeds.empty()) {
            const std::int64_t seed = sweep_.seeds[place.back()];
            for (const char* key : {"seeds.init", "seeds.data", "seeds.dropout"})
                made.settings.push_back({key, seed, sweep_.file + ": seeds"});
            words.push_back(fmt::format("seed={}", seed));
        }
        made.label = words.empty() ? sweep_.file : fmt::format("{}: {}", sweep_.file, join(words, ", "));
        return made;
    }

    Status add(Combination made) {
        PLIMSOLL_ASSIGN(wanted, kept(given_lookup(made), false));
        if (!wanted) return leave_out();
        PLIMSOLL_ASSIGN(reached, meet_budget(made));
        if (!reached) return {};
        PLIMSOLL_ASSIGN(config, resolve(made.settings, made.label));
        PLIMSOLL_ASSIGN(still_wanted, kept(resolved_lookup(config), true));
        if (!still_wanted) return leave_out();
        return add_job(made, std::move(config));
    }

    Status leave_out() {
        ++plan_.left_out;
        return {};
    }

    static Lookup given_lookup(const Combination& made) {
        return [&made](const std::string& key) {
            for (const auto& setting : made.settings)
                if (setting.key == key) return setting.value;
            return Json();
        };
    }

    static Lookup resolved_lookup(const run::RunConfig& config) {
        return [&config](const std::string& key) -> Json {
            if (key == "parameters") return arch::parameter_count(config.model.spec).real();
            return value_in(config, key);
        };
    }

    // Whether all conditions hold, as far as they can be decided; `final`: all must be.
    [[nodiscard]] Result<bool> kept(const Lookup& lookup, bool final) const {
        for (const auto& condition : sweep_.keep) {
            PLIMSOLL_ASSIGN(yes, holds(condition, lookup));
            if (!yes && final)
                return bad_input(condition.place,
                                 fmt::format("'{}' uses a value that a job does not have", condition.text));
            if (yes && !*yes) return false;
        }
        return true;
    }

    // Adds the width that meets the budget; false when there is none and the job is to be left out.
    Result<bool> meet_budget(Combination& made) {
        if (made.budget == 0) return true;
        const Budget& budget = *sweep_.budget;
        const std::size_t known = fits_.size();
        PLIMSOLL_ASSIGN(found, nearest_cached(made));
        const bool is_new = fits_.size() > known;
        const Fit* best = found.best(made.budget, budget.at_most);
        if (best != nullptr && meets(*best, made.budget, budget.within)) {
            made.settings.push_back({budget.adjust, best->value, budget.place});
            return true;
        }
        const std::string why = fmt::format("no {} meets {} parameters to within {:g} %: {}", budget.adjust,
                                            arch::Count(made.budget).grouped(), 100 * budget.within,
                                            nearest_text(found, budget, made.budget));
        if (!budget.skip_unreachable) return bad_input(made.label, why);
        ++plan_.unreachable;
        if (is_new)
            unreachable_.add(fmt::format("left out: {}: {}", made.label.substr(sweep_.file.size() + 2), why));
        return false;
    }

    // The network is the same for all seeds and rates.
    Result<Nearest> nearest_cached(const Combination& made) {
        Json name = Json::array({made.budget});
        for (const auto& setting : made.settings)
            if (setting.key.starts_with("model.") || setting.key == "recipe")
                name.push_back(Json::array({setting.key, setting.value}));
        const std::string key = name.dump(-1, ' ', false, Json::error_handler_t::replace);
        if (const auto found = fits_.find(key); found != fits_.end()) return found->second;
        const auto found = nearest(made.settings, *sweep_.budget, made.budget);
        if (!found.ok()) return Error{found.error().kind, made.label, found.error().text()};
        return fits_.emplace(key, *found).first->second;
    }

    Status add_job(const Combination& made, run::RunConfig config) {
        Job job{run::run_hash(config), std::move(config), {}, {}, {}, {}};
        if (const auto [first, is_new] = job_of_.emplace(job.id, plan_.jobs.size() + 1); !is_new) {
            merged_.add(fmt::format("merged: {} is the same run as job {}",
                                    made.label.substr(sweep_.file.size() + 2), first->second));
            return {};
        }
        const auto work = work_of(job.config);
        if (!work.ok()) return bad_input(made.label, work.error().text());
        job.work = *work;
        job.parameters = arch::parameter_count(job.config.model.spec);
        job.counted = job.parameters;
        if (sweep_.budget) {
            PLIMSOLL_ASSIGN(counted, sweep_.budget->count->count(job.config.model.spec));
            job.counted = counted;
        }
        job.values = values_of(made);
        plan_.jobs.push_back(std::move(job));
        return {};
    }

    [[nodiscard]] std::vector<Json> values_of(const Combination& made) const {
        const Lookup given = given_lookup(made);
        std::vector<Json> values;
        for (const auto& column : plan_.columns) {
            if (column == "budget")
                values.emplace_back(made.budget);
            else
                values.push_back(given(column == "seed" ? "seeds.init" : column));
        }
        return values;
    }

    void finish() {
        plan_.merged = merged_.count();
        unreachable_.move_to(plan_.notes);
        merged_.move_to(plan_.notes);
    }

    const Sweep& sweep_;
    std::vector<std::size_t> sizes_;  // budgets, each axis, seeds
    Plan plan_;
    std::map<std::string, Nearest> fits_;
    std::map<std::string, std::size_t> job_of_;  // id to number
    Notes unreachable_, merged_;
};

}  // namespace

Result<Plan> plan(const Sweep& sweep) { return Planner(sweep).go(); }

}  // namespace plimsoll::lab
