#define PLIMSOLL_LANES 2
#include "plimsoll/rank/simd/loops.h"

namespace plimsoll::rank::simd {

const Kernels plain{"plain", PLIMSOLL_LANES, gram_any_width, square_row};

}  // namespace plimsoll::rank::simd
