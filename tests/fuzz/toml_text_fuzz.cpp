// Any text is TOML or an error, and what it becomes can be written and read back as JSON.
#include <cstdint>
#include <string_view>

#include "plimsoll/base/check.h"
#include "plimsoll/base/toml.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plimsoll;
    const auto value = parse_toml({reinterpret_cast<const char*>(data), size}, "input");
    if (value.ok()) static_cast<void>(value->dump());
    return 0;
}
