#include "plimsoll/data/catalogue.h"

#include "plimsoll/base/format.h"
#include "plimsoll/data/readers/loaded_file.h"

namespace plimsoll::data {
namespace {

namespace fs = std::filesystem;

bool has_one_of(const CatalogueEntry& entry, const fs::path& folder) {
    for (const auto& file : entry.files)
        if (find_packed(folder, file.name)) return true;
    return false;
}

std::string wanted_files(const CatalogueEntry& entry) {
    std::string text;
    for (const auto& file : entry.files)
        text += fmt::format("\n  {:<24} {:>10} bytes  {}", file.name, file.bytes,
                            file.checksum.empty() ? "checksum not known to us" : file.checksum);
    if (!entry.checksums_from.empty()) text += fmt::format("\nChecksums: {}.", entry.checksums_from);
    return text;
}

}  // namespace

const CatalogueEntry* in_catalogue(std::string_view name) {
    for (const auto& entry : catalogue())
        if (entry.name == name) return &entry;
    return nullptr;
}

Result<fs::path> find_folder(const CatalogueEntry& entry, const fs::path& data_folder) {
    if (!data_folder.empty())
        for (const auto folder : entry.folders)
            if (has_one_of(entry, data_folder / folder)) return data_folder / folder;
    if (!entry.system_folder.empty() && has_one_of(entry, entry.system_folder))
        return fs::path(entry.system_folder);
    const std::string place =
        data_folder.empty() ? "$PLIMSOLL_DATA is not set" : "it is not in " + data_folder.string();
    return not_found(
        std::string(entry.name),
        fmt::format(
            "{}. Wanted in $PLIMSOLL_DATA/{}, plain or as .xz, .gz or .zst (sizes of the plain files):{}",
            place, fmt::join(entry.folders, " or $PLIMSOLL_DATA/"), wanted_files(entry)));
}

}  // namespace plimsoll::data
