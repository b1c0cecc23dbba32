#include "plimsoll/lab/jobs/sweep_progress.h"

#include <algorithm>

namespace plimsoll::lab {
namespace {

// What is left of a job that runs.
struct Rest {
    double weight = 0;
    std::size_t stack = 0;  // in WorkInHand::active
};

// Reads how far the members of a stack are.
void follow(SweepProgress& progress, const WorkInHand& work, std::size_t stack, Pace& pace,
            std::vector<Rest>& rest) {
    const StackRun& run = work.active[stack];
    const auto& members = run.stack().members;
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (!members[i].open) continue;
        progress.running.push_back(run.look(i));
        const double share = run.share(i, progress.running.back());
        const double weight = work.weights[members[i].index];
        pace.add(share * weight, share > 0 ? run.own_seconds() : 0);
        rest.push_back({(1 - share) * weight, stack});
    }
}

// A stack takes as long as what is left of its members together.
void estimate(SweepProgress& progress, const WorkInHand& work, const Pace& pace,
              const std::vector<Rest>& rest) {
    std::vector<double> left(work.active.size(), 0);
    for (const Rest& one : rest) left[one.stack] += *pace.seconds(one.weight);
    for (std::size_t i = 0; i < rest.size(); ++i) {
        RunningJob& now = progress.running[i];
        if (!now.seconds_left) now.seconds_left = left[rest[i].stack];
    }
    for (const Stack& stack : work.queue)
        for (const StackMember& member : stack.members)
            if (member.open) left.push_back(*pace.seconds(work.weights[member.index]));
    progress.seconds_left = time_left(left, work.workers);
}

}  // namespace

void add_work_in_hand(SweepProgress& progress, const WorkInHand& work) {
    Pace pace = work.pace;
    std::vector<Rest> rest;
    for (std::size_t k = 0; k < work.active.size(); ++k) follow(progress, work, k, pace, rest);
    for (const Stack& stack : work.queue) progress.waiting += stack.open();
    if (pace.seconds(1)) estimate(progress, work, pace, rest);
}

}  // namespace plimsoll::lab
