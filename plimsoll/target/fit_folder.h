#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "plimsoll/arch/spec.h"
#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"

// The folder of a fit as others read it; docs/FIT_METHOD.md has its files.
namespace plimsoll::target {

// What a fit decided.
struct FitWinner {
    std::string candidate;  // its id in the race: "c02"
    std::string sentence;   // "Use 1 x 16, 2 heads ..."
    arch::ArchSpec spec;
    std::size_t raced = 0;      // candidates of the race
    std::filesystem::path run;  // folder of the run whose weights are those of the answer
};

// Whether a folder is one that `plimsoll fit` works in.
bool is_fit_folder(const std::filesystem::path& folder);

// fit.json of a fit that is over; `not_found` before that.
Result<Json> read_fit(const std::filesystem::path& folder);

// Its winner; `not_found` when nothing was decided.
Result<FitWinner> fit_winner(const std::filesystem::path& folder);

}  // namespace plimsoll::target
