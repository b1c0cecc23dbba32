#pragma once

#include "plimsoll/probe/probe.h"
#include "plimsoll/probe/torch/weight_matrices.h"

namespace plimsoll::probe {

// The singular values of a matrix and what is read off them; rank::prepare_singular_values() comes first.
MatrixSpectrum spectrum_of(const WeightMatrix& matrix);

}  // namespace plimsoll::probe
