#pragma once

#include "plimsoll/data/archives/archive_member.h"

namespace plimsoll::data {

// The files of a zip archive by its central directory, in its order (stored and deflated; folders are left
// out). Members that overlap, that state more than their bytes can unpack to, or together more than
// `most_bytes`, are refused; encryption, other methods, several disks and zip64 are `unsupported`.
Result<std::vector<ArchiveMember>> list_zip(const LoadedFile& archive, std::uint64_t most_bytes);

}  // namespace plimsoll::data
