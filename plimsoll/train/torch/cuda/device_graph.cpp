#include "plimsoll/train/torch/device_graph.h"

#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

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

}  // namespace plimsoll::train
