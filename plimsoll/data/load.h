#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/data/kind.h"
#include "plimsoll/data/readers/loaded_file.h"
#include "plimsoll/data/readers/token_file.h"

namespace plimsoll::data {

// What somebody wants to read: a path, a name of the catalogue, or the path of a file or folder below
// `data_folder`.
struct DataRequest {
    std::string target;
    std::optional<Kind> kind;           // when the target does not say
    std::filesystem::path data_folder;  // usually $PLIMSOLL_DATA; may be empty
    TokenOptions tokens;
    LoadOptions options;
};

// Where it is and how it will be read.
struct FoundData {
    Kind kind;
    std::filesystem::path path;
    std::vector<std::string> class_names;  // of the catalogue, otherwise empty
};

// Looks at names and first bytes only. What fits no other layout is text. `not_found` says where was looked.
Result<FoundData> find_data(const DataRequest& request);

// Reads it whole.
Result<Dataset> load_data(const FoundData& found, const DataRequest& request);

}  // namespace plimsoll::data
