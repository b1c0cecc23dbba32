#define PLIMSOLL_LANES 4
#include "plimsoll/rank/simd/loops.h"

namespace plimsoll::rank::simd {

const Kernels avx2{"avx2", PLIMSOLL_LANES, gram_any_width, square_row};

}  // namespace plimsoll::rank::simd
