#pragma once

#include <functional>

#include "plimsoll/rank/exact_rank.h"
#include "plimsoll/rank/rank_grid.h"

namespace plimsoll::rank {

// A bound of a row, as a line of the figure.
struct RowBound {
    std::string id;
    double log10 = 0;
    bool upper = true;
};

// One row: what was asked, and the answer.
struct RankRow {
    std::string spec, series;
    std::int64_t depth = 1;
    std::optional<std::int64_t> positions;
    std::string partition, output, primes;
    std::uint64_t seeds = 1;
    std::string construction;  // as asked
    std::size_t rank = 0;
    bool exact = false;
    std::optional<std::size_t> bound;  // no weights have more
    std::size_t size = 0, slack = 0;
    std::optional<double> error_log10;  // nothing: no chance involved
    double seconds = 0;
    std::vector<RowBound> bounds;
    bool resumed = false;  // read from the file, not measured now

    // Whether two rows answer the same question.
    [[nodiscard]] bool same_question(const RankRow& other) const;
};

struct RankTable {
    std::string grid, positions;
    std::vector<RankRow> rows;
    std::vector<SkippedPoint> skipped;
};

// What decides a table. The base question's spec and positions are those of each row.
struct TableQuestion {
    RankQuestion base;
    std::string grid;       // see parse_grid
    std::string positions;  // see positions_in; empty for mixers
    // CSV with finished rows, read first and rewritten after every row; may be empty. Several processes may
    // write to one file: FILE.lock beside it is locked for each row, and no row is lost.
    std::string file;
};

// Measures every row that the file does not have. Rows that cannot be asked are skipped, with the reason.
Result<RankTable> measure_table(const TableQuestion& question, const ProgressCallback& progress = {});

// The rows with a heading; read_rank_csv() reverses it.
std::string to_csv(const std::vector<RankRow>& rows);
Result<std::vector<RankRow>> read_rank_csv(std::string_view text, std::string_view where);

Json to_json(const RankTable& table);

}  // namespace plimsoll::rank
