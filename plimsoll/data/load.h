#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/data/kind.h"
#include "plimsoll/data/read_options.h"
#include "plimsoll/data/readers/loaded_file.h"

namespace plimsoll::data {

// What somebody wants to read: a path, a name of the catalogue, or the path of a file or folder below
// `data_folder`.
struct DataRequest {
    std::string target;
    std::optional<Kind> kind;           // when the target does not say
    std::filesystem::path data_folder;  // usually $PLIMSOLL_DATA; may be empty
    ReadOptions read;
    LoadOptions options;
};

// Where it is and how it will be read.
struct FoundData {
    Kind kind;
    std::filesystem::path path;
    std::vector<std::string> class_names;  // of the catalogue, otherwise empty
    std::string reading;      // "CSV, 12 columns, label in `species` (guessed; --label)"; may be empty
    bool plain_text = false;  // the bytes of its files are the text: they can be read piece by piece
    bool asked = false;       // the request said the kind
};

// Looks at first bytes, then at names; an archive is opened for the names in it. What is binary and in no
// format that is read is refused with the command that makes it one; what is left is text. `not_found` says
// where was looked.
Result<FoundData> find_data(const DataRequest& request);

// Reads it whole.
Result<Dataset> load_data(const FoundData& found, const DataRequest& request);

}  // namespace plimsoll::data
