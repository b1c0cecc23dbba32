#pragma once

#include <memory>

#include "plimsoll/model/network.h"

namespace plimsoll::train {

// The analysed networks (attention, square-mixer, square-mlp) have no head: what the theorems look at is one
// entry of the output. A run reads the first row, (B, d) of (B, N, d), as the scores of its classes; entry
// (0, 0) of it labels data's teacher sets. Other networks come back as they are.
std::unique_ptr<model::Network> with_answer(std::unique_ptr<model::Network> network);

}  // namespace plimsoll::train
