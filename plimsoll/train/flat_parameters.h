#pragma once

#include <vector>

#include "plimsoll/model/network.h"

namespace plimsoll::train {

// All parameters of a network in one piece of memory, a row for each run of a stack, and their gradients in
// another: the optimizer, the norm of the gradient and sums over processes are then a few operations on long
// vectors. Decayed tensors come first in a row.
class FlatParameters {
  public:
    // Moves the parameters of `network` into flat rows of its dtype, of which they become views. `half` gives
    // the network a copy rounded to bf16 and keeps the float values as masters.
    FlatParameters(const model::Network& network, bool half, bool decay_all);

    [[nodiscard]] std::int64_t runs() const { return masters_.size(0); }
    // (K, P) float or double.
    [[nodiscard]] const torch::Tensor& values() const { return masters_; }
    // (K, P) in the network's dtype.
    [[nodiscard]] const torch::Tensor& gradients() const { return gradients_; }
    [[nodiscard]] std::int64_t decayed() const { return decayed_; }  // how many of a row's first decay

    // Puts the gradient of a scalar into gradients(), or adds it to what is there.
    void differentiate(const torch::Tensor& loss, bool add);
    // Gives the network the masters' values.
    void publish();

    // The parts of a row (P) that belong to the parameters, by name and in their shapes for one run.
    [[nodiscard]] std::vector<model::NamedTensor> named(const torch::Tensor& row) const;

  private:
    struct Place {
        std::string name;
        std::int64_t offset, size;
        std::vector<std::int64_t> shape;  // for one run
    };
    void list_places(const std::vector<const model::NamedTensor*>& order, std::int64_t runs, bool decay_all);

    std::vector<Place> places_;
    std::vector<torch::Tensor> leaves_;  // the network's parameters, in the order of places_
    torch::Tensor masters_, working_, gradients_;
    std::int64_t decayed_ = 0;
};

}  // namespace plimsoll::train
