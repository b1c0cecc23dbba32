#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/data/kind.h"

namespace plimsoll::data {

// One official file: its name and size unpacked, and its checksum with what it is of; empty where nobody we
// trust has stated one.
struct CatalogueFile {
    std::string_view name;
    std::uint64_t bytes = 0;
    std::string_view checksum;
};

// A data set that is known by its name.
struct CatalogueEntry {
    std::string_view name;
    Kind kind;
    std::vector<std::string_view> folders;  // looked for in $PLIMSOLL_DATA
    std::string_view system_folder;         // where a package of the system puts it; may be empty
    std::span<const std::string_view> class_names;
    std::string_view checksums_from;  // who computed or published the checksums
    std::vector<CatalogueFile> files;
};

const std::vector<CatalogueEntry>& catalogue();

// The entry of that name, or null.
const CatalogueEntry* in_catalogue(std::string_view name);

// The folder that holds at least the first file of `entry`: below `data_folder` (empty: none was given), or
// the system's. `not_found` lists every file that is wanted with its size and checksum.
Result<std::filesystem::path> find_folder(const CatalogueEntry& entry,
                                          const std::filesystem::path& data_folder);

}  // namespace plimsoll::data
