#pragma once

#include <filesystem>

#include "plimsoll/data/readers/loaded_file.h"

namespace plimsoll::data {

inline constexpr ImageShape stl10_shape{3, 96, 96};

// One split from an X file (N images, planes column by column) and the y file (N labels, 1 to 10) beside it;
// `labels` is null for unlabelled images.
Result<ImageSplit> make_stl10_split(const LoadedFile& images, const LoadedFile* labels);

// STL-10's binary layout: a folder with train_X.bin, train_y.bin, test_X.bin, test_y.bin and unlabeled_X.bin,
// those that are there; or one X file.
Result<Images> load_stl10(const std::filesystem::path& path, const LoadOptions& options);

}  // namespace plimsoll::data
