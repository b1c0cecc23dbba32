#pragma once

#include "plimsoll/data/arrays/npz.h"

namespace plimsoll::data {

// Whether the arrays of a .npz file are images with labels: train_images and train_labels (MedMNIST; val_ and
// test_ too), x_train and y_train (Keras), images and labels.
bool are_images(const std::vector<NpzArray>& arrays);

// Images (N, H, W) or (N, H, W, C) of unsigned bytes with one whole number each, in the splits that there
// are; their labels are 0 to 65535.
Result<Images> images_from(const std::vector<NpzArray>& arrays, const std::string& file);
Result<Images> load_npz_images(const std::filesystem::path& path, const LoadOptions& options);

}  // namespace plimsoll::data
