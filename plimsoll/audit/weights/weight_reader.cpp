#include "plimsoll/audit/weights/weight_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "plimsoll/base/format.h"

namespace plimsoll::audit {
namespace {

using formats::TensorInfo;
using rank::DenseMatrix;

constexpr std::size_t no_file = static_cast<std::size_t>(-1);

// Names of the tensor of scales beside an F8 tensor; both are factors, whatever the first one's name says.
constexpr std::array<std::string_view, 2> scale_endings{"_scale_inv", "_scale"};

constexpr std::uint64_t most_scales = reader_buffer_bytes / sizeof(float);

bool is_f8(formats::Dtype dtype) { return formats::bits_of(dtype) == 8; }

Error cannot_be_used(const TensorInfo& tensor, const std::string& reason) {
    return unsupported(tensor.name, reason);
}

std::size_t pieces(std::size_t size, std::size_t piece) { return (size + piece - 1) / piece; }

bool divides(std::size_t parts, std::size_t whole) { return parts > 0 && whole % parts == 0; }

std::size_t total_rows(const std::vector<RowRange>& ranges) {
    std::size_t sum = 0;
    for (const RowRange& range : ranges) sum += range.count;
    return sum;
}

}  // namespace

std::size_t rows_of(const TensorInfo& tensor) {
    return tensor.shape.size() < 2 ? 1 : static_cast<std::size_t>(tensor.shape[0]);
}

std::size_t cols_of(const TensorInfo& tensor) {
    const std::size_t rows = rows_of(tensor);
    return rows == 0 ? 0 : static_cast<std::size_t>(tensor.elements) / rows;
}

std::size_t rows_in_piece(std::size_t cols) {
    return std::max<std::size_t>(1, reader_buffer_bytes / (16 * std::max<std::size_t>(1, cols)));
}

WeightReader::WeightReader(const formats::TensorTable& table) : table_(table), open_file_(no_file) {
    for (const TensorInfo& tensor : table.tensors) index_.emplace(tensor.name, &tensor);
}

Status WeightReader::open(std::size_t file) {
    if (open_file_ == file) return {};
    PLIMSOLL_CHECK(file < table_.files.size(), "a tensor in no file");
    const std::filesystem::path& path = table_.files[file];
    std::error_code problem;
    if (!std::filesystem::is_regular_file(path, problem)) {
        return io_error(path.string(), "is no longer a regular file");
    }
    stream_.close();
    stream_.clear();
    stream_.open(path, std::ios::binary);
    open_file_ = stream_.is_open() ? file : no_file;
    if (open_file_ == no_file) return io_error(path.string(), "cannot be opened");
    return {};
}

Status WeightReader::read_bytes(const TensorInfo& tensor, std::uint64_t offset, std::span<std::byte> out) {
    PLIMSOLL_CHECK(offset <= tensor.bytes && out.size() <= tensor.bytes - offset, "a read beyond its tensor");
    PLIMSOLL_RETURN_IF_ERROR(open(tensor.file));
    stream_.clear();
    stream_.seekg(static_cast<std::streamoff>(tensor.begin + offset));
    stream_.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(out.size()));
    if (stream_.gcount() == static_cast<std::streamsize>(out.size())) return {};
    return io_error(table_.files[tensor.file].string(), fmt::format("ends inside {}", tensor.name));
}

// Piece by piece, so that the bytes never need as much room as the floats.
Status WeightReader::read_plain(const TensorInfo& tensor, std::size_t first, MatrixView<float> out) {
    if (!formats::is_decodable(tensor.dtype)) {
        return cannot_be_used(tensor,
                              fmt::format("{} values are not decoded", formats::name_of(tensor.dtype)));
    }
    const std::size_t row_bytes = out.cols() * static_cast<std::size_t>(formats::bits_of(tensor.dtype)) / 8;
    std::vector<std::byte> bytes;
    const std::size_t piece = rows_in_piece(out.cols());
    for (std::size_t row = 0; row < out.rows(); row += piece) {
        const std::size_t count = std::min(piece, out.rows() - row);
        bytes.resize(count * row_bytes);
        PLIMSOLL_RETURN_IF_ERROR(read_bytes(tensor, (first + row) * row_bytes, bytes));
        for (std::size_t i = 0; i < count; ++i) {
            const auto source = std::span(bytes).subspan(i * row_bytes, row_bytes);
            PLIMSOLL_RETURN_IF_ERROR(formats::decode(tensor.dtype, source, out.row(row + i)));
        }
    }
    return {};
}

