#include "plimsoll/probe/torch/score_matrix.h"

#include <algorithm>
#include <cmath>

#include <ATen/ATen.h>

#include "plimsoll/base/format.h"
#include "plimsoll/probe/torch/examples.h"

namespace plimsoll::probe {
namespace {

// A block of the matrix that is evaluated as one batch.
struct BlockSize {
    std::int64_t rows, cols;
};

// Batches of about 32 MB of inputs or outputs, whichever is more.
BlockSize block_size(std::int64_t cols, std::int64_t numbers) {
    constexpr std::int64_t budget = std::int64_t{1} << 22, most = 4096;
    const std::int64_t batch = std::clamp<std::int64_t>(budget / std::max<std::int64_t>(1, numbers), 1, most);
    return batch >= cols ? BlockSize{batch / cols, cols} : BlockSize{1, batch};
}

Status check_finite(const rank::DenseMatrix<double>& matrix) {
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
        for (std::size_t j = 0; j < matrix.cols(); ++j) {
            if (std::isfinite(matrix(i, j))) continue;
            return unsupported("output",
                               fmt::format("is not finite on templates {} and {}: the network overflows, so "
                                           "its score matrix has no singular values",
                                           i, j));
        }
    }
    return {};
}

// The outputs of one block, (rows, cols), on the CPU.
torch::Tensor block_scores(const model::Network& network, const Grid& grid, const model::Input& rows,
                           const model::Input& cols) {
    const torch::Tensor y = network.forward(joined(rows, cols, grid.mask), 0);
    return chosen_output(y, grid.by_position, grid.output)
        .to(at::kCPU, at::kDouble)
        .view({count_of(rows), count_of(cols)})
        .contiguous();
}

void copy_block(const torch::Tensor& block, std::int64_t row, std::int64_t col,
                rank::DenseMatrix<double>& matrix) {
    for (std::int64_t i = 0; i < block.size(0); ++i) {
        const double* from = block.data_ptr<double>() + i * block.size(1);
        std::copy_n(from, block.size(1),
                    &matrix(static_cast<std::size_t>(row + i), static_cast<std::size_t>(col)));
    }
}

}  // namespace

torch::Tensor chosen_output(const torch::Tensor& output, bool by_position, rank::OutputIndex place) {
    const auto row = static_cast<std::int64_t>(place.row), col = static_cast<std::int64_t>(place.col);
    if (output.dim() == 2) return output.select(1, row);
    return by_position ? output.select(1, col).select(1, row) : output.select(1, row).select(1, col);
}

Result<rank::DenseMatrix<double>> score_matrix(const model::Network& network, const Grid& grid,
                                               std::int64_t output_size, const ProgressCallback& progress) {
    const std::int64_t rows = count_of(grid.rows), cols = count_of(grid.cols);
    const BlockSize block = block_size(cols, std::max(output_size, grid.mask.numel()));
    rank::DenseMatrix<double> matrix(static_cast<std::size_t>(rows), static_cast<std::size_t>(cols));
    const at::NoGradGuard no_grad;
    for (std::int64_t i = 0; i < rows; i += block.rows) {
        const model::Input above = part_of(grid.rows, i, std::min(block.rows, rows - i));
        for (std::int64_t j = 0; j < cols; j += block.cols) {
            const model::Input beside = part_of(grid.cols, j, std::min(block.cols, cols - j));
            copy_block(block_scores(network, grid, above, beside), i, j, matrix);
        }
        if (progress)
            progress(static_cast<std::uint64_t>(std::min(i + block.rows, rows)),
                     static_cast<std::uint64_t>(rows));
    }
    PLIMSOLL_RETURN_IF_ERROR(check_finite(matrix));
    return matrix;
}

}  // namespace plimsoll::probe
