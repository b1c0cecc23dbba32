#pragma once

#include <filesystem>

#include "plimsoll/data/readers/loaded_file.h"

namespace plimsoll::data {

// A folder with one subfolder of PNG and JPEG files per class, in the order of their names; or with one such
// folder per split (train, test, val, valid, validation). All images must have one height and width; they are
// grey when all are grey. Files of other kinds are refused.
Result<Images> load_image_folder(const std::filesystem::path& folder, const LoadOptions& options);

}  // namespace plimsoll::data
