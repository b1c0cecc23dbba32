#include "plimsoll/train/flat_adamw.h"

#include <cstring>

#include <ATen/ATen.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

#include "plimsoll/kernels/adamw.h"

namespace plimsoll::train {
namespace {

// The bytes of a table, on the device of `like`.
template <class Row>
torch::Tensor on_device(const std::vector<Row>& table, const torch::Tensor& like) {
    const auto bytes = static_cast<std::int64_t>(table.size() * sizeof(Row));
    const torch::Tensor host = at::empty({bytes}, at::kByte);
    std::memcpy(host.data_ptr(), table.data(), static_cast<std::size_t>(bytes));
    return host.to(like.device());
}

std::vector<kernels::AdamWRun> rows_of(const std::vector<run::OptimizerSettings>& settings) {
    std::vector<kernels::AdamWRun> rows;
    for (const auto& one : settings) {
        const auto as_float = [](double x) { return static_cast<float>(x); };
        rows.push_back({as_float(one.beta1), as_float(one.beta2), as_float(one.eps),
                        as_float(one.weight_decay), one.clip ? as_float(*one.clip) : 0, 1});
    }
    return rows;
}

std::vector<kernels::AdamWPart> parts_of(const std::vector<FlatSegment>& segments) {
    std::vector<kernels::AdamWPart> parts;
    for (const auto& [offset, size, scale] : segments) {
        parts.push_back({offset + size, static_cast<float>(scale.rate), static_cast<float>(scale.epsilon),
                         static_cast<float>(scale.decay)});
    }
    return parts;
}

class CudaAdamW final : public FlatAdamW {
  public:
    CudaAdamW(const std::vector<run::OptimizerSettings>& settings, const FlatParameters& parameters)
        : runs_(rows_of(settings)),
          settings_(on_device(runs_, parameters.values())),
          parts_(on_device(parts_of(parameters.segments()), parameters.values())),
          part_count_(static_cast<int>(parameters.segments().size())) {}

    void set_active(const std::vector<bool>& active) override {
        for (std::size_t run = 0; run < runs_.size(); ++run) runs_[run].active = active[run] ? 1 : 0;
        settings_.copy_(on_device(runs_, settings_));
    }

    void step(FlatParameters& parameters, const AdamWMemory& memory, const torch::Tensor& rates,
              const torch::Tensor& norms) override {
        const torch::Tensor &values = parameters.values(), &gradients = parameters.gradients();
        const torch::Tensor& copy = parameters.working();
        const bool rounded = !copy.is_same(values);
        const kernels::AdamWRows rows{
            static_cast<int>(values.size(0)),
            part_count_,
            values.size(1),
            values.stride(0),
            memory.first.stride(0),
            gradients.stride(0),
            copy.stride(0),
            gradients.scalar_type() == at::kBFloat16 ? kernels::Number::bf16 : kernels::Number::fp32};
        const kernels::AdamWState state{values.data_ptr<float>(),
                                        memory.first.data_ptr<float>(),
                                        memory.second.data_ptr<float>(),
                                        gradients.data_ptr(),
                                        rounded ? copy.data_ptr() : nullptr,
                                        rates.data_ptr<double>(),
                                        memory.steps.data_ptr<double>(),
                                        norms.data_ptr<float>(),
                                        static_cast<const kernels::AdamWRun*>(settings_.data_ptr()),
                                        static_cast<const kernels::AdamWPart*>(parts_.data_ptr())};
        kernels::adamw(rows, state, c10::cuda::getCurrentCUDAStream().stream());
        C10_CUDA_KERNEL_LAUNCH_CHECK();
    }

  private:
    std::vector<kernels::AdamWRun> runs_;
    torch::Tensor settings_, parts_;
    int part_count_;
};

}  // namespace

std::unique_ptr<FlatAdamW> flat_adamw(const std::vector<run::OptimizerSettings>& settings,
                                      const FlatParameters& parameters) {
    const torch::Tensor& values = parameters.values();
    const bool fits = settings.front().kind == run::OptimizerKind::adamw && values.is_cuda() &&
                      values.scalar_type() == at::kFloat;
    if (!fits) return nullptr;
    return std::make_unique<CudaAdamW>(settings, parameters);
}

}  // namespace plimsoll::train
