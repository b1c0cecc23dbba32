#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/data/readers/loaded_file.h"

namespace plimsoll::testing {

// Small files in the official layouts, made here. All sizes and contents are functions of their arguments.

std::string gzipped(std::string_view content);
std::string xzipped(std::string_view content);
std::string zstded(std::string_view content);

// A file in memory, as the loaders see one.
data::LoadedFile in_memory(std::string_view content, std::string name = "input");

// Writes `content` to folder/name and says where.
std::filesystem::path write_file(const std::filesystem::path& folder, const std::string& name,
                                 std::string_view content);

// `count` bytes that look random and depend on the seed.
std::string noise(std::size_t count, std::uint64_t seed = 1);

// CIFAR-10 records with the labels 0, 1, 2, ... 9, 0, ...
std::string cifar10_records(std::size_t count, std::uint64_t seed = 1);
// CIFAR-100 records with coarse label i mod 20 and fine label i mod 100.
std::string cifar100_records(std::size_t count, std::uint64_t seed = 1);

// An IDX file of unsigned bytes.
std::string idx_file(const std::vector<std::uint32_t>& dimensions, std::string_view elements);
// `count` labels 0, 1, ... `classes` - 1, 0, ...
std::string labels(std::size_t count, std::size_t classes, char first = 0);

// One array of a version 5 MAT-file (MATLAB's class and data type numbers), plain or compressed, and a file
// of them.
std::string mat_array(const std::string& name, const std::vector<std::uint32_t>& dimensions,
                      std::uint8_t array_class, std::uint32_t data_type, std::string_view numbers);
std::string mat_compressed(std::string_view array);
std::string mat_file(std::string_view arrays);
// A whole SVHN file of `count` images: X of noise, y of bytes 1 to 10.
std::string svhn_file(std::size_t count, bool compressed);

// A number's bytes, little-endian.
std::string little32(std::uint32_t value);

}  // namespace plimsoll::testing
