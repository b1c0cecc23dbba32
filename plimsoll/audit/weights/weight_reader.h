#pragma once

#include <cstdint>
#include <fstream>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "plimsoll/base/matrix_view.h"
#include "plimsoll/base/result.h"
#include "plimsoll/formats/tensor_table.h"
#include "plimsoll/rank/dense_matrix.h"

namespace plimsoll::audit {

// Consecutive rows of a matrix.
struct RowRange {
    std::size_t first = 0, count = 0;
};

// Reads tensors as matrices of floats, piece by piece. It reads rather than maps: memory stays what we
// allocate, and a file that is cut short meanwhile is an error, not a signal.
class WeightReader {
  public:
    // The table must outlive the reader.
    explicit WeightReader(const formats::TensorTable& table);

    // Rows first, first + 1 ... of the tensor seen as shape[0] x the rest, into `out`; the separate scales of
    // an F8 tensor are multiplied in. NaN and infinite entries are counted and become zero.
    Status read_rows(const formats::TensorInfo& tensor, std::size_t first, MatrixView<float> out);

    // The rows of `ranges`, one range below the other, of the tensor or, for `input_first`, of its transpose.
    Result<rank::DenseMatrix<float>> read_selected(const formats::TensorInfo& tensor, bool input_first,
                                                   const std::vector<RowRange>& ranges);

    // Sets NaN and infinite entries of a matrix made from what was read to zero and counts them.
    void clear_not_finite(MatrixView<float> matrix);

    // NaN and infinite entries since the last call.
    std::uint64_t take_not_finite() { return std::exchange(not_finite_, 0); }

  private:
    struct Scales {
        rank::DenseMatrix<float> values;
        std::size_t block_rows = 1, block_cols = 1;
    };

    Status read_bytes(const formats::TensorInfo& tensor, std::uint64_t offset, std::span<std::byte> out);
    Status read_plain(const formats::TensorInfo& tensor, std::size_t first, MatrixView<float> out);
    Status read_columns(const formats::TensorInfo& tensor, const std::vector<RowRange>& ranges,
                        MatrixView<float> out);
    Status open(std::size_t file);
    Result<const Scales*> scales_of(const formats::TensorInfo& tensor);
    Result<Scales> load_scales(const formats::TensorInfo& tensor, const formats::TensorInfo& scale);

    const formats::TensorTable& table_;
    std::unordered_map<std::string_view, const formats::TensorInfo*> index_;
    std::unordered_map<const formats::TensorInfo*, Scales> scales_;
    std::ifstream stream_;
    std::size_t open_file_;
    std::uint64_t not_finite_ = 0;
};

// shape[0] and the product of the rest; 1 x elements for a vector.
std::size_t rows_of(const formats::TensorInfo& tensor);
std::size_t cols_of(const formats::TensorInfo& tensor);

// Bytes of the pieces the reader works in, besides what the caller gives it.
inline constexpr std::uint64_t reader_buffer_bytes = std::uint64_t{16} << 20;

// How many rows of `cols` floats fit in a piece; at least one.
std::size_t rows_in_piece(std::size_t cols);

}  // namespace plimsoll::audit
