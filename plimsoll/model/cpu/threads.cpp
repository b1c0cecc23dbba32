#include "plimsoll/model/cpu/threads.h"

#include <ATen/Parallel.h>
#include <ATen/core/LegacyTypeDispatch.h>

#ifndef _OPENMP
#error "compile this file with OpenMP: without it there is one thread"
#endif

namespace plimsoll::model::cpu {

// Of one piece of work alone parallel_for() would make no parallel region, and BLAS would make its own.
void on_all_threads(std::int64_t count, const RangeWork& work) {
    at::parallel_for(0, std::max<std::int64_t>(count, 2), 1, [&](std::int64_t first, std::int64_t last) {
        const at::AutoDispatchBelowADInplaceOrView no_graph;
        work(std::min(first, count), std::min(last, count));
    });
}

}  // namespace plimsoll::model::cpu
