#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>

#include "plimsoll/rank/simd/kernels.h"

namespace plimsoll::rank {

// A network on two halves of its input, ready to be evaluated on all pairs of samples. What it keeps of a
// column sample is linear in a scalar: scaling the packed numbers by s multiplies what has degree j in side B
// by s^j (attention: j counts Gram factors; nets of squares: entries).
class PairKernel {
  public:
    virtual ~PairKernel() = default;

    // Doubles per packed sample.
    [[nodiscard]] virtual std::size_t row_size() const = 0;
    [[nodiscard]] virtual std::size_t col_size() const = 0;
    // The highest degree in side B.
    [[nodiscard]] virtual std::size_t degree() const = 0;
    // Column samples evaluated at once, and doubles of scratch memory.
    [[nodiscard]] virtual std::size_t lanes() const = 0;
    [[nodiscard]] virtual std::size_t workspace() const = 0;

    virtual void pack_row(std::span<const double> sample, std::span<double> packed) const = 0;
    virtual void pack_col(std::span<const double> sample, std::span<double> packed) const = 0;
    // Entries of one row and `groups` groups of columns; `cols` and `workspace` are aligned to 64 bytes.
    virtual void evaluate(const double* row, const double* cols, std::size_t groups, double* out,
                          double* workspace) const = 0;
};

// Doubles aligned for every vector register.
class AlignedBuffer {
  public:
    explicit AlignedBuffer(std::size_t size)
        : data_(static_cast<double*>(::operator new[](size * sizeof(double), std::align_val_t{64}))) {}

    [[nodiscard]] double* data() const { return data_.get(); }

  private:
    struct Free {
        void operator()(double* data) const { ::operator delete[](data, std::align_val_t{64}); }
    };
    std::unique_ptr<double[], Free> data_;
};

}  // namespace plimsoll::rank
