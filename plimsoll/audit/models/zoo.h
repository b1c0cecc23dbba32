#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/formats/shape/model_shape.h"

namespace plimsoll::audit {

// A published model: its shape and how we know it.
struct ZooRow {
    formats::ModelShape shape;
    std::string modality;  // "text", "image", "protein" ...
    std::int64_t year = 0;
    std::string published;                 // parameters as their authors round them: "11B"; may be empty
    std::optional<std::int64_t> computed;  // as counted from the shape; an estimate where no family is known
    std::string source;                    // repository and file, or paper
    std::string check;                     // how the row was obtained: "config read", "from memory"
    std::string notes;
    std::string count_note;          // why the count differs from the published one; may be empty
    std::vector<std::string> cells;  // the row as in data/zoo.csv
};

// Every published model in the binary, in the order of data/zoo.csv.
const std::vector<ZooRow>& zoo();

// How far to trust a row, from its `check`: "read" (in the model's files, code or paper), "copy" (in a copy
// of those), "partly" (some numbers from memory) or "memory".
std::string_view confidence(const ZooRow& row);

// The name in the form a shell takes without quotes: "esm-2-8m".
std::string zoo_argument(const ZooRow& row);

// The headings of data/zoo.csv.
const std::vector<std::string>& zoo_columns();

// data/zoo.csv as it was at build time.
std::string_view zoo_csv();

// The rows that match every filter, sorted. A filter is key=value, key>number, key<number or a text that some
// cell contains; `sort` is a column, a leading minus reverses, empty keeps the order.
Result<std::vector<const ZooRow*>> select_zoo(const std::vector<std::string>& filters, std::string_view sort);

}  // namespace plimsoll::audit
