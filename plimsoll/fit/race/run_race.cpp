#include "plimsoll/fit/race/run_race.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/fit/places.h"
#include "plimsoll/fit/race/race_entries.h"
#include "plimsoll/fit/race/race_pace.h"
#include "plimsoll/fit/race/race_plan.h"
#include "plimsoll/fit/race/rate_search.h"
#include "plimsoll/fit/race/run_settings.h"
#include "plimsoll/lab/jobs/worker.h"
#include "plimsoll/store/run_state.h"

namespace plimsoll::fit {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t most_seeds = 8;
constexpr double overtime = 1.05;  // of the time that is left, then runs are stopped

// Why a rung ended.
enum class RungEnd { complete, stopped, out_of_time };

std::string failure_note(const std::string& id, const std::string& reason) {
    return fmt::format("Run {} failed: {}.", id, reason);
}

bool is_failure_note(const std::string& note) {
    return note.starts_with("Run ") && note.find(" failed: ") != std::string::npos;
}

class Racer {
  public:
    Racer(const FitRequest& request, const DataLook& look, const Proposal& proposal,
          const RaceOptions& options)
        : request_(request),
          look_(look),
          proposal_(proposal),
          options_(options),
          places_(request.out),
          planner_(request, look, proposal, options_.runner, [this] { return seconds_left(); }),
          begun_(Clock::now()) {
        options_.runner.runs = places_.runs();
        if (!options_.run) options_.run = lab::run_sweep;
        if (!options_.runner.pool) options_.runner.pool = std::make_shared<lab::WorkerPool>();
    }

    Result<Race> go() {
        PLIMSOLL_RETURN_IF_ERROR(load());
        if (race_.complete) return race_;
        if (race_.plan.batch == 0) {
            PLIMSOLL_RETURN_IF_ERROR(planner_.begin(race_));
            PLIMSOLL_RETURN_IF_ERROR(save());
        }
        for (int rung = 0; rung < race_.plan.rungs; ++rung) {
            PLIMSOLL_RETURN_IF_ERROR(begin_rung(rung));
            PLIMSOLL_ASSIGN(end, rung == 0                     ? find_rates()
                                 : rung + 1 < race_.plan.rungs ? run_rung(rung)
                                                               : run_last_rung(rung));
            if (end == RungEnd::stopped) return saved();
            if (end == RungEnd::out_of_time) note_lack_of_time(rung);
            PLIMSOLL_RETURN_IF_ERROR(end_rung(rung));
            if (end == RungEnd::out_of_time) break;
        }
        race_.complete = true;
        return saved();
    }

