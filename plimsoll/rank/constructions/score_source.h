#pragma once

#include <cstddef>

#include "plimsoll/base/matrix_view.h"
#include "plimsoll/rank/balanced_field.h"

namespace plimsoll::rank {

// A matrix over F_p whose entries are computed on demand: row s belongs to sample s of side A, column t to
// sample t of side B. Its rank is the separation rank once both sides have more samples than that (SEP-DEF,
// SEP-GENERIC).
class ScoreSource {
  public:
    virtual ~ScoreSource() = default;

    [[nodiscard]] virtual const BalancedField& field() const = 0;
    // How many rows and columns there are; SIZE_MAX when samples never end.
    [[nodiscard]] virtual std::size_t max_rows() const = 0;
    [[nodiscard]] virtual std::size_t max_cols() const = 0;
    // True when leading blocks are invertible until the rank is reached (random samples), so that no pivot is
    // needed.
    [[nodiscard]] virtual bool generic_profile() const = 0;
    // Writes the entries from (row, col) on as balanced residues; several threads may fill different blocks.
    virtual void fill(std::size_t row, std::size_t col, MatrixView<double> out) const = 0;
};

}  // namespace plimsoll::rank
