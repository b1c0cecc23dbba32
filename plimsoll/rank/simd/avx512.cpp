#define PLIMSOLL_LANES 8
#include "plimsoll/rank/simd/loops.h"

namespace plimsoll::rank::simd {

const Kernels avx512{"avx512", PLIMSOLL_LANES, gram_any_width, square_row};

}  // namespace plimsoll::rank::simd
