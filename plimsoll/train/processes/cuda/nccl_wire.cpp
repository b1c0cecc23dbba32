#include "plimsoll/train/processes/nccl_wire.h"

#include <exception>

#include <ATen/cuda/CUDAContext.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

#include "plimsoll/base/format.h"

namespace plimsoll::train {
namespace {

class NcclWire final : public Wire {
  public:
    using NcclGroup = c10::intrusive_ptr<c10d::ProcessGroupNCCL>;
    explicit NcclWire(NcclGroup group) : group_(std::move(group)) {}
    NcclWire(const NcclWire&) = delete;
    NcclWire& operator=(const NcclWire&) = delete;
    ~NcclWire() override {
        if (std::uncaught_exceptions() == 0) group_->shutdown();
    }
    // The current stream waits for the sum, the host does not.
    void sum(const torch::Tensor& tensor) override { sum_in(*group_, tensor); }
    void copy_from(int rank, const torch::Tensor& tensor) override { copy_in(*group_, rank, tensor); }
    std::unique_ptr<Wire> between_gpus(torch::Device) override { return nullptr; }

  private:
    NcclGroup group_;
};

}  // namespace

std::string gpu_identity(torch::Device device) {
    const auto* facts = at::cuda::getDeviceProperties(device.index());
    return fmt::format("{}/{}/{}", facts->pciDomainID, facts->pciBusID, facts->pciDeviceID);
}

std::unique_ptr<Wire> nccl_wire(const StorePointer& store, const ProcessRank& place, torch::Device device) {
    return or_lost([&]() -> std::unique_ptr<Wire> {
        auto options = c10d::ProcessGroupNCCL::Options::create();
        options->timeout = std::chrono::seconds(place.wait_seconds);
        auto group = c10::make_intrusive<c10d::ProcessGroupNCCL>(
            c10::make_intrusive<c10d::PrefixStore>("nccl", store), place.rank, place.count, options);
        auto wire = std::make_unique<NcclWire>(group);
        wire->sum(at::zeros({1}, at::TensorOptions().device(device)));  // connects now
        return wire;
    });
}

}  // namespace plimsoll::train
