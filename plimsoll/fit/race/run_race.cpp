#include "plimsoll/fit/race/run_race.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/fit/fit_folders.h"
#include "plimsoll/fit/propose/propose.h"
#include "plimsoll/fit/race/input_choice.h"
#include "plimsoll/fit/race/race_entries.h"
#include "plimsoll/fit/race/race_jobs.h"
#include "plimsoll/fit/race/race_pace.h"
#include "plimsoll/fit/race/race_plan.h"
#include "plimsoll/fit/race/rate_check.h"
#include "plimsoll/fit/race/rate_search.h"
#include "plimsoll/fit/race/run_settings.h"
#include "plimsoll/fit/race/scout.h"
#include "plimsoll/lab/jobs/worker.h"

namespace plimsoll::fit {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t most_seeds = 8;
constexpr std::size_t leaders = 2;  // whose rate is checked
constexpr std::array rate_steps{0.5, 2.0};
constexpr double of_whole_steps = 0.25;  // of a run: what planned runs may take more, as steps are whole

// Why a rung ended.
enum class RungEnd { complete, stopped, out_of_time };

std::string failure_note(const std::string& id, const std::string& reason) {
    return fmt::format("Run {} failed: {}.", id, reason);
}

bool is_failure_note(const std::string& note) {
    return note.starts_with("Run ") && note.find(" failed: ") != std::string::npos;
}

// A race of 0.1.0, by successive halving, that was not finished.
bool is_of_another_kind(const Race& race) { return !race.complete && !race.plan.wanted_steps; }

class Racer {
  public:
    Racer(const FitRequest& request, const DataLook& look, const Proposal& proposal,
          const RaceOptions& options)
        : request_(request),
          look_(look),
          proposal_(proposal),
          options_(options),
          places_(request.out),
          planner_(request, look, proposal_, options_.runner, [this] { return seconds_left(); }),
          begun_(Clock::now()) {
        options_.runner.runs = places_.runs();
        if (!options_.run) options_.run = lab::run_sweep;
        if (!options_.runner.pool) options_.runner.pool = std::make_shared<lab::WorkerPool>();
    }

    Result<Race> go() {
        PLIMSOLL_RETURN_IF_ERROR(load());
        if (race_.complete) return race_;
        if (race_.plan.batch == 0) {
            PLIMSOLL_RETURN_IF_ERROR(plan());
            PLIMSOLL_RETURN_IF_ERROR(save());
        }
        PLIMSOLL_ASSIGN(recipe, recipe_of(request_));
        if (recipe) recipe_rate_ = recipe->optimizer.lr;
        PLIMSOLL_ASSIGN(searched, recipe ? leave_out_search() : run_rung(rate_rung));
        if (searched == RungEnd::out_of_time) return too_slow();
        if (searched == RungEnd::stopped) return saved();
        PLIMSOLL_ASSIGN(tried, has_input_rung(race_.plan) ? try_inputs() : Result(RungEnd::complete));
        if (tried == RungEnd::complete) {
            PLIMSOLL_ASSIGN(raced, run_rung(table_rung()));
            tried = raced;
        }
        race_.complete = tried != RungEnd::stopped;
        return saved();
    }

  private:
    Status plan() {
        if (!options_.planned) {
            const auto forecast = planner_.begin(race_);
            return forecast.ok() ? Status() : Status(forecast.error());
        }
        race_.plan = options_.planned->plan;
        race_.notes.insert(race_.notes.end(), options_.planned->notes.begin(), options_.planned->notes.end());
        return {};
    }

    // The plan and the time spent come from the file; entries from the runs' own files.
    Status load() {
        std::error_code ignored;
        if (!std::filesystem::exists(places_.race(), ignored)) return {};
        PLIMSOLL_ASSIGN(json, read_json(places_.race()));
        PLIMSOLL_ASSIGN(race, race_from_json(json));
        if (is_of_another_kind(race)) {
            race_.notes.push_back("An earlier version began this race in another way; it starts again.");
            return {};
        }
        race_ = std::move(race);
        spent_before_ = race_.seconds;
        if (race_.complete) return {};
        PLIMSOLL_ASSIGN(settled, proposal_of(request_.out, proposal_, race_));
        proposal_ = std::move(settled);
        race_.entries.clear();
        race_.survivors.clear();
        std::erase_if(race_.notes, is_failure_note);  // those that fail again say so again
        race_.flops = 0;
        return {};
    }

