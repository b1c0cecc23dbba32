// Any text is a spec or an error; a spec survives its own text and JSON forms and can be counted.
#include <cstdint>
#include <string_view>

#include "plimsoll/arch/count.h"
#include "plimsoll/base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plimsoll;
    const auto spec = arch::parse_spec({reinterpret_cast<const char*>(data), size});
    if (!spec.ok()) return 0;
    const auto again = arch::parse_spec(arch::to_text(*spec));
    PLIMSOLL_CHECK(again.ok() && *again == *spec, "the text form must reverse: " + arch::to_text(*spec));
    const auto table = arch::spec_from_json(arch::to_json(*spec));
    PLIMSOLL_CHECK(table.ok() && *table == *spec, "the JSON form must reverse");
    static_cast<void>(arch::parameter_count(*spec));
    return 0;
}
