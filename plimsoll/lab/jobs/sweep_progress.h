#pragma once

#include <deque>
#include <vector>

#include "plimsoll/lab/jobs/pace.h"
#include "plimsoll/lab/jobs/stack_run.h"

namespace plimsoll::lab {

// What a sweep has in hand.
struct WorkInHand {
    const std::vector<StackRun>& active;
    const std::deque<Stack>& queue;
    const std::vector<double>& weights;  // of what was left of each job when the sweep began
    const Pace& pace;                    // of what has ended
    int workers = 1;
};

// Adds what runs and waits to a progress, and how long the whole will take at the pace so far.
void add_work_in_hand(SweepProgress& progress, const WorkInHand& work);

}  // namespace plimsoll::lab