    Status save() {
        race_.seconds = seconds_spent();
        return atomic_write(places_.race(), to_json(race_).dump(1) + "\n");
    }

    Result<Race> saved() {
        PLIMSOLL_RETURN_IF_ERROR(save());
        return race_;
    }

    [[nodiscard]] double seconds_spent() const {
        return spent_before_ + std::chrono::duration<double>(Clock::now() - begun_).count();
    }

    [[nodiscard]] double seconds_left() const {
        return *request_.seconds - options_.seconds_spent - seconds_spent();
    }

    Result<RungEnd> run_rung(int rung) {
        PLIMSOLL_RETURN_IF_ERROR(begin_rung(rung));
        PLIMSOLL_ASSIGN(end, rung == rate_rung      ? find_rates()
                             : rung == table_rung() ? run_table()
                                                    : run_seeds(*race_.plan.input_seeds, rung));
        if (end == RungEnd::stopped) return end;
        if (end == RungEnd::out_of_time && rung != rate_rung) note_lack_of_time();
        PLIMSOLL_RETURN_IF_ERROR(end_rung(rung));
        return end;
    }

    Result<RungEnd> leave_out_search() {
        race_.survivors.emplace_back();
        return RungEnd::complete;
    }

    [[nodiscard]] int table_rung() const { return table_rung_of(race_.plan); }

    // One network on each input, then the proposal for the best of them. Theory's are taken when the search
    // left too little.
    Result<RungEnd> try_inputs() {
        if (!race_.plan.input_seeds) race_.plan.input_seeds = planner_.seeds_for_inputs(race_);
        PLIMSOLL_RETURN_IF_ERROR(save());
        if (*race_.plan.input_seeds == 0) {
            race_.survivors.emplace_back();
        } else {
            PLIMSOLL_ASSIGN(end, run_rung(input_rung));
            if (end != RungEnd::complete) return end;
        }
        if (!race_.plan.settled.value_or(false)) PLIMSOLL_RETURN_IF_ERROR(settle_inputs());
        tell({.kind = RaceNews::Kind::settled, .proposal = &proposal_}, input_rung);
        return RungEnd::complete;
    }

    // race.json is written last: from then on the settled proposal counts.
    Status settle_inputs() {
        const auto chosen = best_inputs(race_, proposal_, look_.goal);
        PLIMSOLL_ASSIGN(settled, settle(request_, look_, proposal_, chosen));
        if (request_.seconds) race_.plan.pace = settled_pace(proposal_, race_.plan.pace, settled);
        proposal_ = std::move(settled);
        if (*race_.plan.input_seeds == 0) race_.notes.emplace_back(inputs_not_tried);
        PLIMSOLL_RETURN_IF_ERROR(atomic_write(places_.settled(), to_json(proposal_).dump(1) + "\n"));
        race_.plan.settled = true;
        return save();
    }

    // Who runs, and how long: from the file when an earlier call began the rung.
    Status begin_rung(int rung) {
        if (race_.plan.flops.size() <= static_cast<std::size_t>(rung)) {
            planner_.add_table(race_);
            PLIMSOLL_RETURN_IF_ERROR(save());
        }
        tell({.kind = RaceNews::Kind::rung_begins, .what = rung_text(rung)}, rung);
        return {};
    }

    [[nodiscard]] std::string rung_text(int rung) const {
        const auto& who = race_.plan.candidates[static_cast<std::size_t>(rung)];
        if (rung == table_rung())
            return fmt::format("{} networks, {} seeds each", who.size(), race_.plan.last_seeds);
        if (rung == input_rung) return input_text(who);
        std::vector<std::string> shapes;
        for (const auto& id : who) shapes.push_back(shape_of(id));
        return "the learning rate, on " + join(shapes, " and on ");
    }

    [[nodiscard]] std::string input_text(const std::vector<std::string>& who) const {
        std::vector<std::string> inputs;
        for (const auto& id : who)
            if (const auto& name = candidate(id).input.name; std::ranges::count(inputs, name) == 0)
                inputs.push_back(name);
        const auto seeds = race_.plan.input_seeds.value_or(0);
        return fmt::format("how the data is cut ({}), {} {} each", join(inputs, ", "), seeds,
                           seeds == 1 ? "seed" : "seeds");
    }

    [[nodiscard]] const Candidate& candidate(const std::string& id) const {
        const Candidate* found = find_candidate(proposal_, id);
        PLIMSOLL_CHECK(found != nullptr, "a race of a candidate that was not proposed");
        return *found;
    }

