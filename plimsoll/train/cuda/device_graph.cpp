#include "plimsoll/train/device_graph.h"

#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "plimsoll/train/peak.h"

namespace plimsoll::train {
namespace {

class CudaGraph final : public DeviceGraph {
  public:
    CudaGraph(int rehearsals, const std::function<void()>& before, const std::function<void()>& work)
        : stream_(c10::cuda::getStreamFromPool()) {
        const c10::cuda::CUDAStreamGuard on_stream(stream_);
        for (int i = 0; i < rehearsals; ++i) before(), work();
        stream_.synchronize();
        graph_.capture_begin();
        work();
        graph_.capture_end();
    }
    void play() override {
        const c10::cuda::CUDAStreamGuard on_stream(stream_);
        graph_.replay();
    }

  private:
    c10::cuda::CUDAStream stream_;
    at::cuda::CUDAGraph graph_;
};

// "cuda" alone is the current one.
c10::DeviceIndex index_of(torch::Device device) {
    return static_cast<c10::DeviceIndex>(device.has_index() ? device.index() : c10::cuda::current_device());
}

}  // namespace

std::unique_ptr<DeviceGraph> record(torch::Device device, int rehearsals, const std::function<void()>& before,
                                    const std::function<void()>& work) {
    if (!device.is_cuda()) return nullptr;
    c10::cuda::device_synchronize();
    return std::make_unique<CudaGraph>(rehearsals, before, work);
}

void wait_for(torch::Device device) {
    if (device.is_cuda()) c10::cuda::device_synchronize();
}

std::uint64_t peak_bytes(torch::Device device) {
    if (!device.is_cuda()) return resident_peak();
    constexpr std::size_t all_pools = 0;  // StatType::AGGREGATE, whatever its namespace
    const auto stats = c10::cuda::CUDACachingAllocator::getDeviceStats(index_of(device));
    return static_cast<std::uint64_t>(stats.allocated_bytes[all_pools].peak);
}

void forget_peak(torch::Device device) {
    if (device.is_cuda()) c10::cuda::CUDACachingAllocator::resetPeakStats(index_of(device));
}

}  // namespace plimsoll::train
