#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/data/readers/loaded_file.h"

namespace plimsoll::data {

// A file inside an archive that is in memory or mapped: where its bytes are, packed or not.
struct ArchiveMember {
    std::string name;  // a relative path that never leaves the archive
    HostArray<std::uint8_t> bytes;
    bool deflated = false;
    std::uint64_t size = 0;   // unpacked; held against what deflate can make of `bytes`
    std::uint32_t crc32 = 0;  // of the unpacked content; deflated or of a zip
    bool checked = false;     // there is a crc32
};

// Whether a member's path is one inside the archive: relative, no "..", no NUL; the error says what it is.
Status check_member_name(const std::string& archive, const std::string& name);

// The content of a member, its checksum compared.
Result<LoadedFile> read_member(const std::string& archive, const ArchiveMember& member);

}  // namespace plimsoll::data
