#pragma once

#include <optional>
#include <string>
#include <variant>

#include "plimsoll/data/describe/corpus_report.h"
#include "plimsoll/data/describe/image_report.h"
#include "plimsoll/data/describe/text_report.h"
#include "plimsoll/data/load.h"

namespace plimsoll::data {

// Everything `plimsoll data info` says.
struct DataReport {
    Kind kind;
    std::filesystem::path path;
    std::variant<ImageReport, TextReport, TokenReport, PairReport> facts;
    std::string contact_sheet;  // a PNG file, when it was asked for
};

// Finds, reads and measures. A contact sheet of anything but images is an error.
Result<DataReport> describe(const DataRequest& request, bool contact_sheet);

}  // namespace plimsoll::data
