#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/formats/tensor_table.h"

namespace plimsoll::formats {

// A tensor as the header's JSON gives it; `start` and `end` count from the first byte after the header.
struct HeaderEntry {
    TensorInfo info;  // name, dtype and shape
    std::uint64_t start = 0;
    std::uint64_t end = 0;
};

// What the JSON says, each part of the right type and no name twice; no number is checked against another.
struct SafetensorsHeader {
    std::vector<HeaderEntry> entries;
    Json metadata = Json::object();
};

// Reads the JSON of a header without holding it as values: a hostile header costs a few times its own bytes.
Result<SafetensorsHeader> parse_safetensors_json(std::string_view text, std::string_view where);

}  // namespace plimsoll::formats
