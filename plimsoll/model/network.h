#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <torch/types.h>

#include "plimsoll/arch/spec.h"
#include "plimsoll/base/result.h"

namespace plimsoll::model {

// One batch as the network reads it; which of the tensors are used is up to the architecture.
struct Input {
    torch::Tensor tokens;    // (B, T) int64: ids of a text
    torch::Tensor segments;  // (B, T) int64, or undefined: 0 for the first sentence, 1 for the second
    torch::Tensor padding;   // (B, T) bool, or undefined: true where there is nothing to read
    torch::Tensor values;    // (B, C, H, W), (B, S, C) or (B, inputs): images, token vectors, flat inputs
    // Called with the output of every layer in turn, (B, ...); may be empty.
    std::function<void(const torch::Tensor&)> observe;

    // What a network calls after each of its layers.
    void after_layer(const torch::Tensor& x) const {
        if (observe) observe(x);
    }
};

struct NamedTensor {
    std::string name;
    torch::Tensor tensor;
};

// Where a network's numbers come from and live.
struct BuildOptions {
    std::uint64_t init_seed = 1;         // weights; permutations and masks come from the spec's own seeds
    std::string init = "default";        // a name of model::initialisations()
    double dropout = 0;                  // after embedding, attention and feed-forward
    torch::Dtype dtype = torch::kFloat;  // of parameters: float, double
    torch::Device device = torch::kCPU;
};

// A trainable network. Its parameters are those of arch::tensors(spec), in that order and with those names,
// so that their number is what `plimsoll count` says.
class Network {
  public:
    virtual ~Network() = default;
    Network() = default;
    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;

    // The output: logits (B, T, V) of a text model, (B, classes) of a classifier, else the last layer's
    // values. `dropout_seed` 0 means no dropout (evaluation); otherwise masks depend on it alone.
    [[nodiscard]] virtual torch::Tensor forward(const Input& input, std::uint64_t dropout_seed) const = 0;

    [[nodiscard]] const arch::ArchSpec& spec() const { return spec_; }
    [[nodiscard]] const std::vector<NamedTensor>& parameters() const { return parameters_; }
    // Frozen permutations and masks: made from the spec, never trained, not counted.
    [[nodiscard]] const std::vector<NamedTensor>& buffers() const { return buffers_; }

  protected:
    arch::ArchSpec spec_;
    std::vector<NamedTensor> parameters_, buffers_;
};

// The network of a spec; `unsupported` for what cannot be trained here, with the reason.
Result<std::unique_ptr<Network>> build(const arch::ArchSpec& spec, const BuildOptions& options);

// Whether the network of a spec can read this input: which tensors it wants and their shapes. Ids are not
// looked at (that would wait for the device).
Status check_input(const arch::ArchSpec& spec, const Input& input);

}  // namespace plimsoll::model
