#include "plimsoll/train/stack_session.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "plimsoll/arch/count.h"
#include "plimsoll/train/device_graph.h"
#include "plimsoll/train/gradient_squares.h"
#include "plimsoll/train/loss.h"
#include "plimsoll/train/peak.h"

namespace plimsoll::train {
namespace {

using TrainClock = std::chrono::steady_clock;

constexpr double mebibyte = 1024 * 1024;

double seconds_since(TrainClock::time_point start) {
    return std::chrono::duration<double>(TrainClock::now() - start).count();
}

// The next multiple of `every` after `step`, or the end.
std::int64_t next_multiple(std::int64_t step, std::int64_t every, std::int64_t end) {
    return every <= 0 ? end : std::min(end, (step / every + 1) * every);
}

// Trains the live members of a stack. Those that resumed from a later step than others wait for them, those
// that have ended keep their slot: the number of runs never changes, and no run's numbers depend on
// another's.
class Session {
  public:
    Session(Members& members, const TrainOptions& options, Processes& processes, SessionParts parts)
        : members_(members),
          options_(options),
          processes_(processes),
          parts_(std::move(parts)),
          program_({configs_of(members), parts_.steps}, *parts_.network, *parts_.feed, processes),
          flops_per_example_(flops_of(members.front().config)) {
        for (std::size_t k = 0; k < members.size(); ++k) members[k].steps = parts_.steps[k];
    }

    // An error that concerns all members.
    Status go() {
        forget_peak(parts_.device);  // what the measurement of its speed took
        PLIMSOLL_RETURN_IF_ERROR(processes_.agree(check_first_batch()));
        PLIMSOLL_RETURN_IF_ERROR(processes_.agree(resume()));
        share_state();
        for (Member& member : members_) PLIMSOLL_RETURN_IF_ERROR(finish_if_complete(member));
        while (anybody_live()) {
            PLIMSOLL_RETURN_IF_ERROR(advance());
            if (anybody_live() && stop_together()) return leave();
        }
        return {};
    }

  private:
    static double flops_of(const run::RunConfig& config) {
        const bool tokens = run::input_kind(config.model.spec) == run::InputKind::tokens;
        const auto cost =
            arch::count(config.model.spec, {.context = tokens ? run::context_length(config) : 0});
        if (!cost.ok()) return 0;
        return cost->training_flops.real() * static_cast<double>(cost->unit == "token" ? cost->tokens : 1);
    }

    [[nodiscard]] bool anybody_live() const { return std::ranges::any_of(members_, &Member::live); }

    Status check_first_batch() {
        parts_.feed->choose(1, 1);
        const at::NoGradGuard no_grad;
        const auto first =
            torch::zeros({1}, torch::TensorOptions().dtype(torch::kLong).device(parts_.device));
        const Batch batch = parts_.feed->at(first, 0);
        PLIMSOLL_RETURN_IF_ERROR(model::check_input(members_.front().config.model.spec, batch.input));
        return check_output(parts_.network->forward(batch.input, 0), batch.targets,
                            parts_.feed->target_limit());
    }

    // A member whose checkpoint cannot be read ends; alone, that is the error of all.
    Status resume() {
        for (Member& member : members_) {
            if (!member.record || !member.live()) continue;
            const Status begun = resume(member);
            if (!begun.ok() && members_.size() == 1) return begun;
            if (!begun.ok()) member.end(begun.error());
        }
        return {};
    }

    // The checkpoint that a run resumes from is kept now, when it was not before and is asked for.
    Status resume(Member& member) {
        if (parts_.feed->table()) PLIMSOLL_RETURN_IF_ERROR(member.record->keep_table(*parts_.feed->table()));
        PLIMSOLL_ASSIGN(step, member.record->resume(program_, member.config, member.steps));
        PLIMSOLL_RETURN_IF_ERROR(member.record->start(step));
        member.step = member.saved = step;
        return step > 0 && member.is_kept() ? save(member) : Status();
    }

    // Weights, the optimizer's memory and the step as the first process has them, fresh or resumed.
    void share_state() {
        const torch::Tensor step = torch::full({1}, members_.front().step, torch::kLong);
        processes_.copy_from_first(step);
        members_.front().step = step.item<std::int64_t>();
        program_.share_state();
    }

