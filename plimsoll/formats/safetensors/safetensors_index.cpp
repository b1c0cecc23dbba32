#include "plimsoll/formats/safetensors/safetensors_index.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/formats/safetensors/safetensors.h"

namespace plimsoll::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_index_bytes = 100'000'000;
constexpr std::size_t max_shards = 10'000;

bool is_plain_file_name(std::string_view name) {
    const auto forbidden = [](char c) {
        return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
    };
    return !name.empty() && name != "." && name != ".." && name.size() <= 255 &&
           std::ranges::none_of(name, forbidden);
}

// total_size is a count of bytes; some writers print it as 1.3e10.
Result<std::optional<std::uint64_t>> total_size(const Json& index, const std::string& where) {
    const auto metadata = index.find("metadata");
    if (metadata == index.end() || metadata->is_null()) return std::optional<std::uint64_t>();
    if (!metadata->is_object()) return bad_input(where, "metadata must be an object");
    const auto size = metadata->find("total_size");
    if (size == metadata->end()) return std::optional<std::uint64_t>();
    if (size->is_number_unsigned()) return std::optional(size->get<std::uint64_t>());
    const double real = size->is_number_float() ? size->get<double>() : -1;
    if (!(real >= 0) || real > 9007199254740992.0 || real != std::floor(real)) {  // 2^53
        return bad_input(where, "metadata.total_size must be a whole number of at least 0");
    }
    return std::optional(static_cast<std::uint64_t>(real));
}

using NamedShards = std::vector<std::pair<std::string, std::string>>;

Result<NamedShards> weight_map(const Json& index, const std::string& where) {
    const auto map = index.find("weight_map");
    if (map == index.end() || !map->is_object()) {
        return bad_input(where, "has no weight_map from tensor names to files");
    }
    NamedShards pairs;
    for (const auto& [tensor, shard] : map->get_ref<const Json::object_t&>()) {
        if (!shard.is_string() || !is_plain_file_name(shard.get_ref<const std::string&>())) {
            return bad_input(
                where, fmt::format("weight_map: tensor '{}' must name a file in the same folder, got {}",
                                   printable(tensor), printable(shard.dump())));
        }
        pairs.emplace_back(tensor, shard.get<std::string>());
    }
    return pairs;
}

using Names = std::vector<std::string_view>;

// The tensors that the index gives to each shard, sorted by name.
std::vector<Names> promised_names(const ShardIndex& index) {
    std::vector<Names> names(index.shards.size());
    for (const auto& [name, shard] : index.tensors) names[shard].push_back(name);
    return names;
}

// Both lists are sorted, so the smaller of the two names that first differ is missing from the other list.
Status check_shard(const TensorTable& shard, const Names& promised, const std::string& shard_name,
                   const std::string& where) {
    Names found;
    for (const TensorInfo& tensor : shard.tensors) found.push_back(tensor.name);
    std::ranges::sort(found);
    const auto [in_index, in_file] = std::ranges::mismatch(promised, found);
    if (in_index == promised.end() && in_file == found.end()) return {};
    const bool missing = in_file == found.end() || (in_index != promised.end() && *in_index < *in_file);
    if (missing) {
        return bad_input(
            where, fmt::format("tensor '{}' should be in {} and is not", printable(*in_index), shard_name));
    }
    return bad_input(where, fmt::format("tensor '{}' of {} is not in the weight_map for that file",
                                        printable(*in_file), shard_name));
}

Result<TensorTable> read_shard(const fs::path& index_path, const std::string& name) {
    auto shard = read_safetensors(index_path.parent_path() / name);
    if (shard.ok() || shard.error().kind != ErrorKind::not_found) return shard;
    return not_found(index_path.string(), fmt::format("names the shard {}, which is not there", name));
}

void append_shard(TensorTable& table, TensorTable shard) {
    if (table.files.empty()) table.metadata = std::move(shard.metadata);
    for (TensorInfo& tensor : shard.tensors) {
        tensor.file = table.files.size();
        table.tensors.push_back(std::move(tensor));
    }
    table.files.push_back(std::move(shard.files.front()));
}

void compare_total_size(TensorTable& table, const ShardIndex& index) {
    std::uint64_t sum = 0;
    for (const TensorInfo& tensor : table.tensors) sum += tensor.bytes;
    if (!index.total_size || *index.total_size == sum) return;
    table.remarks.push_back(fmt::format("the index states a total_size of {} bytes, its tensors have {}",
                                        *index.total_size, sum));
}

}  // namespace

Result<ShardIndex> parse_shard_index(std::string_view text, std::string_view where) {
    const std::string place(where);
    PLIMSOLL_ASSIGN(json, parse_json(text, where));
    if (!json.is_object()) return bad_input(place, "must be a JSON object");
    PLIMSOLL_ASSIGN(size, total_size(json, place));
    PLIMSOLL_ASSIGN(pairs, weight_map(json, place));
    ShardIndex index{.total_size = size};
    for (const auto& pair : pairs) index.shards.push_back(pair.second);
    std::ranges::sort(index.shards);
    const auto repeats = std::ranges::unique(index.shards);
    index.shards.erase(repeats.begin(), repeats.end());
    if (index.shards.size() > max_shards) {
        return bad_input(place,
                         fmt::format("names {} shards; the limit is {}", index.shards.size(), max_shards));
    }
    for (auto& [tensor, shard] : pairs) {
        const auto found = std::ranges::lower_bound(index.shards, shard);
        index.tensors.emplace_back(std::move(tensor), static_cast<std::size_t>(found - index.shards.begin()));
    }
    std::ranges::sort(index.tensors);
    return index;
}

Result<TensorTable> read_sharded(const fs::path& index_or_folder) {
    std::error_code ignored;  // what cannot be looked at is a file, and reading it says why
    const bool folder = fs::is_directory(index_or_folder, ignored);
    const fs::path path = folder ? index_or_folder / shard_index_name : index_or_folder;
    PLIMSOLL_ASSIGN(text, read_text(path, max_index_bytes));
    PLIMSOLL_ASSIGN(index, parse_shard_index(text, path.string()));
    const auto promised = promised_names(index);
    TensorTable table;
    for (std::size_t i = 0; i < index.shards.size(); ++i) {
        PLIMSOLL_ASSIGN(shard, read_shard(path, index.shards[i]));
        PLIMSOLL_RETURN_IF_ERROR(check_shard(shard, promised[i], index.shards[i], path.string()));
        append_shard(table, std::move(shard));
    }
    compare_total_size(table, index);
    return table;
}

Result<TensorTable> read_safetensors_model(const fs::path& path) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) {
        return path.string().ends_with(".index.json") ? read_sharded(path) : read_safetensors(path);
    }
    if (fs::exists(path / shard_index_name, ignored)) return read_sharded(path);
    if (fs::exists(path / single_file_name, ignored)) return read_safetensors(path / single_file_name);
    return not_found(path.string(),
                     fmt::format("holds neither {} nor {}", single_file_name, shard_index_name));
}

}  // namespace plimsoll::formats