    [[nodiscard]] std::string shape_of(const std::string& id) const {
        const Candidate& one = candidate(id);
        const std::string shape = fmt::format("{} x {}", one.depth, one.width);
        return one.family == "transformer" ? shape : one.family + " " + shape;
    }

    Result<RaceRun> make_run(const std::string& id, int rung, double rate, std::int64_t seed) const {
        RaceRun run{&candidate(id), rung, rate, seed, {}};
        const auto number = static_cast<std::size_t>(rung);
        RunLength length{race_.plan.flops[number],
                         rate,
                         race_.plan.batch,
                         seed,
                         rung == table_rung(),
                         0,
                         scout_of(proposal_, run.candidate->family)};
        length.evaluated = evaluated_examples(look_, proposal_, judged_with(rung), length.flops, length.last);
        PLIMSOLL_ASSIGN(config, run_config(request_, look_, *run.candidate, length));
        PLIMSOLL_ASSIGN(job, job_of(std::move(config)));
        run.job = std::move(job);
        return run;
    }

    // Those whose values are compared with those of a rung. A run of the search may be one of an input, too.
    [[nodiscard]] std::vector<std::string> judged_with(int rung) const {
        std::vector<std::string> who = race_.plan.candidates[static_cast<std::size_t>(rung)];
        if (rung == table_rung() || !has_input_rung(race_.plan)) return who;
        const auto& other = race_.plan.candidates[rung == rate_rung ? input_rung : rate_rung];
        who.insert(who.end(), other.begin(), other.end());
        return who;
    }

    // Five rates on the network of each family, then one more while the best is at an end.
    Result<RungEnd> find_rates() {
        const bool lower = lower_is_better(look_.goal);
        while (true) {
            std::vector<RaceRun> wave;
            std::vector<int> tried;
            for (const auto& id : race_.plan.candidates.front()) {
                for (const int doublings : next_rates(trials_[id], lower)) {
                    const double rate = rate_at(first_rate(candidate(id)), doublings);
                    PLIMSOLL_ASSIGN(run, make_run(id, rate_rung, rate, request_.seed));
                    wave.push_back(std::move(run));
                    tried.push_back(doublings);
                }
            }
            if (wave.empty()) return RungEnd::complete;
            PLIMSOLL_ASSIGN(end, run_wave(wave, rate_rung));
            for (std::size_t i = 0; i < wave.size(); ++i)
                trials_[wave[i].candidate->id][tried[i]] = value_of_run(race_, wave[i].job.id, rate_rung);
            if (end != RungEnd::complete) return end;
        }
    }

    // The recipe's, or the one that was found on the scout of the candidate's family; nothing when each of
    // its runs failed.
    [[nodiscard]] std::optional<double> rate_of(const std::string& id) const {
        if (recipe_rate_) return recipe_rate_;
        const Candidate& scout = *scout_of(proposal_, candidate(id).family);
        const auto best = best_rate(trials_.at(scout.id), lower_is_better(look_.goal));
        return best ? std::optional(rate_at(first_rate(scout), *best)) : std::nullopt;
    }

    // All to the end, then the rates of the best two, then more seeds where time is left.
    Result<RungEnd> run_table() {
        const std::int64_t planned = race_.plan.first_seeds.value_or(race_.plan.last_seeds);
        PLIMSOLL_ASSIGN(end, run_seeds(planned, table_rung()));
        if (end != RungEnd::complete) return end;
        PLIMSOLL_ASSIGN(checked, check_rates(planned));
        if (checked != RungEnd::complete) return checked;
        for (std::int64_t seeds = planned + 1; seeds <= most_seeds; ++seeds) {
            if (seeds > race_.plan.last_seeds && !pays_for(race_.plan.candidates.back().size())) break;
            race_.plan.last_seeds = std::max(race_.plan.last_seeds, seeds);
            PLIMSOLL_RETURN_IF_ERROR(save());
            PLIMSOLL_ASSIGN(more, run_one_more(request_.seed + seeds - 1));
            if (more != RungEnd::complete) return more;
        }
        return RungEnd::complete;
    }

