#pragma once

namespace plimsoll::kernels {

// What a matrix on the device is made of; sums are always kept in float.
enum class Number { bf16, fp32 };

}  // namespace plimsoll::kernels
