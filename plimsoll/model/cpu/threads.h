#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

// Work on all of LibTorch's threads. Its own at::parallel_for() is a template that does nothing in parallel
// where it is compiled without OpenMP; threads.cpp alone is compiled with it.
namespace plimsoll::model::cpu {

using RangeWork = std::function<void(std::int64_t first, std::int64_t last)>;

// work(first, last) for ranges that make up 0 .. count - 1, without a record for gradients. Inside it
// LibTorch and BLAS use the thread that calls them alone.
void on_all_threads(std::int64_t count, const RangeWork& work);

// Numbers that are worth the start of another thread.
constexpr std::int64_t chunk = 16384;

// work(start, count) for 0 .. total - 1 in chunks. A chunk is never divided, so that any number of threads
// gives the same bits.
template <class Work>
void for_chunks(std::int64_t total, const Work& work) {
    on_all_threads((total + chunk - 1) / chunk, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) work(i * chunk, std::min(chunk, total - i * chunk));
    });
}

}  // namespace plimsoll::model::cpu
