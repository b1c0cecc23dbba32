// Any text is a config.json or an error; whatever numbers it holds, a shape comes out or a sentence.
#include <cstdint>
#include <string_view>

#include "plimsoll/base/json.h"
#include "plimsoll/formats/hf_config/hf_config.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plimsoll;
    const auto config = parse_json({reinterpret_cast<const char*>(data), size}, "input");
    if (config.ok()) static_cast<void>(formats::shape_from_config(*config, "input"));
    return 0;
}
