#pragma once

#include <vector>

#include "plimsoll/model/network.h"

namespace plimsoll::train {

// All parameters of a network in one piece of memory, and their gradients in another: the optimizer, the
// norm of the gradient and sums over processes are then a few operations on long vectors. Decayed tensors
// come first.
class FlatParameters {
  public:
    // Moves the parameters of `network` into a flat vector of its dtype, of which they become views.
    // `precision` bf16 gives the network a rounded copy and keeps the float values as masters.
    FlatParameters(const model::Network& network, bool half, bool decay_all);

    [[nodiscard]] const torch::Tensor& values() const { return masters_; }  // (P) float or double
    [[nodiscard]] const torch::Tensor& gradients() const {
        return gradients_;
    }  // (P), in the network's dtype
    [[nodiscard]] std::int64_t decayed() const { return decayed_; }  // how many of the first decay

    // Puts the gradient of a scalar into gradients(), or adds it to what is there.
    void differentiate(const torch::Tensor& loss, bool add);
    // Gives the network the masters' values.
    void publish();

    // The masters' part that belongs to a parameter, in its shape.
    [[nodiscard]] std::vector<model::NamedTensor> named(const torch::Tensor& flat) const;

  private:
    struct Place {
        std::string name;
        std::int64_t offset;
        std::vector<std::int64_t> shape;
    };
    std::vector<Place> places_;
    std::vector<torch::Tensor> leaves_;  // the network's parameters, in the order of places_
    torch::Tensor masters_, working_, gradients_;
    std::int64_t decayed_ = 0;
};

}  // namespace plimsoll::train
