#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/report/table.h"

// Where rows come from: versions, devices, time and runs.
namespace plimsoll::lab {

// The commit of the repository that holds `folder`, with "+" behind it when files of the repository were
// changed; empty when there is none or git is not there.
std::string source_commit(const std::filesystem::path& folder);

// Version and commit, the time (UTC), and of the runs in `rows` that lie in `runs`: ids, seconds, phases, and
// each kind of machine with its device and libraries (no names of hosts).
Json provenance_of(const report::Table& rows, const std::filesystem::path& runs,
                   const std::filesystem::path& source);

// The same for people, as lines of name and value.
std::vector<std::pair<std::string, std::string>> provenance_lines(const Json& provenance);

}  // namespace plimsoll::lab
