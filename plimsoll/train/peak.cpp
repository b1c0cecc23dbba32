#include "plimsoll/train/peak.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <tuple>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <sys/resource.h>

#include "plimsoll/train/device_graph.h"

namespace plimsoll::train {
namespace {

using PeakClock = std::chrono::steady_clock;

// Large enough for the full rate, small enough to be repeated within the time.
constexpr std::int64_t cpu_side = 768, cuda_side = 8192;
constexpr double measuring_seconds = 0.15;

double seconds_of(torch::Device device, const torch::Tensor& product, const torch::Tensor& a,
                  const torch::Tensor& b) {
    torch::Tensor out = product;
    wait_for(device);
    const auto start = PeakClock::now();
    at::mm_out(out, a, b);
    wait_for(device);
    return std::chrono::duration<double>(PeakClock::now() - start).count();
}

double measured(torch::Device device, torch::Dtype dtype) {
    const at::NoGradGuard no_grad;
    const std::int64_t side = device.is_cuda() ? cuda_side : cpu_side;
    const auto options = torch::TensorOptions().dtype(torch::kFloat).device(device);
    // No zeros: a processor may be quicker with them. No random numbers of torch's own generator either.
    const torch::Tensor a = at::arange(side * side, options).sin().view({side, side}).to(dtype);
    const torch::Tensor b = a.t().contiguous(), product = at::empty_like(a);
    const auto limit = PeakClock::now() + std::chrono::duration<double>(measuring_seconds);
    seconds_of(device, product, a, b);  // the first one starts threads and libraries
    double best = seconds_of(device, product, a, b);
    while (PeakClock::now() < limit) best = std::min(best, seconds_of(device, product, a, b));
    const auto n = static_cast<double>(side);
    return 2 * n * n * n / std::max(best, 1e-9);
}

}  // namespace

double gemm_rate(torch::Device device, torch::Dtype dtype) {
    static std::mutex mutex;
    static std::map<std::tuple<std::string, torch::Dtype, int>, double> known;
    const std::lock_guard lock(mutex);
    const auto [place, fresh] = known.try_emplace({device.str(), dtype, at::get_num_threads()}, 0);
    if (fresh) place->second = measured(device, dtype);
    return place->second;
}

std::uint64_t resident_peak() {
    constexpr std::uint64_t kibibyte = 1024;
    rusage usage{};
    if (::getrusage(RUSAGE_SELF, &usage) != 0) return 0;
    return static_cast<std::uint64_t>(usage.ru_maxrss) * kibibyte;
}

}  // namespace plimsoll::train
