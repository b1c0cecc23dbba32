#pragma once

#include <vector>

#include "plimsoll/model/network.h"
#include "plimsoll/run/parameterization.h"

namespace plimsoll::train {

// What multiplies rate, epsilon and weight decay for one tensor.
struct UpdateScale {
    double rate = 1, epsilon = 1;
    double decay = 1;  // 0: it does not decay

    bool operator==(const UpdateScale&) const = default;
};

// One for each parameter of a network of which the matrices decay, or all tensors do; `scales`, one for each
// too, are those of a parameterization, none for standard.
std::vector<UpdateScale> update_scales(const model::Network& network, bool decay_all,
                                       const std::vector<run::TensorScale>& scales = {});

// Part of a row whose numbers have one scale.
struct FlatSegment {
    std::int64_t offset, size;
    UpdateScale scale;
};

// All parameters of a network in one piece of memory, a row for each run of a stack, and their gradients in
// another: the optimizer, the norm of the gradient and sums over processes are then a few operations on long
// vectors. Tensors of one scale are neighbours in a row, those that decay come first.
class FlatParameters {
  public:
    // Moves the parameters of `network` into flat rows of its dtype, of which they become views. `half` gives
    // the network a copy rounded to bf16 and keeps the float values as masters.
    FlatParameters(const model::Network& network, bool half, const std::vector<UpdateScale>& scales);

    [[nodiscard]] std::int64_t runs() const { return masters_.size(0); }
    // (K, P) float or double.
    [[nodiscard]] const torch::Tensor& values() const { return masters_; }
    // (K, P) what the network reads: values(), or their copy rounded to bf16.
    [[nodiscard]] const torch::Tensor& working() const { return working_; }
    // (K, P) in the network's dtype.
    [[nodiscard]] const torch::Tensor& gradients() const { return gradients_; }
    // The parts of a row, side by side from its first number to its last.
    [[nodiscard]] const std::vector<FlatSegment>& segments() const { return segments_; }

    // Puts the gradient of a scalar into gradients(), or adds it to what is there.
    void differentiate(const torch::Tensor& loss, bool add);
    // Gives the network the masters' values.
    void publish();

    // The parts of a row (P) that belong to the parameters, by name and in their shapes for one run.
    [[nodiscard]] std::vector<model::NamedTensor> named(const torch::Tensor& row) const;

  private:
    struct ParameterSpan {
        std::string name;
        std::int64_t offset, size;
        std::vector<std::int64_t> shape;  // for one run
    };
    void add_place(const model::NamedTensor& parameter, std::int64_t runs, const UpdateScale& scale);

    std::vector<ParameterSpan> places_;
    std::vector<torch::Tensor> leaves_;  // the network's parameters, in the order of places_
    torch::Tensor masters_, working_, gradients_;
    std::vector<FlatSegment> segments_;
};

}  // namespace plimsoll::train
