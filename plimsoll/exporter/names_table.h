#pragma once

#include <string_view>
#include <vector>

#include "plimsoll/exporter/stock.h"

namespace plimsoll::exporter {

// How a tensor of ours becomes one of theirs.
enum class Arrangement {
    same,
    conv1d,           // GPT-2's linear layers: (in, out)
    query_key_value,  // the query of a layer, with its key and value behind it; (in, 3 out)
    behind_query,     // a key or value that its query took along
    opt_positions,    // two rows that no position reads come first
    patches,          // (width, channels, patch height, patch width)
    one_more,         // a dimension of 1 in front
};

// A module (both names without .weight and .bias) or a whole tensor; # is the number of the layer.
struct NameRow {
    std::string_view ours, theirs;
    Arrangement arrangement = Arrangement::same;
};

// Every tensor that a spec which fits the class can have.
std::vector<NameRow> stock_names(StockClass stock);

}  // namespace plimsoll::exporter
