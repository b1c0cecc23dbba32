#include <algorithm>
#include <cstdlib>

#include <ATen/ATen.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <unistd.h>

#include "plimsoll/base/format.h"
#include "plimsoll/train/processes/nccl_wire.h"

namespace plimsoll::train {
namespace {

class GlooWire final : public Wire {
  public:
    GlooWire(ProcessRank place, StorePointer store, GroupPointer group)
        : place_(std::move(place)), store_(std::move(store)), group_(std::move(group)) {}

    // Two summands give the same bits in either order, and Gloo's ring adds more of them in an order that
    // depends on their number and the tensor's size alone. bfloat16 goes as float, which Debian's Gloo lacks
    // and which rounds no sum of two twice.
    void sum(const torch::Tensor& tensor) override {
        through_host(tensor, [this](const torch::Tensor& host) { sum_in(*group_, host); });
    }
    void copy_from(int rank, const torch::Tensor& tensor) override {
        through_host(tensor, [&](const torch::Tensor& host) { copy_in(*group_, rank, host); });
    }
    std::unique_ptr<Wire> between_gpus(torch::Device device) override {
        return each_has_its_own(gpu_identity(device)) ? nccl_wire(store_, place_, device) : nullptr;
    }

  private:
    template <class Work>
    static void through_host(const torch::Tensor& tensor, const Work& work) {
        const at::NoGradGuard no_grad;
        const auto type = tensor.scalar_type() == at::kBFloat16 ? at::kFloat : tensor.scalar_type();
        const torch::Tensor host = tensor.detach().to(at::kCPU, type).contiguous();
        work(host);
        if (!host.is_same(tensor)) tensor.detach().copy_(host);
    }

    // Whether all processes have a GPU and no two of them the same one.
    bool each_has_its_own(const std::string& gpu) {
        return or_lost([&] {
            constexpr std::size_t longest_name = 256;
            std::string host(longest_name, '\0');
            ::gethostname(host.data(), host.size() - 1);
            const std::string mine = gpu.empty() ? "" : fmt::format("{} {}", host.c_str(), gpu);
            store_->set(key(place_.rank), std::vector<std::uint8_t>(mine.begin(), mine.end()));
            std::vector<std::vector<std::uint8_t>> all;
            for (int rank = 0; rank < place_.count; ++rank) all.push_back(store_->get(key(rank)));
            std::ranges::sort(all);
            return !all.front().empty() && std::ranges::adjacent_find(all) == all.end();
        });
    }
    static std::string key(int rank) { return fmt::format("gpu/{}", rank); }

    ProcessRank place_;
    StorePointer store_;
    GroupPointer group_;
};

StorePointer meet(const ProcessRank& place) {
    c10d::TCPStoreOptions options;
    options.port = static_cast<std::uint16_t>(place.port);
    options.isServer = place.rank == 0;
    options.numWorkers = static_cast<std::size_t>(place.count);
    options.timeout = std::chrono::seconds(place.join_seconds);
    return c10::make_intrusive<c10d::TCPStore>(place.address, options);
}

// The network card: the one GLOO_SOCKET_IFNAME names, loopback on one host, else that of the host's name.
auto device_of(const ProcessRank& place) {
    using Gloo = c10d::ProcessGroupGloo;
    if (const char* name = std::getenv("GLOO_SOCKET_IFNAME"); name != nullptr && *name != 0) {
        return Gloo::createDeviceForInterface(name);
    }
    return place.one_host() ? Gloo::createDeviceForHostname(place.address) : Gloo::createDefaultDevice();
}

}  // namespace

std::unique_ptr<Wire> connect(const ProcessRank& place) {
    return or_lost([&]() -> std::unique_ptr<Wire> {
        const StorePointer store = meet(place);
        auto options = c10d::ProcessGroupGloo::Options::create(std::chrono::seconds(place.wait_seconds));
        options->devices.push_back(device_of(place));
        GroupPointer group = c10::make_intrusive<c10d::ProcessGroupGloo>(
            c10::make_intrusive<c10d::PrefixStore>("gloo", store), place.rank, place.count, options);
        return std::make_unique<GlooWire>(place, store, std::move(group));
    });
}

}  // namespace plimsoll::train
