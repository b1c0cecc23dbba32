#include "plimsoll/cli/torch/torch_doctor.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/matmul.h>
#include <torch/version.h>

#include "plimsoll/base/format.h"
#include "plimsoll/cli/doctor/matmul_check.h"

namespace plimsoll::cli {
namespace {

constexpr std::size_t size = 1024;  // rows and columns of the product that is timed
constexpr std::uint64_t seed = 2021;
constexpr double measuring_seconds = 0.5;

struct TimedProduct {
    at::Tensor value;      // (size, size)
    double seconds = 0.0;  // the fastest of several
};

at::Tensor as_tensor(std::vector<float>& values) {
    const auto n = static_cast<std::int64_t>(size);
    return at::from_blob(values.data(), {n, n}, at::kFloat);
}

TimedProduct timed_product(const at::Tensor& a, const at::Tensor& b) {
    using Clock = std::chrono::steady_clock;
    TimedProduct best{at::matmul(a, b), 1e300};  // the first call starts the threads and is not timed
    for (double spent = 0; spent < measuring_seconds;) {
        const auto start = Clock::now();
        best.value = at::matmul(a, b);
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        best.seconds = std::min(best.seconds, seconds);
        spent += seconds;
    }
    return best;
}

DoctorCheck examine_matmul() {
    auto a = small_whole_matrix(size, size, seed, "a"), b = small_whole_matrix(size, size, seed, "b");
    const TimedProduct product = timed_product(as_tensor(a), as_tensor(b));
    const at::Tensor c = product.value.contiguous();
    if (!product_is_right({a.data(), size, size}, {b.data(), size, size}, {c.data_ptr<float>(), size, size},
                          seed)) {
        return {CheckState::act, "matmul", fmt::format("{0} x {0} floats: the product is WRONG", size),
                "tools/install_packages torch"};
    }
    const double rate = 2.0 * size * size * size / product.seconds / 1e9;
    return {CheckState::passed, "matmul",
            fmt::format("{0} x {0} floats: {1:.3g} GFLOP/s, product checked", size, rate), ""};
}

DoctorCheck examine_torch_blas() {
    if (at::hasMKL()) return {CheckState::passed, "blas", "MKL, inside LibTorch", ""};
    return examine_blas(blas_loaded());
}

}  // namespace

std::vector<DoctorCheck> examine_torch() {
    return {{CheckState::passed, "libtorch", TORCH_VERSION, ""},
            examine_torch_blas(),
            {CheckState::passed, "threads",
             fmt::format("{} of {}", at::get_num_threads(), std::thread::hardware_concurrency()), ""},
            examine_simd(),
            examine_matmul()};
}

}  // namespace plimsoll::cli
