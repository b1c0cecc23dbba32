#pragma once

#include <string>
#include <utility>

#include "plimsoll/model/builder.h"
#include "plimsoll/model/dropout.h"

namespace plimsoll::model {

// W2 phi(W1 x) on the last dimension, or phi(W x) when there is no hidden layer.
struct Mlp {
    bool simple = false;
    arch::Activation activation = arch::Activation::gelu;
    Linear up;    // the only matrix when simple
    Linear down;  // none when simple

    // Dropout after the activation and after the last matrix.
    Tensor operator()(const Tensor& x, Dropout& dropout) const {
        const Tensor hidden = dropout(activate(activation, up(x)));
        return simple ? hidden : dropout(down(hidden));
    }
};

// The MLP that arch lists as name.up and name.down, or as name alone.
inline Mlp read_mlp(const std::string& name, bool simple, arch::Activation activation, Builder& builder) {
    if (simple) return {true, activation, builder.linear(name), {}};
    return {false, activation, builder.linear(name + ".up"), builder.linear(name + ".down")};
}

}  // namespace plimsoll::model