    // The live members that are furthest behind make the next steps.
    [[nodiscard]] std::int64_t first_step() const {
        std::int64_t first = std::numeric_limits<std::int64_t>::max();
        for (const Member& member : members_)
            if (member.live()) first = std::min(first, member.step);
        return first;
    }

    // To the next thing that is due for one of them, or to where the next member joins in.
    [[nodiscard]] std::int64_t block_end(std::int64_t now) const {
        std::int64_t end = now + most_steps_at_a_time;
        for (const Member& member : members_) {
            if (!member.live()) continue;
            end = std::min(end, member.step == now ? member.next_stop() : member.step);
        }
        return end;
    }

    Status advance() {
        const std::int64_t now = first_step();
        std::vector<bool> active;
        for (const Member& member : members_) active.push_back(member.live() && member.step == now);
        program_.set_active(active);
        const auto start = TrainClock::now();
        // Several processes stop at the end of a block, where they can agree on it.
        const auto records = program_.run(now + 1, block_end(now) - now,
                                          processes_.count() == 1 ? options_.stop : std::function<bool()>());
        const double seconds = seconds_since(start);
        evaluations_.clear();
        noise_.clear();
        for (std::size_t k = 0; k < members_.size(); ++k) {
            if (!active[k]) continue;
            members_[k].step += std::ssize(records[k]);
            PLIMSOLL_RETURN_IF_ERROR(book_together(k, records[k], seconds));
        }
        tell(active);
        return {};
    }

    // What is wrong for one member of several ends that member alone.
    Status book_together(std::size_t k, const std::vector<StepRecord>& records, double seconds) {
        Member& member = members_[k];
        const Status booked = processes_.agree(member.record ? book(k, records, seconds) : Status());
        if (!booked.ok() && members_.size() == 1) return booked;
        if (booked.ok()) return finish_if_complete(member);
        member.end(booked.error());
        return {};
    }

    // Writes down what the last steps of a member left, and what is due at this one.
    Status book(std::size_t k, const std::vector<StepRecord>& records, double seconds) {
        Member& member = members_[k];
        const auto& settings = member.config.train;
        PLIMSOLL_RETURN_IF_ERROR(member.record->take(records));
        measure(member, static_cast<double>(records.size()), seconds);
        if (member.due(settings.log_every)) PLIMSOLL_RETURN_IF_ERROR(member.record->add_row(member.last));
        if (member.measures_noise())
            PLIMSOLL_RETURN_IF_ERROR(
                member.record->add_noise(member.step, noise_sample(noise(member.step)[k])));
        if (member.due(settings.eval_every))
            PLIMSOLL_RETURN_IF_ERROR(member.record->add_evaluation(member.step, evaluations()[k]));
        return member.due(settings.checkpoint_every) || member.is_kept() ? save(member) : Status();
    }

    Status save(Member& member) {
        const auto keep = member.is_kept() ? store::Keep::always : store::Keep::until_next;
        PLIMSOLL_RETURN_IF_ERROR(member.record->save(member.step, program_, keep));
        member.saved = member.step;
        return {};
    }

    // Of all members as they are now: one pass over the split serves all that are due.
    const std::vector<Evaluation>& evaluations() {
        if (evaluations_.empty())
            evaluations_ =
                evaluate_on(*parts_.network, *parts_.feed, members_.front().config.train.eval_batches);
        return evaluations_;
    }

    // Of all members on the batches of the next step, which no weight has seen.
    const std::vector<GradientSquares>& noise(std::int64_t step) {
        if (noise_.empty()) noise_ = gradient_squares(*parts_.network, *parts_.feed, step + 1);
        return noise_;
    }

    // FLOPs are those of all processes, and so is what they could reach.
    void measure(Member& member, double steps, double seconds) const {
        const double examples =
            steps * static_cast<double>(member.config.train.batch) / std::max(seconds, 1e-9);
        const double flops = examples * flops_per_example_;
        member.last = {member.step,
                       member.last_step(),
                       1,
                       member.record->mean_loss(),
                       run::learning_rate(member.config, member.step, member.steps),
                       examples,
                       flops,
                       std::min(1.0, flops / (peak_ * processes_.count())),  // peak_ is measured for a moment
                       seconds_since(start_),
                       static_cast<double>(peak_bytes(parts_.device)) / mebibyte};
    }

