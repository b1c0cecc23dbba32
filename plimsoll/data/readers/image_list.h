#pragma once

#include <string>
#include <vector>

#include "plimsoll/data/archives/file_set.h"

namespace plimsoll::data {

// One image of a set of files, and what its path or its neighbour says about it.
struct ImageEntry {
    std::size_t file = 0;  // in the set
    std::size_t split = 0;
    std::uint16_t label = 0;
};

// Everything that a set of image files says before a pixel is decoded.
struct ImageListing {
    std::vector<std::string> splits, classes;
    std::vector<ImageEntry> images;
    std::uint64_t passed_over = 0;  // files that are no images, by their names
};

// Images in a folder per class, or in such folders below one per split (train, val, valid, validation, test);
// `where` names the set. A folder around everything is passed over.
Result<ImageListing> list_by_folders(const FileSet& files, const std::string& where);

// WebDataset's layout: an image KEY.png or KEY.jpg with its class in KEY.cls, a whole number. The archive's
// name says the split where it has a word for one.
Result<ImageListing> list_by_keys(const FileSet& files, const std::string& where);

// Whether there is a class in a file of its own (KEY.cls).
bool has_class_files(const FileSet& files);
// Whether a file is an image by its name.
bool is_image_name(const std::string& name);

}  // namespace plimsoll::data
