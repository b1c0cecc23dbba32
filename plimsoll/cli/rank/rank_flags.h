#pragma once

#include <cstdint>
#include <string>

#include "plimsoll/rank/rank_table.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

// The flags of `plimsoll rank` as they were written.
struct RankFlags {
    std::string spec, positions, left, partition, output, prime, seeds = "1", max_size, max_memory = "8G",
                                                                 threads = "0", construction = "automatic";
    std::string table, out, vega, vega_x = "depth", cases = "1000";
    bool force_prime = false, tokens = false, sup_inf = false, csv = false, json = false, numeric = false;
};

void add_rank_flags(CLI::App& verb, RankFlags& flags);

// The question the flags ask about one spec; flags that belong to a table are errors.
Result<rank::RankQuestion> rank_question(const RankFlags& flags);

// The question about a table.
Result<rank::TableQuestion> table_question(const RankFlags& flags);

// How many cases --sup-inf may take.
Result<std::uint64_t> sup_inf_cases(const RankFlags& flags);

}  // namespace plimsoll::cli
