#pragma once

#include <algorithm>
#include <cstdint>

#include <ATen/Parallel.h>

namespace plimsoll::model::cpu {

// Numbers that are worth the start of another thread.
constexpr std::int64_t chunk = 16384;

// work(start, count) for 0 .. total - 1 in chunks, on all threads. A chunk is never divided, so that any
// number of threads gives the same bits.
template <class Work>
void for_chunks(std::int64_t total, const Work& work) {
    at::parallel_for(0, (total + chunk - 1) / chunk, 1, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) work(i * chunk, std::min(chunk, total - i * chunk));
    });
}

}  // namespace plimsoll::model::cpu
