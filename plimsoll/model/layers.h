#pragma once

#include <cstdint>

#include <torch/types.h>

#include "plimsoll/arch/parts.h"

// The pieces that all families are made of: plain tensors and functions of them.
namespace plimsoll::model {

using at::Tensor;

// A matrix (out, in), or several, as it is stored and the number it is multiplied with (1 unless the
// initialisation is a parametrisation).
struct Matrix {
    Tensor stored;
    double prefactor = 1;

    [[nodiscard]] Tensor value() const { return prefactor == 1 ? stored : stored * prefactor; }
};

// x W^T + b; the bias may be undefined.
struct Linear {
    Matrix weight;
    Tensor bias;

    Tensor operator()(const Tensor& x) const;
    // The same with the weight multiplied entrywise by a mask of its shape.
    [[nodiscard]] Tensor masked(const Tensor& x, const Tensor& mask) const;
};

// A norm over the last dimension with epsilon 1e-5; none leaves its input alone.
struct NormLayer {
    arch::Norm kind = arch::Norm::none;
    Tensor weight, bias;

    Tensor operator()(const Tensor& x) const;
};

constexpr double norm_epsilon = 1e-5;

// phi(x); gelu is the exact one, by the error function.
Tensor activate(arch::Activation activation, const Tensor& x);

// Images (B, C, H, W) as patches (B, rows * cols, C * patch * patch_width), the grid row by row, a patch
// channel by channel.
Tensor cut_patches(const arch::ImageInput& image, const Tensor& pixels);

// Entry k of the last dimension moves to place images[k]; `places` is the inverse of `images`, and the
// gradient goes back by `images`, so that no sum is needed.
Tensor permute_last(const Tensor& x, const Tensor& images, const Tensor& places);

}  // namespace plimsoll::model
