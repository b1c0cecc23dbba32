#pragma once

#include <algorithm>
#include <chrono>
#include <string>

#include "plimsoll/lab/jobs/stack_run.h"

namespace plimsoll::lab {

constexpr std::chrono::milliseconds between_looks{500}, between_tries{60'000};

// Jobs that another process holds, by their files or by the answer to a worker of ours.
struct Absent {
    using Clock = std::chrono::steady_clock;

    Stack stack;
    std::string who;
    Clock::time_point since = Clock::now();
    int tries = 0;                    // of ours that were turned away
    Clock::time_point tried = since;  // when the last of them was

    // Which of them it is.
    [[nodiscard]] std::size_t key() const {
        return std::ranges::find(stack.members, true, &StackMember::open)->index;
    }
    // Tried again when the files say that they are free, after a while that grows, or after a minute anyway.
    [[nodiscard]] bool due(bool free) const {
        constexpr int most_doublings = 7;
        if (tries == 0) return true;
        const auto rest = between_looks * (1 << std::min(tries - 1, most_doublings));
        return Clock::now() - tried >= (free ? std::min(rest, between_tries) : between_tries);
    }
};

}  // namespace plimsoll::lab
