#pragma once

#include <filesystem>

#include "plimsoll/data/readers/loaded_file.h"

namespace plimsoll::data {

// CIFAR's binary records: one label byte (CIFAR-10) or two, coarse then fine (CIFAR-100), then 3 planes of 32
// x 32.
enum class Cifar { ten, hundred };

inline constexpr ImageShape cifar_shape{3, 32, 32};

// The bytes of one record: 3073 or 3074.
std::size_t cifar_record_bytes(Cifar kind);

// Adds the records of one file to a split: whole records only, every label among its classes.
Status add_cifar(const LoadedFile& file, Cifar kind, ImageSplit& split);

// A folder with the official files (data_batch_1.bin ... and test_batch.bin; train.bin and test.bin), packed
// or not, those that are there; or any single file of records.
Result<Images> load_cifar(const std::filesystem::path& path, Cifar kind, const LoadOptions& options);

}  // namespace plimsoll::data