    // Everybody at its family's rate, seed by seed, so that whole seeds are done when time runs out.
    Result<RungEnd> run_seeds(std::int64_t seeds, int rung) {
        std::vector<RaceRun> wave;
        for (std::int64_t seed = request_.seed; seed < request_.seed + seeds; ++seed) {
            for (const auto& id : race_.plan.candidates[static_cast<std::size_t>(rung)]) {
                const auto rate = rate_of(id);
                if (!rate) continue;
                PLIMSOLL_ASSIGN(run, make_run(id, rung, *rate, seed));
                wave.push_back(std::move(run));
            }
        }
        return run_wave(wave, rung);
    }

    // One seed for everybody, each at the best of its rates that have all seeds so far.
    Result<RungEnd> run_one_more(std::int64_t seed) {
        const auto ranked = mean_rung_values(race_, table_rung(), look_.goal);
        std::vector<RaceRun> wave;
        for (const auto& id : race_.plan.candidates.back()) {
            const auto best = std::ranges::find(ranked, id, &RungValue::candidate);
            if (best == ranked.end()) continue;
            PLIMSOLL_ASSIGN(run, make_run(id, table_rung(), best->rate, seed));
            wave.push_back(std::move(run));
        }
        return run_wave(wave, table_rung());
    }

    // Half and twice the rate for the best two, with one seed; where that is better, with the other seeds
    // too, so that the means can be compared.
    Result<RungEnd> check_rates(std::int64_t seeds) {
        if (recipe_rate_) return RungEnd::complete;
        const auto best = mean_rung_values(race_, table_rung(), look_.goal);
        const std::size_t some = std::min(leaders, best.size());
        if (!pays_for(some * rate_steps.size())) {
            race_.notes.push_back(
                "Nothing was left of the budget to check the learning rate on the best networks.");
            return RungEnd::complete;
        }
        std::vector<RaceRun> wave;
        for (std::size_t i = 0; i < some; ++i) {
            for (const double step : rate_steps) {
                PLIMSOLL_ASSIGN(run, make_run(best[i].candidate, table_rung(), stepped(best[i].rate, step),
                                              request_.seed));
                wave.push_back(std::move(run));
            }
        }
        PLIMSOLL_ASSIGN(end, run_wave(wave, table_rung()));
        return end == RungEnd::complete ? confirm(wave, best, seeds) : Result(end);
    }

    // The other seeds at the rates that were better than the rates before, the most promising network first,
    // as far as the budget pays.
    Result<RungEnd> confirm(const std::vector<RaceRun>& checks, const std::vector<RungValue>& best,
                            std::int64_t seeds) {
        std::vector<RaceRun> wave;
        for (const auto& [value, check] : better_rates(race_, checks, best, request_.seed, look_.goal)) {
            if (!pays_for(wave.size() + static_cast<std::size_t>(seeds - 1))) {
                race_.notes.push_back(fmt::format(
                    "A better learning rate for {} has one seed only: the budget had no room for more.",
                    check->candidate->label));
                continue;
            }
            for (std::int64_t seed = request_.seed + 1; seed < request_.seed + seeds; ++seed) {
                PLIMSOLL_ASSIGN(run, make_run(check->candidate->id, table_rung(), check->rate, seed));
                wave.push_back(std::move(run));
            }
        }
        return wave.empty() ? Result(RungEnd::complete) : run_wave(wave, table_rung());
    }

    // Whether what is left of the budget pays for so many more runs of the table.
    [[nodiscard]] bool pays_for(std::size_t runs) const {
        const auto more = static_cast<double>(runs);
        const double planned = (more - of_whole_steps) * race_.plan.flops.back();
        if (!request_.seconds) return planned <= *request_.flops - race_.flops;
        return std::ceil(more / options_.runner.workers) * mean_run_seconds() < seconds_left();
    }

    // Of a run of the table, by its device.
    [[nodiscard]] double mean_run_seconds() const {
        double seconds = 0, runs = 0;
        for (const auto& entry : race_.entries) {
            if (entry.rung != table_rung()) continue;
            seconds += entry.seconds + race_.plan.start_seconds;
            ++runs;
        }
        return runs > 0 ? seconds / runs : 0;
    }

