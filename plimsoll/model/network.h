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

// One batch as the network reads it; which of the tensors are used is up to the architecture. Of a network of
// K runs the batches of the runs follow one another: B is K times the size of one.
struct Input {
    torch::Tensor tokens;    // (B, T) int64: ids of a text, or of a table's categories as rows of all tables
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

// What multiplies one parameter (run/parameterization.h).
struct TensorScaling {
    double columns = 1;  // its last dimension, over that of the shape whose start is drawn
    double start = 1;    // its first values
    double use = 1;      // the matrix wherever it is multiplied with
};

// What multiplies a network beside its parameters; ones change no bit.
struct Scaling {
    std::vector<TensorScaling> tensors;  // in the order of arch::tensors(spec); empty: ones
    double residual = 1;                 // what a branch adds to the residual stream
    double scores = 1;                   // attention scores, beside their usual scale
    std::int64_t depth = 0;              // that an initialisation asks for; 0: the spec's

    [[nodiscard]] TensorScaling of(std::size_t number) const {
        return tensors.empty() ? TensorScaling{} : tensors.at(number);
    }
};

// Where a network's numbers come from and live.
struct BuildOptions {
    // Of the weights, one for each run of a stack; permutations and masks come from the spec's own seeds.
    std::vector<std::uint64_t> init_seeds{1};
    std::string init = "default";        // a name of model::initialisations()
    double dropout = 0;                  // after embedding, attention and feed-forward
    torch::Dtype dtype = torch::kFloat;  // of parameters: float, double
    torch::Device device = torch::kCPU;
    Scaling scaling = {};
};

// Of one forward pass, a seed for each run; none: nothing is dropped (evaluation).
using DropoutSeeds = std::vector<std::uint64_t>;

// A trainable network, or K of one shape that are computed together (stack.h). Its parameters are those of
// arch::tensors(spec), in that order and with those names, so that their number is what `plimsoll count`
// says; with K > 1 each has a leading dimension K.
class Network {
  public:
    virtual ~Network() = default;
    Network() = default;
    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;

    // The output: logits (B, T, V) of a text model, (B, classes) of a classifier, else the last layer's
    // values. The masks of a run's dropout depend on its seed alone.
    [[nodiscard]] virtual torch::Tensor forward(const Input& input, const DropoutSeeds& seeds) const = 0;
    // The same with one seed for all runs, 0 for no dropout.
    [[nodiscard]] torch::Tensor forward(const Input& input, std::uint64_t seed) const {
        return forward(input,
                       seed == 0 ? DropoutSeeds() : DropoutSeeds(static_cast<std::size_t>(runs_), seed));
    }

    [[nodiscard]] const arch::ArchSpec& spec() const { return spec_; }
    // K.
    [[nodiscard]] std::int64_t runs() const { return runs_; }
    [[nodiscard]] const std::vector<NamedTensor>& parameters() const { return parameters_; }
    // Frozen permutations and masks: made from the spec, never trained, not counted.
    [[nodiscard]] const std::vector<NamedTensor>& buffers() const { return buffers_; }

  protected:
    arch::ArchSpec spec_;
    std::int64_t runs_ = 1;
    std::vector<NamedTensor> parameters_, buffers_;
};

// The network of a spec; `unsupported` for what cannot be trained here, with the reason.
Result<std::unique_ptr<Network>> build(const arch::ArchSpec& spec, const BuildOptions& options);

// Whether the network of a spec can read this input: which tensors it wants and their shapes. Ids are not
// looked at (that would wait for the device).
Status check_input(const arch::ArchSpec& spec, const Input& input);

}  // namespace plimsoll::model
