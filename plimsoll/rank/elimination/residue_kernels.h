#pragma once

#include <span>

#include "plimsoll/rank/balanced_field.h"

// Loops over residues, compiled for AVX2 and for any machine; which runs is decided when it runs.
namespace plimsoll::rank {

// Each entry to its residue; the entries are integers PrimeField::reduce takes.
void reduce_all(const BalancedField& field, std::span<double> entries);

// row -= factor * other, all residues.
void subtract_multiple(const BalancedField& field, double factor, std::span<const double> other,
                       std::span<double> row);

// Residues from and to single precision, whose 24 bits hold them exactly in half the memory.
void widen(std::span<const float> from, std::span<double> to);
void narrow(std::span<const double> from, std::span<float> to);

}  // namespace plimsoll::rank