// A scale for each block of 128 x 128 is the custom; otherwise the tensor is cut evenly.
Result<WeightReader::Scales> WeightReader::load_scales(const TensorInfo& tensor, const TensorInfo& scale) {
    const std::size_t rows = rows_of(tensor), cols = cols_of(tensor);
    // A vector holds one scale for each row.
    const bool vector = scale.shape.size() == 1 && scale.elements == rows;
    const std::size_t down = vector ? rows : rows_of(scale), across = vector ? 1 : cols_of(scale);
    const bool blocks = pieces(rows, 128) == down && pieces(cols, 128) == across;
    if (scale.elements > most_scales || !(blocks || (divides(down, rows) && divides(across, cols)))) {
        return cannot_be_used(tensor, fmt::format("its scales {} do not fit its shape", scale.name));
    }
    Scales scales{DenseMatrix<float>(down, across), 128, 128};
    if (!blocks) scales = {std::move(scales.values), rows / down, cols / across};
    const MatrixView<float> as_stored(scales.values.view().data(), rows_of(scale), cols_of(scale));
    PLIMSOLL_RETURN_IF_ERROR(read_plain(scale, 0, as_stored));
    return scales;
}

// Null where there are none.
Result<const WeightReader::Scales*> WeightReader::scales_of(const TensorInfo& tensor) {
    if (!is_f8(tensor.dtype)) return static_cast<const Scales*>(nullptr);
    if (const auto known = scales_.find(&tensor); known != scales_.end()) return &known->second;
    for (const std::string_view ending : scale_endings) {
        const auto found = index_.find(tensor.name + std::string(ending));
        if (found == index_.end()) continue;
        PLIMSOLL_ASSIGN(scales, load_scales(tensor, *found->second));
        return &scales_.emplace(&tensor, std::move(scales)).first->second;
    }
    return static_cast<const Scales*>(nullptr);
}

Status WeightReader::read_rows(const TensorInfo& tensor, std::size_t first, MatrixView<float> out) {
    PLIMSOLL_CHECK(out.cols() == cols_of(tensor) && first + out.rows() <= rows_of(tensor),
                   "rows of a tensor");
    PLIMSOLL_RETURN_IF_ERROR(read_plain(tensor, first, out));
    PLIMSOLL_ASSIGN(scales, scales_of(tensor));
    for (std::size_t i = 0; scales != nullptr && i < out.rows(); ++i) {
        const auto factors = scales->values.view().row((first + i) / scales->block_rows);
        for (std::size_t j = 0; j < out.cols(); ++j) out(i, j) *= factors[j / scales->block_cols];
    }
    clear_not_finite(out);
    return {};
}

void WeightReader::clear_not_finite(MatrixView<float> matrix) {
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
        for (float& value : matrix.row(i)) {
            if (std::isfinite(value)) continue;
            value = 0;
            ++not_finite_;
        }
    }
}

Status WeightReader::read_columns(const TensorInfo& tensor, const std::vector<RowRange>& ranges,
                                  MatrixView<float> out) {
    const std::size_t cols = cols_of(tensor), piece = std::min(rows_in_piece(cols), rows_of(tensor));
    DenseMatrix<float> block(piece, cols);
    for (std::size_t first = 0; first < rows_of(tensor); first += piece) {
        const std::size_t count = std::min(piece, rows_of(tensor) - first);
        PLIMSOLL_RETURN_IF_ERROR(read_rows(tensor, first, block.view().block(0, 0, count, cols)));
        std::size_t target = 0;
        for (const RowRange& range : ranges) {
            for (std::size_t j = range.first; j < range.first + range.count; ++j, ++target) {
                for (std::size_t i = 0; i < count; ++i) out(target, first + i) = block(i, j);
            }
        }
    }
    return {};
}

Result<DenseMatrix<float>> WeightReader::read_selected(const TensorInfo& tensor, bool input_first,
                                                       const std::vector<RowRange>& ranges) {
    DenseMatrix<float> matrix(total_rows(ranges), input_first ? rows_of(tensor) : cols_of(tensor));
    if (input_first) {
        PLIMSOLL_RETURN_IF_ERROR(read_columns(tensor, ranges, matrix.view()));
        return matrix;
    }
    std::size_t target = 0;
    for (const RowRange& range : ranges) {
        const auto rows = matrix.view().block(target, 0, range.count, matrix.cols());
        PLIMSOLL_RETURN_IF_ERROR(read_rows(tensor, range.first, rows));
        target += range.count;
    }
    return matrix;
}

}  // namespace plimsoll::audit
