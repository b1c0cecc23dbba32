#pragma once

#include <ATen/ATen.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

#include "plimsoll/kernels/column_sums.h"
#include "plimsoll/kernels/number.h"

// Between tensors and the raw pointers of plimsoll/kernels.
namespace plimsoll::model::cuda {

// Whether the kernels take numbers of this type on this device.
inline bool taken(const at::Tensor& x) {
    return x.is_cuda() && x.numel() > 0 &&
           (x.scalar_type() == at::kBFloat16 || x.scalar_type() == at::kFloat);
}

inline kernels::Number number_of(const at::Tensor& x) {
    return x.scalar_type() == at::kBFloat16 ? kernels::Number::bf16 : kernels::Number::fp32;
}

inline cudaStream_t stream() { return c10::cuda::getCurrentCUDAStream().stream(); }

// A tensor without entries for an undefined one, which no function of autograd takes.
inline at::Tensor or_none(const at::Tensor& x, const at::Tensor& like) {
    return x.defined() ? x : at::empty({0}, like.options().requires_grad(false));
}

// Null for an undefined tensor.
inline const void* pointer(const at::Tensor& x) { return x.defined() ? x.data_ptr() : nullptr; }

inline at::TensorOptions floats_like(const at::Tensor& x) { return x.options().dtype(at::kFloat); }

// partials (runs, bands, width) float to (runs, width) numbers as `like`, in a fixed order.
inline at::Tensor joined(const at::Tensor& partials, const at::Tensor& like) {
    const at::Tensor sums = at::empty({partials.size(0), partials.size(2)}, like.options());
    kernels::join_partials(number_of(like), partials.data_ptr<float>(), static_cast<int>(partials.size(0)),
                           static_cast<int>(partials.size(1)), partials.size(2), sums.data_ptr(), stream());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return sums;
}

}  // namespace plimsoll::model::cuda
