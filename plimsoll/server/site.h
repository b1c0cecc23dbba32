#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "plimsoll/base/progress.h"
#include "plimsoll/base/result.h"

namespace plimsoll::server {

// The vocabulary, the contexts and the budgets that a site has answers for.
inline constexpr std::int64_t site_vocab = 32'000, site_context = 1024;
const std::vector<std::int64_t>& site_contexts();
const std::vector<std::string>& site_budgets();

struct SiteSettings {
    std::filesystem::path folder;
    bool replace = false;  // write into a folder that has something in it
    ProgressCallback progress;
};

struct SiteReport {
    std::size_t files = 0;
    std::uint64_t bytes = 0;
};

// The page as static files that need no server: index.html works from any web server and from disk. Its data
// are scripts, as a page on disk may not fetch. An error when the page is not in this binary, and for a
// folder with something in it unless it may be replaced.
Result<SiteReport> write_site(const SiteSettings& settings);

// The name of the script with the answer to a path of the API: "map-field-context-1024.js" for
// "map/field?context=1024".
std::string site_script(const std::string& path);

}  // namespace plimsoll::server
