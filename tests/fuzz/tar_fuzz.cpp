// Any bytes are a tar archive or an error; its members lie inside it and have names that stay in it.
#include <cstdint>

#include "plimsoll/base/check.h"
#include "plimsoll/data/archives/tar.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plimsoll::data;
    const LoadedFile file{"input", std::vector<std::uint8_t>(data, data + size)};
    const auto members = list_tar(file);
    if (!members.ok()) return 0;
    std::uint64_t bytes = 0;
    for (const auto& member : *members) {
        PLIMSOLL_CHECK(check_member_name("input", member.name).ok(), "a name inside the archive");
        const auto content = read_member("input", member);
        if (content.ok()) bytes += content->bytes.size();
    }
    PLIMSOLL_CHECK(bytes <= size, "no more bytes than the archive has");
    return 0;
}
