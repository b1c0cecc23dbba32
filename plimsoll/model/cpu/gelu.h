#pragma once

#include <torch/types.h>

namespace plimsoll::model::cpu {

// x Phi(x), entry by entry, on all threads, float or double, with its gradient.
at::Tensor gelu(const at::Tensor& x);

}  // namespace plimsoll::model::cpu