    // The members that made the last steps, as one.
    void tell(const std::vector<bool>& active) const {
        if (!options_.tell || !processes_.first()) return;
        std::optional<TrainProgress> all;
        for (std::size_t k = 0; k < members_.size(); ++k) {
            if (!active[k] || (!members_[k].live() && !members_[k].result->ok())) continue;
            all = all ? sum_of(*all, members_[k].last) : members_[k].last;
        }
        if (!all) return;
        all->loss /= static_cast<double>(all->runs);
        all->mfu = std::min(1.0, all->mfu);
        options_.tell(*all);
    }

    static TrainProgress sum_of(TrainProgress all, const TrainProgress& one) {
        all.runs += 1;
        all.loss += one.loss;
        all.examples_per_second += one.examples_per_second;
        all.flops_per_second += one.flops_per_second;
        all.mfu += one.mfu;
        return all;
    }

    // Whether one of the processes was asked to stop.
    bool stop_together() {
        const torch::Tensor told = torch::full({1}, options_.stop && options_.stop() ? 1 : 0, torch::kLong);
        processes_.sum(told);
        return told.item<std::int64_t>() > 0;
    }

    // The end of a session before the end of the runs.
    Status leave() {
        for (Member& member : members_) {
            if (!member.live()) continue;
            PLIMSOLL_RETURN_IF_ERROR(end_together(member, leave(member, true)));
        }
        return {};
    }

    Result<RunSummary> leave(Member& member, bool stopped) {
        if (!member.record)
            return RunSummary{.rank = processes_.rank(), .step = member.step, .stopped = stopped};
        if (member.step != member.saved) PLIMSOLL_RETURN_IF_ERROR(save(member));
        return member.record->leave(member.step, stopped);
    }

    Status finish_if_complete(Member& member) {
        if (!member.live() || member.step < member.last_step()) return {};
        if (member.step < member.steps) return end_together(member, leave(member, false));
        if (member.record) return end_together(member, member.record->finish(member.step));
        return end_together(member, RunSummary{.rank = processes_.rank(), .step = member.step});
    }

    Status end_together(Member& member, Result<RunSummary> summary) {
        summary = processes_.agree(std::move(summary));
        if (!summary.ok() && members_.size() == 1) return summary.error();
        member.end(with_seconds(std::move(summary)));
        return {};
    }

    [[nodiscard]] Result<RunSummary> with_seconds(Result<RunSummary> summary) const {
        if (!summary.ok()) return summary;
        RunSummary timed = std::move(summary).value();
        timed.seconds = seconds_since(start_);
        return timed;
    }

    Members& members_;
    const TrainOptions& options_;
    Processes& processes_;
    SessionParts parts_;
    StepProgram program_;
    TrainClock::time_point start_ = TrainClock::now();
    double flops_per_example_ = 0;
    double peak_ = processes_.first() ? gemm_rate(parts_.device, parts_.feed->plan().dtype) : 0;
    std::vector<Evaluation> evaluations_;  // of this step, once they were asked for
    std::vector<GradientSquares> noise_;   // the same
};

}  // namespace

std::int64_t Member::next_stop() const {
    return std::min({next_multiple(step, config.train.log_every, steps),
                     next_multiple(step, config.train.eval_every, steps),
                     next_multiple(step, config.train.checkpoint_every, steps),
                     next_multiple(step, config.train.noise_every, steps), next_kept()});
}

std::int64_t Member::next_kept() const {
    const auto next = std::ranges::upper_bound(keep, step);
    return next == keep.end() ? steps : std::min(steps, *next);
}

void Member::end(Result<RunSummary> how) {
    if (!how.ok() && record) record->fail(how.error());
    record.reset();
    result = std::move(how);
}

std::vector<run::RunConfig> configs_of(const Members& members) {
    std::vector<run::RunConfig> configs;
    for (const Member& member : members) configs.push_back(member.config);
    return configs;
}

Status train_session(Members& members, const TrainOptions& options, Processes& processes,
                     SessionParts parts) {
    return Session(members, options, processes, std::move(parts)).go();
}

}  // namespace plimsoll::train