    Result<RungEnd> run_wave(const std::vector<RaceRun>& wave, int rung) {
        lab::RunnerOptions runner = options_.runner;
        runner.tell = [&](const lab::SweepProgress& progress) {
            tell({.kind = RaceNews::Kind::progress, .what = rung_text(rung), .sweep = &progress}, rung);
        };
        const lab::Plan plan = plan_of(wave);
        PLIMSOLL_ASSIGN(outcome, run_twice(options_.run, plan, runner, [this] { return time_limit(); }));
        for (const auto& run : wave) {
            PLIMSOLL_ASSIGN(entry, entry_of(run, look_, options_.runner.runs));
            if (entry) add_entry(race_, std::move(*entry));
        }
        note_failures(outcome);
        if (outcome.stopped == lab::StopCause::time) return RungEnd::out_of_time;
        if (could_not_train(outcome) && !rung_values(race_, rung, look_.goal).empty())
            return RungEnd::stopped;
        const bool missing = outcome.count(lab::JobResult::stopped) + outcome.count(lab::JobResult::waiting) +
                                 outcome.count(lab::JobResult::elsewhere) >
                             0;
        return outcome.stopped != lab::StopCause::none || missing ? RungEnd::stopped : RungEnd::complete;
    }

    // Nothing with a budget of FLOPs.
    [[nodiscard]] std::optional<std::chrono::seconds> time_limit() const {
        if (!request_.seconds) return std::nullopt;
        return std::chrono::seconds(std::max<std::int64_t>(1, std::llround(seconds_left())));
    }

    // A run whose process ended in some way that its files do not tell has no entry; it is said here.
    void note_failures(const lab::SweepOutcome& outcome) {
        for (const auto& job : outcome.jobs) {
            if (job.state != lab::JobResult::failed) continue;
            const std::string note = failure_note(job.id, job.reason.substr(0, job.reason.find('\n')));
            if (std::ranges::find(race_.notes, note) == race_.notes.end()) race_.notes.push_back(note);
        }
    }

    void note_lack_of_time() {
        race_.notes.push_back(
            "The time was over before all runs were done; what is not done does not count.");
    }

    [[nodiscard]] Error too_slow() const {
        return bad_input("time",
                         fmt::format("{:.0f} s were over before the learning rate was found; give more "
                                     "time, or fewer --params",
                                     *request_.seconds));
    }

    Status end_rung(int rung) {
        const auto ranked = rung_values(race_, rung, look_.goal);
        if (ranked.empty()) return nothing_done(rung);
        std::vector<std::string> ids;
        for (const auto& standing : ranked) ids.push_back(standing.candidate);
        race_.survivors.push_back(std::move(ids));
        if (request_.seconds) update_pace(race_.plan.pace, race_, rung);
        PLIMSOLL_RETURN_IF_ERROR(save());
        tell({.kind = RaceNews::Kind::rung_ends, .what = rung_text(rung)}, rung);
        return {};
    }

    [[nodiscard]] Error nothing_done(int rung) const {
        const std::string why = race_.notes.empty() ? "no run was done" : race_.notes.back();
        return bad_input("race", fmt::format("no run of rung {} came to a value. {}", rung + 1, why));
    }

    void tell(RaceNews news, int rung) {
        if (!options_.tell) return;
        news.rung = rung;
        news.rungs = static_cast<int>(race_.plan.rungs);
        news.flops_per_run = race_.plan.flops[static_cast<std::size_t>(rung)];
        race_.seconds = seconds_spent();
        news.race = &race_;
        news.share_done = std::clamp(share_done(news.sweep, rung), 0.0, 1.0);
        if (request_.seconds) news.seconds_left = std::max(0.0, seconds_left());
        if (!request_.seconds && news.share_done > 0)
            news.seconds_left = race_.seconds * (1 - news.share_done) / news.share_done;
        options_.tell(news);
    }

    [[nodiscard]] double share_done(const lab::SweepProgress* sweep, int rung) const {
        if (request_.seconds) return 1 - seconds_left() / *request_.seconds;
        double done = race_.flops;
        if (sweep != nullptr && sweep->ended == nullptr) {
            done = 0;
            for (const auto& entry : race_.entries) done += entry.rung < rung ? entry.flops : 0;
            done += static_cast<double>(sweep->done) * race_.plan.flops[static_cast<std::size_t>(rung)];
        }
        return done / *request_.flops;
    }

    const FitRequest& request_;
    const DataLook& look_;
    Proposal proposal_;  // that was settled, once the inputs are chosen
    RaceOptions options_;
    FitFolders places_;
    RacePlanner planner_;
    Clock::time_point begun_;
    double spent_before_ = 0;
    std::map<std::string, RateTrials> trials_;  // of each family's scout
    std::optional<double> recipe_rate_;
    Race race_;
};

}  // namespace

Result<Race> run_race(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                      const RaceOptions& options) {
    return Racer(request, look, proposal, options).go();
}

}  // namespace plimsoll::fit
