#pragma once

#include "plimsoll/verify/claim.h"

// The constructions of docs/bounds/att-*.md: literal networks against their closed forms and the ranks that
// the theorems need of them.
namespace plimsoll::verify {

// D1, with a constant in each head and with one for all: the literal matrix is N^c ||a + b||^(2 lambda) and
// has the rank of the theorem.
std::vector<Trial> d1_network_trials(Effort effort);

// D2, one head: the literal output is phi g^Lambda, the second derivative of g on g = 0 has rank rho or more,
// and the powers of its tangent form are as many as the theorem on powers says, or more.
std::vector<Trial> d2_network_trials(Effort effort);

// D2 with heads, both theorems: the same.
std::vector<Trial> d2_heads_network_trials(Effort effort);

// D3: the literal output is theta (2 p'^T X^(2k+1) p + theta^2)^Lambda, the alternating word has the rank of
// its modules, and random networks have at least the rank of the theorem.
std::vector<Trial> d3_network_trials(Effort effort);

// ATT-E: a network of one head, split into heads, keeps its outputs.
std::vector<Trial> split_network_trials(Effort effort);

}  // namespace plimsoll::verify
