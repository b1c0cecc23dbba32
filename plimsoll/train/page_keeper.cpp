#include "plimsoll/train/page_keeper.h"

#include <climits>

#include <malloc.h>

namespace plimsoll::train {

void keep_pages() {
#ifdef __GLIBC__
    ::mallopt(M_MMAP_MAX, 0);  // large pieces too come from the heap; M_MMAP_THRESHOLD would stop at 32 MiB
    ::mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

}  // namespace plimsoll::train
