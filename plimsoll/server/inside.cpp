#include "plimsoll/server/inside.h"

#include <algorithm>

namespace plimsoll::server {
namespace {

namespace fs = std::filesystem;

Error leads_out(const fs::path& place) {
    return not_found(place.filename().string(), "is a link that leads out of the folder of runs");
}

}  // namespace

bool lies_inside(const fs::path& root, const fs::path& place) {
    std::error_code problem;
    const auto folder = fs::canonical(root, problem);
    if (problem) return false;
    const auto real = fs::canonical(place, problem);
    if (problem) return false;
    return std::ranges::mismatch(folder, real).in1 == folder.end();
}

Status check_links(const fs::path& root, const fs::path& run) {
    std::error_code problem;
    const auto kind = fs::symlink_status(run, problem).type();
    if (kind == fs::file_type::not_found) return {};
    if (!lies_inside(root, run)) return leads_out(run);
    for (const auto& entry : fs::directory_iterator(run, problem))
        if (entry.is_symlink(problem) && !lies_inside(root, entry.path())) return leads_out(entry.path());
    return {};
}

}  // namespace plimsoll::server
