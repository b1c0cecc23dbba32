#pragma once

#include <cstddef>
#include <functional>

namespace plimsoll::bpe {

// How many threads `asked` means: itself, or all of the machine's for 0.
std::size_t thread_count(std::size_t asked);

// Runs work(0) ... work(threads - 1) at the same time and waits for all; what one of them throws is thrown
// here.
void run_on_threads(std::size_t threads, const std::function<void(std::size_t)>& work);

}  // namespace plimsoll::bpe
