#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/data/tables/records.h"

namespace plimsoll::data {

// Whole records of a table's text.
struct Chunk {
    std::string_view text;
    std::size_t line = 1;   // of its first record
    std::size_t lines = 0;  // at least as many as its records
};

// Cuts a text into chunks of about `bytes`, between two records: a line end inside quotation marks is no cut.
std::vector<Chunk> cut_at_records(std::string_view text, const Dialect& dialect, std::size_t first_line,
                                  std::size_t bytes);

// work(0) ... work(count - 1), on as many threads as there are cores; an exception comes out of here.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work);

// How many of them run at a time.
std::size_t parallel_width();

}  // namespace plimsoll::data
