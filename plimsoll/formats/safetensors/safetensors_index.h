#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/formats/tensor_table.h"

namespace plimsoll::formats {

// Name of the index of a sharded model, and of a model in one file.
constexpr std::string_view shard_index_name = "model.safetensors.index.json";
constexpr std::string_view single_file_name = "model.safetensors";

// Which shard holds which tensor, as the index says.
struct ShardIndex {
    std::vector<std::string> shards;                           // plain file names, sorted, each once
    std::vector<std::pair<std::string, std::size_t>> tensors;  // name and index into shards, sorted by name
    std::optional<std::uint64_t> total_size;                   // bytes of all tensors, where it is stated
};

// Reads the text of an index; a shard must be a plain file name, so that no index points out of its folder.
Result<ShardIndex> parse_shard_index(std::string_view text, std::string_view where);

// The tensors of all shards of an index file, or of the index in a folder. Every tensor of the index must be
// in its shard and every tensor of a shard in the index; a wrong total_size becomes a remark.
Result<TensorTable> read_sharded(const std::filesystem::path& index_or_folder);

// The tensors of a .safetensors file, of an index file, or of a folder that holds either (the index first).
Result<TensorTable> read_safetensors_model(const std::filesystem::path& path);

}  // namespace plimsoll::formats
