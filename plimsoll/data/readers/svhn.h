#pragma once

#include <filesystem>

#include "plimsoll/data/readers/loaded_file.h"

namespace plimsoll::data {

inline constexpr ImageShape svhn_shape{3, 32, 32};

// One split from a MAT-file with X (32, 32, 3, N) of bytes and y (N, 1), 1 to 10, where 10 is the digit 0.
Result<ImageSplit> make_svhn_split(const LoadedFile& file, const LoadOptions& options);

// SVHN's cropped digits: a folder with train_32x32.mat, test_32x32.mat and extra_32x32.mat, those that are
// there; or one such file.
Result<Images> load_svhn(const std::filesystem::path& path, const LoadOptions& options);

}  // namespace plimsoll::data
