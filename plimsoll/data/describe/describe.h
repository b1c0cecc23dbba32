#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "plimsoll/data/describe/corpus_report.h"
#include "plimsoll/data/describe/image_report.h"
#include "plimsoll/data/describe/table_report.h"
#include "plimsoll/data/describe/text_report.h"
#include "plimsoll/data/load.h"

namespace plimsoll::data {

// Everything that the files say of themselves.
struct DataReport {
    Kind kind;
    std::filesystem::path path;
    std::string reading;  // as what it is read, for people
    std::variant<ImageReport, TextReport, TokenReport, PairReport, TableReport> facts;
    std::vector<std::string> first;  // the first examples as they were understood
    std::optional<Dataset> set;      // in memory; nothing for text that is read piece by piece
    std::string contact_sheet;       // a PNG file, when it was asked for
};

// Finds, reads and measures. A contact sheet of anything but images is an error.
Result<DataReport> describe(const DataRequest& request, bool contact_sheet);

}  // namespace plimsoll::data
