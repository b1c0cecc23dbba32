// Any bytes are a zip archive or an error; what its members unpack to is what they state and what is allowed.
#include <cstdint>

#include "plimsoll/base/check.h"
#include "plimsoll/data/archives/zip.h"
#include "plimsoll/data/arrays/npz.h"
#include "plimsoll/data/readers/array_images.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plimsoll::data;
    constexpr std::uint64_t most = std::uint64_t{1} << 22;
    const LoadedFile file{"input", std::vector<std::uint8_t>(data, data + size)};
    const auto members = list_zip(file, most);
    if (!members.ok()) return 0;
    std::uint64_t bytes = 0;
    for (const auto& member : *members) {
        PLIMSOLL_CHECK(check_member_name("input", member.name).ok(), "a name inside the archive");
        const auto content = read_member("input", member);
        if (content.ok()) bytes += content->bytes.size();
    }
    PLIMSOLL_CHECK(bytes <= most, "no more bytes than are allowed");
    const auto arrays = read_npz(file, most);
    if (arrays.ok()) (void)images_from(*arrays, "input");
    return 0;
}
