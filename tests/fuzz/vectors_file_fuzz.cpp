// Any bytes are a file of vectors, checked, or an error; never a Bug, whatever ids and inputs they name.
#include <cstdint>
#include <string_view>

#include "plimsoll/theory/ids/vectors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plimsoll;
    const auto file = parse_json({reinterpret_cast<const char*>(data), size}, "input");
    if (file.ok()) static_cast<void>(theory::check_vectors(*file, "input"));
    return 0;
}