  private:
    // The plan and the time spent come from the file; entries from the runs' own files.
    Status load() {
        std::error_code ignored;
        if (!std::filesystem::exists(places_.race(), ignored)) return {};
        PLIMSOLL_ASSIGN(json, read_json(places_.race()));
        PLIMSOLL_ASSIGN(race, race_from_json(json));
        race_ = std::move(race);
        spent_before_ = race_.seconds;
        if (race_.complete) return {};
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

    // Who runs, and how long: from the file when an earlier call began the rung.
    Status begin_rung(int rung) {
        if (race_.plan.flops.size() <= static_cast<std::size_t>(rung)) {
            planner_.add_rung(race_, rung);
            PLIMSOLL_RETURN_IF_ERROR(save());
        }
        tell({.kind = RaceNews::Kind::rung_begins, .what = rung_text(rung)}, rung);
        return {};
    }

    [[nodiscard]] std::string rung_text(int rung) const {
        const std::size_t networks = race_.plan.candidates[static_cast<std::size_t>(rung)].size();
        if (rung == 0) return fmt::format("learning rates of {} networks", networks);
        if (rung + 1 < race_.plan.rungs) return fmt::format("{} networks, longer, two rates each", networks);
        return fmt::format("{} networks, {} seeds each", networks, race_.plan.last_seeds);
    }

    Result<RaceRun> make_run(const std::string& id, int rung, double rate, std::int64_t seed) const {
        RaceRun run{find_candidate(proposal_, id), rung, rate, seed, {}};
        PLIMSOLL_CHECK(run.candidate != nullptr, "a race of a candidate that was not proposed");
        const auto number = static_cast<std::size_t>(rung);
        const double flops = race_.plan.flops[number];
        const bool last = rung + 1 == race_.plan.rungs;
        const auto evaluated =
            evaluated_examples(look_, proposal_, race_.plan.candidates[number], flops, last);
        const RunLength length{flops, rate, race_.plan.batch, seed, last, evaluated};
        PLIMSOLL_ASSIGN(config, run_config(request_, look_, *run.candidate, length));
        PLIMSOLL_ASSIGN(job, job_of(std::move(config)));
        run.job = std::move(job);
        return run;
    }

    // Three rates for everybody, then one more for those whose best is at an end.
    Result<RungEnd> find_rates() {
        std::map<std::string, RateTrials> trials;
        const bool lower = lower_is_better(look_.goal);
        while (true) {
            std::vector<RaceRun> wave;
            std::vector<int> tried;
            for (const auto& id : race_.plan.candidates.front()) {
                for (const int k : next_rates(trials[id], lower)) {
                    PLIMSOLL_ASSIGN(
                        run, make_run(id, 0, rate_at(*find_candidate(proposal_, id), k), request_.seed));
                    wave.push_back(std::move(run));
                    tried.push_back(k);
                }
            }
            if (wave.empty()) return RungEnd::complete;
            PLIMSOLL_ASSIGN(end, run_wave(wave, 0));
            for (std::size_t i = 0; i < wave.size(); ++i)
                trials[wave[i].candidate->id][tried[i]] = value_of_run(wave[i].job.id);
            if (end != RungEnd::complete) return end;
        }
    }

    [[nodiscard]] std::optional<double> value_of_run(const std::string& id) const {
        const auto found = std::ranges::find_if(race_.entries, [&](const auto& entry) {
            return entry.run == id && entry.rung == 0 && entry.state == "done" && std::isfinite(entry.value);
        });
        return found == race_.entries.end() ? std::nullopt : std::optional(found->value);
    }

    // Everybody at the best rate so far, seed by seed, so that whole seeds are done when time runs out;
    // between the first and the last rung also at the next lower rate.
    Result<RungEnd> run_rung(int rung) {
        const auto rates = standings(race_, rung - 1, look_.goal);
        const bool last = rung + 1 == race_.plan.rungs;
        const std::int64_t seeds = last ? race_.plan.last_seeds : 1;
        std::vector<RaceRun> wave;
        for (std::int64_t seed = request_.seed; seed < request_.seed + seeds; ++seed) {
            for (const auto& id : race_.plan.candidates[static_cast<std::size_t>(rung)]) {
                const auto found = std::ranges::find(rates, id, &Standing::candidate);
                PLIMSOLL_CHECK(found != rates.end(), "a network without a rate was kept");
                PLIMSOLL_ASSIGN(run, make_run(id, rung, found->rate, seed));
                wave.push_back(std::move(run));
                if (last) continue;
                PLIMSOLL_ASSIGN(slower, make_run(id, rung, lower_rate(found->rate), seed));
                wave.push_back(std::move(slower));
            }
        }
        return run_wave(wave, rung);
    }

    // Time that is left buys further seeds.
    Result<RungEnd> run_last_rung(int rung) {
        while (true) {
            PLIMSOLL_ASSIGN(end, run_rung(rung));
            const bool more = request_.seconds && race_.plan.last_seeds < most_seeds &&
                              seconds_of_a_seed(rung) < seconds_left();
            if (end != RungEnd::complete || !more) return end;
            ++race_.plan.last_seeds;
            PLIMSOLL_RETURN_IF_ERROR(save());
        }
    }

    [[nodiscard]] double seconds_of_a_seed(int rung) const {
        double seconds = 0;
        for (const auto& entry : race_.entries)
            if (entry.rung == rung) seconds += entry.seconds + race_.plan.start_seconds;
        return seconds / static_cast<double>(race_.plan.last_seeds) / options_.runner.workers;
    }

    Result<RungEnd> run_wave(const std::vector<RaceRun>& wave, int rung) {
        lab::RunnerOptions runner = options_.runner;
        runner.tell = [&](const lab::SweepProgress& progress) {
            tell({.kind = RaceNews::Kind::progress, .what = rung_text(rung), .sweep = &progress}, rung);
        };
        if (request_.seconds) runner.stop_after = time_limit();
        const lab::Plan plan = plan_of(wave);
        PLIMSOLL_ASSIGN(outcome, run_twice(plan, runner));
        for (const auto& run : wave) {
            PLIMSOLL_ASSIGN(entry, entry_of(run, look_, options_.runner.runs));
            if (entry) add_entry(race_, std::move(*entry));
        }
        note_failures(outcome);
        if (outcome.stopped == lab::StopCause::time) return RungEnd::out_of_time;
        if (could_not_train(outcome) && !standings(race_, rung, look_.goal).empty()) return RungEnd::stopped;
        const bool missing = outcome.count(lab::JobResult::stopped) + outcome.count(lab::JobResult::waiting) +
                                 outcome.count(lab::JobResult::elsewhere) >
                             0;
        return outcome.stopped != lab::StopCause::none || missing ? RungEnd::stopped : RungEnd::complete;
    }

    // Whether a run failed for a reason that its files do not have: a full disk, a busy device, a worker that
    // died. Such a run is no loser; the same command tries it again.
    static bool could_not_train(const lab::SweepOutcome& outcome) {
        return std::ranges::any_of(outcome.jobs, [](const auto& job) {
            return job.state == lab::JobResult::failed && !job.lasting;
        });
    }

    // Runs the jobs, and those once more that failed for a reason that is not the network's: a run that
    // diverged has made steps and says so in its files.
    Result<lab::SweepOutcome> run_twice(const lab::Plan& plan, lab::RunnerOptions runner) {
        PLIMSOLL_ASSIGN(outcome, options_.run(plan, runner));
        lab::Plan again;
        again.file = plan.file;
        for (const auto& job : outcome.jobs) {
            if (job.state != lab::JobResult::failed) continue;
            const auto found = std::ranges::find(plan.jobs, job.id, &lab::Job::id);
            const auto state = store::read_state(options_.runner.runs / job.id);
            const bool diverged = job.lasting && state.ok() && state->step > 0;
            if (!diverged) again.jobs.push_back(*found);
        }
        if (again.jobs.empty() || outcome.stopped != lab::StopCause::none) return outcome;
        runner.retry_failed = true;
        if (request_.seconds) runner.stop_after = time_limit();
        PLIMSOLL_ASSIGN(second, options_.run(again, runner));
        for (auto& job : second.jobs) *std::ranges::find(outcome.jobs, job.id, &lab::JobOutcome::id) = job;
        outcome.stopped = second.stopped;
        return outcome;
    }

    [[nodiscard]] std::chrono::seconds time_limit() const {
        return std::chrono::seconds(std::max<std::int64_t>(1, std::llround(overtime * seconds_left())));
    }

    // A run whose process ended in some way that its files do not tell has no entry; it is said here.
    void note_failures(const lab::SweepOutcome& outcome) {
        for (const auto& job : outcome.jobs) {
            if (job.state != lab::JobResult::failed) continue;
            const std::string note = failure_note(job.id, job.reason.substr(0, job.reason.find('\n')));
            if (std::ranges::find(race_.notes, note) == race_.notes.end()) race_.notes.push_back(note);
        }
    }

    void note_lack_of_time(int rung) {
        race_.notes.push_back(fmt::format(
            "The time was over before all runs of rung {} of {} were done; what is not done does not count.",
            rung + 1, race_.plan.rungs));
    }

    Status end_rung(int rung) {
        const auto ranked = standings(race_, rung, look_.goal);
        if (ranked.empty()) return nothing_done(rung);
        race_.survivors.push_back(planner_.promoted(race_, rung + 1));
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
    const Proposal& proposal_;
    RaceOptions options_;
    Places places_;
    RacePlanner planner_;
    Clock::time_point begun_;
    double spent_before_ = 0;
    Race race_;
};

}  // namespace

Result<Race> run_race(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                      const RaceOptions& options) {
    return Racer(request, look, proposal, options).go();
}

}  // namespace plimsoll::fit
