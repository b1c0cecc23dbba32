#pragma once

#include <filesystem>

#include "plimsoll/data/read_options.h"
#include "plimsoll/data/readers/loaded_file.h"

namespace plimsoll::data {

// PNG and JPEG files, in a folder or in a tar or zip archive: one subfolder per class, in the order of their
// names, or such subfolders below one per split (train, test, val, valid, validation); in an archive also
// KEY.png with its class in KEY.cls (WebDataset), several shards as a folder of archives. Images of another
// size than most are resized to that, which is noted; where no size is that of more than half, `read.resize`
// must say one. They are grey when all are grey. Files of other kinds are refused.
Result<Images> load_image_folder(const std::filesystem::path& path, const ReadOptions& read,
                                 const LoadOptions& options);

}  // namespace plimsoll::data
