#include "plimsoll/data/arrays/npz.h"

#include <algorithm>

#include "plimsoll/data/archives/zip.h"

namespace plimsoll::data {
namespace {

constexpr std::string_view npy_ending = ".npy";

}  // namespace

Result<bool> is_npz(const LoadedFile& file, std::uint64_t most_bytes) {
    PLIMSOLL_ASSIGN(members, list_zip(file, most_bytes));
    return !members.empty() && std::ranges::all_of(members, [](const ArchiveMember& member) {
        return member.name.ends_with(npy_ending);
    });
}

Result<std::vector<NpzArray>> read_npz(const LoadedFile& file, std::uint64_t most_bytes) {
    PLIMSOLL_ASSIGN(members, list_zip(file, most_bytes));
    std::vector<NpzArray> arrays;
    for (const auto& member : members) {
        if (!member.name.ends_with(npy_ending)) continue;
        PLIMSOLL_ASSIGN(content, read_member(file.name, member));
        PLIMSOLL_ASSIGN(array, parse_npy(content));
        arrays.push_back({member.name.substr(0, member.name.size() - npy_ending.size()), std::move(array)});
    }
    return arrays;
}

}  // namespace plimsoll::data
