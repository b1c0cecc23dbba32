#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/data/dataset.h"

namespace plimsoll::data {

struct TokenReport {
    std::uint64_t count = 0, distinct = 0;
    std::uint32_t bits = 0, smallest = 0, largest = 0;
    double entropy_bits_per_token = 0;
};
// Counts of ids, their range, and the entropy of the ids alone.
TokenReport report_tokens(const Tokens& tokens);

struct PairSplitReport {
    std::string name;
    std::uint64_t count = 0;
    std::vector<std::uint64_t> histogram;  // pairs of each label
};
struct PairReport {
    std::vector<std::string> label_names;
    std::vector<PairSplitReport> splits;
    double mean_first_bytes = 0, mean_second_bytes = 0;
    std::uint64_t left_out = 0;         // pairs without an agreed label
    std::uint64_t repeated = 0;         // pairs that equal an earlier one
    std::uint64_t label_conflicts = 0;  // sets of equal pairs with different labels
};
// Counts by split and label, mean lengths, and exact duplicates.
PairReport report_pairs(const SentencePairs& pairs);

}  // namespace plimsoll::data
