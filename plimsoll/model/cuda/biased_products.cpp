#include "plimsoll/model/cuda/biased_products.h"

#include <algorithm>
#include <cstdint>

#include <ATen/cuda/CUDAContext.h>
#include <cublasLt.h>

#include "plimsoll/base/check.h"
#include "plimsoll/model/cuda/tensors.h"

namespace plimsoll::model::cuda {
namespace {

using at::Tensor;

constexpr std::size_t workspace_bytes = 32 << 20;  // what NVIDIA recommends for Hopper

void check(cublasStatus_t status) {
    PLIMSOLL_CHECK(status == CUBLAS_STATUS_SUCCESS, "cuBLASLt takes the product of a stack");
}

// The largest power of two up to 256 that divides the address.
std::uint32_t alignment_of(const Tensor& x) {
    const auto address = reinterpret_cast<std::uintptr_t>(x.data_ptr());
    std::uint32_t bytes = 256;
    while (address % bytes != 0) bytes /= 2;
    return bytes;
}

// What cuBLASLt calls a layout: a matrix (rows, columns) of every run, column by column.
class Layout {
  public:
    Layout(cudaDataType_t type, const Tensor& x) {
        check(cublasLtMatrixLayoutCreate(&layout_, type, static_cast<std::uint64_t>(x.size(2)),
                                         static_cast<std::uint64_t>(x.size(1)), x.stride(1)));
        const auto runs = static_cast<std::int32_t>(x.size(0));
        const std::int64_t stride = x.stride(0);
        check(cublasLtMatrixLayoutSetAttribute(layout_, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &runs,
                                               sizeof(runs)));
        check(cublasLtMatrixLayoutSetAttribute(layout_, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
                                               sizeof(stride)));
    }
    ~Layout() { cublasLtMatrixLayoutDestroy(layout_); }
    Layout(const Layout&) = delete;
    Layout& operator=(const Layout&) = delete;
    operator cublasLtMatrixLayout_t() const { return layout_; }

  private:
    cublasLtMatrixLayout_t layout_ = nullptr;
};

// weight^T by x, plus the bias of each run.
class Operation {
  public:
    Operation(cudaDataType_t type, const Tensor& bias) {
        check(cublasLtMatmulDescCreate(&operation_, CUBLAS_COMPUTE_32F, CUDA_R_32F));
        set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
        set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
        set(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, type);
        set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias.data_ptr());
        set(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, bias.stride(0));
    }
    ~Operation() { cublasLtMatmulDescDestroy(operation_); }
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;
    operator cublasLtMatmulDesc_t() const { return operation_; }

  private:
    template <class Value>
    void set(cublasLtMatmulDescAttributes_t attribute, const Value& value) {
        check(cublasLtMatmulDescSetAttribute(operation_, attribute, &value, sizeof(value)));
    }
    cublasLtMatmulDesc_t operation_ = nullptr;
};

class Preference {
  public:
    Preference(const Tensor& a, const Tensor& b, const Tensor& out) {
        check(cublasLtMatmulPreferenceCreate(&preference_));
        set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, workspace_bytes);
        set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment_of(a));
        set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment_of(b));
        set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment_of(out));
        set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment_of(out));
    }
    ~Preference() { cublasLtMatmulPreferenceDestroy(preference_); }
    Preference(const Preference&) = delete;
    Preference& operator=(const Preference&) = delete;
    operator cublasLtMatmulPreference_t() const { return preference_; }

  private:
    template <class Value>
    void set(cublasLtMatmulPreferenceAttributes_t attribute, const Value& value) {
        check(cublasLtMatmulPreferenceSetAttribute(preference_, attribute, &value, sizeof(value)));
    }
    cublasLtMatmulPreference_t preference_ = nullptr;
};

// Rows without gaps; those of different runs may be anywhere.
Tensor with_plain_rows(const Tensor& x) {
    return x.stride(2) == 1 && x.stride(1) == x.size(2) ? x : x.contiguous();
}

}  // namespace

Tensor biased_products(const Tensor& any_x, const Tensor& any_weight, const Tensor& any_bias) {
    const Tensor x = with_plain_rows(any_x), weight = with_plain_rows(any_weight),
                 bias = any_bias.stride(1) == 1 ? any_bias : any_bias.contiguous();
    const Tensor out = at::empty({x.size(0), x.size(1), weight.size(1)}, x.options());
    const auto type = x.scalar_type() == at::kBFloat16 ? CUDA_R_16BF : CUDA_R_32F;
    const Operation operation(type, bias);
    const Layout a(type, weight), b(type, x), d(type, out);
    const Preference preference(weight, x, out);
    const auto handle = at::cuda::getCurrentCUDABlasLtHandle();
    cublasLtMatmulHeuristicResult_t found{};
    int count = 0;
    const auto status =
        cublasLtMatmulAlgoGetHeuristic(handle, operation, a, b, d, d, preference, 1, &found, &count);
    if (status != CUBLAS_STATUS_SUCCESS || count == 0) return {};
    const Tensor workspace =
        at::empty({static_cast<std::int64_t>(std::max<std::size_t>(found.workspaceSize, 1))},
                  x.options().dtype(at::kByte));
    const float one = 1, zero = 0;
    check(cublasLtMatmul(handle, operation, &one, weight.data_ptr(), a, x.data_ptr(), b, &zero,
                         out.data_ptr(), d, out.data_ptr(), d, &found.algo, workspace.data_ptr(),
                         found.workspaceSize, stream()));
    return out;
}

}  // namespace plimsoll::model::cuda
