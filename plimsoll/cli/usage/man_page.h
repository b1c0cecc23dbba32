#pragma once

#include <filesystem>
#include <string>

#include "plimsoll/base/result.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

// The manual page of a verb, its parts in sections of it, or of the program itself, in the language of
// man(7).
std::string man_page(const CLI::App& verb);

// Writes plimsoll.1 and plimsoll-VERB.1 for every verb of `app` to an existing folder.
Status write_man_pages(const CLI::App& app, const std::filesystem::path& folder);

}  // namespace plimsoll::cli
