// Any text is an index of shards or an error; no shard it names lies outside the index's folder.
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "plimsoll/base/check.h"
#include "plimsoll/formats/safetensors/safetensors_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plimsoll;
    const auto index = formats::parse_shard_index({reinterpret_cast<const char*>(data), size}, "input");
    if (!index.ok()) return 0;
    const std::filesystem::path folder = "/models/here";
    for (const auto& shard : index->shards) {
        const auto path = (folder / shard).lexically_normal();
        PLIMSOLL_CHECK(path.parent_path() == folder && path.has_filename(), "a shard outside the folder");
    }
    for (const auto& tensor : index->tensors)
        PLIMSOLL_CHECK(tensor.second < index->shards.size(), "no such shard");
    return 0;
}
