#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/run/run_config.h"
#include "plimsoll/run/tensor_kinds.h"

// Rates that transfer: what model.parameterization multiplies, so that a rate found on the base shape serves
// wider and deeper shapes (docs/MODELS.md has the derivation). Every multiplier is a product of powers of
// three ratios, and all of them are 1 at the base shape.
namespace plimsoll::run {

// Of a shape to its base shape.
struct ShapeRatios {
    double width = 1, heads = 1;
    double depth = 1;  // stays 1 under mup
};

// width^width heads^heads depth^depth.
struct ScalePower {
    double width = 0, heads = 0, depth = 0;

    [[nodiscard]] double at(const ShapeRatios& ratios) const;
    // "h/(m l)", as in docs/MODELS.md.
    [[nodiscard]] std::string text() const;
    bool operator==(const ScalePower&) const = default;
};

// The multipliers of one kind of tensor.
struct KindRow {
    TensorKind kind;
    std::string_view name, tensors;  // for people
    ScalePower start;                // of the deviation that model.init gives the base shape
    ScalePower rate;                 // of the learning rate
    ScalePower epsilon;              // of Adam's epsilon: the size of the gradient
    ScalePower use;                  // of the matrix wherever it is multiplied with
};

// Of every kind, in the order of the enumeration.
const std::vector<KindRow>& parameterization_table();

// What multiplies the settings of one tensor.
struct TensorScale {
    double columns = 1;  // its last dimension, over that of the base shape
    double start = 1, rate = 1, epsilon = 1, decay = 1, use = 1;

    bool operator==(const TensorScale&) const = default;
};

// What multiplies a whole network.
struct NetworkScale {
    std::vector<TensorScale> tensors;  // in the order of arch::tensors(spec)
    double residual = 1;               // of what a branch adds to the residual stream
    double scores = 1;                 // of the attention scores, beside their usual scale
    std::int64_t depth = 0;            // of the base shape, for the law of model.init
};

// The multipliers of a run that passes check_parameterization(); ones when it is standard.
NetworkScale network_scale(const RunConfig& config);

// Whether the base shape is given as the parameterization needs it, and network and optimizer have a row in
// the table.
Status check_parameterization(const RunConfig& config);

}  // namespace plimsoll::run
