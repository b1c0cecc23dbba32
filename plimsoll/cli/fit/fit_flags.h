#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/cli/data/read_flags.h"
#include "plimsoll/fit/request.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

// The flags of `plimsoll fit` as they were typed.
struct FitFlags {
    std::vector<std::string> data;
    std::string params, target, time, flops, families, vocab = "auto", context, recipe, device = "auto", out,
                                                       data_folder;
    std::string style = fit::automatic_style;
    ReadFlags read;
    std::int64_t seed = 1;
    int workers = 0;
    bool retry_failed = false, no_stack = false, dry_run = false, json = false;
};

std::shared_ptr<FitFlags> add_fit_flags(CLI::App& verb);

// What they ask for, with fit's own defaults where they say nothing. Writes nothing.
Result<fit::FitRequest> request_of(const FitFlags& flags);

// Several text files as one data set: links to them, in their order, in `folder`, which appears whole or
// not at all. One that holds other links is refused.
Status join_text_files(const std::vector<std::string>& files, const std::filesystem::path& folder);

// Standard input as the file that the request reads, where it is `-`: it appears whole or not at all, and one
// with another content is refused.
Status keep_standard_input(const FitFlags& flags, const fit::FitRequest& request);

// The command that was typed, so that it can be pasted into a shell.
std::string typed_command(const CLI::App& verb);

}  // namespace plimsoll::cli
