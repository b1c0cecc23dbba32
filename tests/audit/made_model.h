#pragma once

#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "plimsoll/base/random.h"
#include "plimsoll/formats/tensor_table.h"
#include "plimsoll/rank/dense_matrix.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::testing {

using Floats = rank::DenseMatrix<float>;

// Entries 0, +-0.5, +-1, +-1.5: exact in every dtype that is decoded.
inline Floats random_weights(std::size_t rows, std::size_t cols, std::uint64_t seed) {
    RandomStream random(seed, "tests/weights");
    Floats matrix(rows, cols);
    for (std::size_t i = 0; i < rows; ++i) {
        for (float& entry : matrix.view().row(i)) entry = 0.5F * (static_cast<float>(random.below(7)) - 3);
    }
    return matrix;
}

inline Floats transposed(const Floats& matrix) {
    Floats turned(matrix.cols(), matrix.rows());
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
        for (std::size_t j = 0; j < matrix.cols(); ++j) turned(j, i) = matrix(i, j);
    }
    return turned;
}

// Some rows of each matrix, one below the other.
inline Floats stacked(const std::vector<MatrixView<const float>>& parts) {
    std::size_t rows = 0;
    for (const auto& part : parts) rows += part.rows();
    Floats whole(rows, parts.at(0).cols());
    std::size_t next = 0;
    for (const auto& part : parts) {
        for (std::size_t i = 0; i < part.rows(); ++i, ++next) {
            std::copy(part.row(i).begin(), part.row(i).end(), whole.view().row(next).begin());
        }
    }
    return whole;
}

inline MatrixView<const float> rows(const Floats& matrix, std::size_t first, std::size_t count) {
    return matrix.view().block(first, 0, count, matrix.cols());
}

// The bytes of one element that is no F32, by asking decode() about every pattern of one or two bytes.
inline std::vector<std::byte> encoded(formats::Dtype dtype, float value) {
    const auto size = static_cast<std::size_t>(formats::bits_of(dtype)) / 8;
    std::vector<std::byte> bytes(size);
    if (size == 8) {
        const double wide = value;
        std::memcpy(bytes.data(), &wide, size);
    } else {
        static std::map<std::pair<formats::Dtype, float>, unsigned> known;
        unsigned& pattern = known[{dtype, value}];
        for (float got = pattern == 0 ? value + 1 : value; got != value; ++pattern) {
            std::memcpy(bytes.data(), &pattern, size);
            EXPECT_TRUE(formats::decode(dtype, bytes, {&got, 1}).ok());
            if (got == value) break;
        }
        std::memcpy(bytes.data(), &pattern, size);
    }
    return bytes;
}

// A model's file and table, made by hand.
class MadeModel {
  public:
    MadeModel() { table.files = {folder_.path() / "weights.bin"}; }

    MadeModel& add(const std::string& name, const Floats& matrix, formats::Dtype dtype = formats::Dtype::f32,
                   std::vector<std::uint64_t> shape = {}) {
        std::vector<std::byte> bytes;
        const auto whole = std::as_bytes(std::span(matrix.view().data(), matrix.rows() * matrix.cols()));
        if (dtype == formats::Dtype::f32) bytes.assign(whole.begin(), whole.end());
        for (std::size_t i = 0; dtype != formats::Dtype::f32 && i < matrix.rows(); ++i) {
            for (const float value : matrix.view().row(i)) {
                const auto element = encoded(dtype, value);
                bytes.insert(bytes.end(), element.begin(), element.end());
            }
        }
        if (shape.empty()) shape = {matrix.rows(), matrix.cols()};
        return add_bytes(name, bytes, dtype, std::move(shape), matrix.rows() * matrix.cols());
    }

    MadeModel& add_bytes(const std::string& name, const std::vector<std::byte>& bytes, formats::Dtype dtype,
                         std::vector<std::uint64_t> shape, std::uint64_t elements) {
        formats::TensorInfo info;
        info.name = name;
        info.dtype = dtype;
        info.shape = std::move(shape);
        info.elements = elements;
        info.begin = size_;
        info.bytes = bytes.size();
        table.tensors.push_back(info);
        std::ofstream file(table.files[0], std::ios::binary | std::ios::app);
        file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        size_ += bytes.size();
        return *this;
    }

    formats::TensorTable table;

  private:
    TempDir folder_;
    std::uint64_t size_ = 0;
};

}  // namespace plimsoll::testing
