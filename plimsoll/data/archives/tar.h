#pragma once

#include "plimsoll/data/archives/archive_member.h"

namespace plimsoll::data {

// The regular files of a tar archive in their order (ustar, GNU's long names, pax paths and sizes; links and
// folders are left out). Every size is held against the bytes that are there, every header against its sum.
Result<std::vector<ArchiveMember>> list_tar(const LoadedFile& archive);

}  // namespace plimsoll::data
