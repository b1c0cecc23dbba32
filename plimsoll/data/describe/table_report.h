#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/data/dataset.h"

namespace plimsoll::data {

struct TableColumnReport {
    std::string name;
    bool is_number = false;
    std::uint64_t missing = 0;
    double smallest = 0, mean = 0, largest = 0;  // of the numbers that are there
    std::uint64_t different = 0;                 // categories
    std::vector<std::string> first;              // values of the first rows; "-" where there is none
};

struct TableSplitReport {
    std::string name;
    std::uint64_t count = 0;
    std::vector<std::uint64_t> histogram;  // rows of each class; empty for numbers
};

struct TableReport {
    std::uint64_t rows = 0;
    std::vector<TableColumnReport> columns;  // the label last
    std::string label;
    bool guessed = false;
    std::vector<std::string> class_names;  // empty: the label is a number
    std::vector<TableSplitReport> splits;
    std::vector<LeftOutFile> left_out_columns;
    std::uint64_t left_out = 0;  // rows without a label
};

// What each column holds, the first rows as they were understood, and the labels by split.
TableReport report_table(const Table& table);

}  // namespace plimsoll::data
