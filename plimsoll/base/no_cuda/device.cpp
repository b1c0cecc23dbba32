#include "plimsoll/base/device.h"

namespace plimsoll {

CudaFacts cuda_facts() { return {.problem = "this binary was built without CUDA"}; }

}  // namespace plimsoll
