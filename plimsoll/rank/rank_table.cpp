#include "plimsoll/rank/rank_table.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::rank {
namespace {

constexpr double digits_per_trit = 0.4771212547196624;

std::string primes_text(const RankQuestion& question) {
    if (question.primes.empty()) return fmt::format("{}", default_prime);
    return fmt::format("{}", fmt::join(question.primes, "+"));
}

// A row to be measured, with its question and about how many multiplications it takes.
struct PlannedRow {
    RankRow row;
    RankQuestion question;
    double work = 1;
};

RankRow asked_row(const RankQuestion& question, const GridPoint& point) {
    RankRow row{.spec = arch::to_text(point.spec), .series = point.series, .depth = point.depth};
    row.positions = question.positions;
    row.partition = !question.left.empty()       ? question.left
                    : question.partition.empty() ? "half"
                                                 : question.partition;
    row.output = question.output.empty() ? "0,0" : question.output;
    row.primes = primes_text(question);
    row.seeds = question.seeds;
    row.construction = to_text(question.construction);
    return row;
}

double work_of(const RankPlan& plan) {
    NetworkQuestion asked{.positions = plan.question.positions, .prime = plan.fields.front().p};
    const auto network = network_for(plan.question.spec, asked);
    const auto bound = (*network)->rank_bound((*network)->sides(plan.partitions.front(), plan.output));
    const double size = static_cast<double>(bound.value_or(10'000)) + 100;
    return std::pow(size, 3) * static_cast<double>(plan.partitions.size());
}

Result<PlannedRow> plan_row(const TableQuestion& table, const GridPoint& point,
                            std::optional<std::int64_t> positions) {
    RankQuestion question = table.base;
    question.spec = point.spec;
    question.positions = positions;
    PLIMSOLL_ASSIGN(plan, plan_rank(question));
    return PlannedRow{asked_row(question, point), question, work_of(plan)};
}

// The numbers of positions of a point. Beside attention other families may stand, without positions.
Result<std::vector<std::optional<std::int64_t>>> positions_of(const TableQuestion& table,
                                                              const GridPoint& point) {
    const bool several = table.grid.find(';') != std::string::npos;
    const bool without = several && !std::holds_alternative<arch::AttentionSpec>(point.spec);
    if (table.positions.empty() || without) return std::vector<std::optional<std::int64_t>>(1);
    const std::int64_t width = arch::to_json(point.spec).value("width", std::int64_t{0});
    PLIMSOLL_ASSIGN(numbers, positions_in(table.positions, width));
    return std::vector<std::optional<std::int64_t>>(numbers.begin(), numbers.end());
}

Result<std::vector<PlannedRow>> plan_rows(const TableQuestion& question, RankTable& table) {
    PLIMSOLL_ASSIGN(grid, parse_grid(question.grid));
    table.skipped = grid.skipped;
    std::vector<PlannedRow> rows;
    std::optional<Error> first;
    for (const GridPoint& point : grid.points) {
        PLIMSOLL_ASSIGN(positions, positions_of(question, point));
        for (const auto& count : positions) {
            auto row = plan_row(question, point, count);
            if (row.ok()) {
                rows.push_back(std::move(row).value());
                continue;
            }
            if (!first) first = row.error();
            table.skipped.push_back({arch::to_text(point.spec), row.error().text()});
        }
    }
    if (rows.empty()) return *first;
    return rows;
}

Result<std::vector<RankRow>> finished_rows(const std::string& file) {
    if (file.empty() || !std::filesystem::exists(file)) return std::vector<RankRow>();
    PLIMSOLL_ASSIGN(text, read_text(file));
    return read_rank_csv(text, file);
}

// The smallest upper bound that may be relied on and was written out.
std::optional<std::size_t> tightest(const std::vector<RankBound>& bounds) {
    const auto found = std::find_if(bounds.begin(), bounds.end(), [](const RankBound& bound) {
        return bound.side == theory::Side::upper && bound.sound && bound.value && bound.value->fits_int64();
    });
    if (found == bounds.end()) return std::nullopt;
    return static_cast<std::size_t>(found->value->to_int64());
}

Status measure_row(PlannedRow& planned, const ProgressCallback& progress) {
    PLIMSOLL_ASSIGN(report, measure_rank(planned.question, progress));
    RankRow& row = planned.row;
    const RunReport& best = report.best_run();
    row.rank = report.rank;
    row.exact = report.exact;
    row.bound = tightest(report.bounds);
    row.size = best.size;
    row.slack = best.slack;
    row.error_log10 = best.error_log10;
    row.seconds = report.seconds;
    for (const auto& bound : report.bounds) {
        // Some bounds come in several readings; the tightest comes first.
        const bool again = std::any_of(row.bounds.begin(), row.bounds.end(),
                                       [&](const RowBound& known) { return known.id == bound.id; });
        if (again) continue;
        row.bounds.push_back({bound.id, bound.log3 * digits_per_trit, bound.side == theory::Side::upper});
    }
    return {};
}

// Rows as shares of all the work.
class TableProgress {
  public:
    TableProgress(const std::vector<PlannedRow>& rows, const ProgressCallback& callback)
        : callback_(callback) {
        for (const auto& row : rows) total_ += row.work;
    }
    [[nodiscard]] ProgressCallback of(double work) const {
        if (!callback_) return {};
        return [this, work](std::uint64_t done, std::uint64_t total) {
            tell(done_ +
                 work * static_cast<double>(done) / static_cast<double>(std::max<std::uint64_t>(total, 1)));
        };
    }
    void finish(double work) {
        done_ += work;
        if (callback_) tell(done_);
    }
    void leave_out(double work) { total_ -= work; }

  private:
    void tell(double done) const {
        constexpr double steps = 1e6;
        callback_(static_cast<std::uint64_t>(done / total_ * steps), static_cast<std::uint64_t>(steps));
    }
    const ProgressCallback& callback_;
    double total_ = 0, done_ = 0;
};

// The finished rows. Those of the file that answer other questions stay in it, and so do those that another
// process adds meanwhile: the file is read again before each row is added, under a lock.
class TableFile {
  public:
    static Result<TableFile> open(const std::string& file) {
        TableFile table(file);
        if (file.empty()) return table;
        PLIMSOLL_ASSIGN(lock, table.locked());
        PLIMSOLL_ASSIGN(rows, finished_rows(file));
        table.rows_ = std::move(rows);
        return table;
    }
    [[nodiscard]] const RankRow* find(const RankRow& asked) const {
        const auto found = std::find_if(rows_.begin(), rows_.end(),
                                        [&](const RankRow& row) { return row.same_question(asked); });
        return found == rows_.end() ? nullptr : &*found;
    }
    Status add(const RankRow& row) {
        if (file_.empty()) return rows_.push_back(row), Status();
        PLIMSOLL_ASSIGN(lock, locked());
        PLIMSOLL_ASSIGN(rows, finished_rows(file_));
        rows_ = std::move(rows);
        if (find(row) == nullptr) rows_.push_back(row);
        return atomic_write(file_, to_csv(rows_));
    }

  private:
    explicit TableFile(std::string file) : file_(std::move(file)) {}
    // The table itself is replaced whole, so that the lock is on a neighbour.
    [[nodiscard]] Result<FileLock> locked() const { return FileLock::wait(file_ + ".lock"); }

    std::string file_;
    std::vector<RankRow> rows_;
};

Json row_json(const RankRow& row) {
    Json bounds = Json::array();
    for (const auto& bound : row.bounds) {
        bounds.push_back(
            {{"id", bound.id}, {"side", bound.upper ? "upper" : "lower"}, {"log10", bound.log10}});
    }
    return {{"spec", row.spec},
            {"series", row.series},
            {"depth", row.depth},
            {"positions", row.positions ? Json(*row.positions) : Json()},
            {"partition", row.partition},
            {"output", row.output},
            {"primes", row.primes},
            {"seeds", row.seeds},
            {"construction", row.construction},
            {"rank", row.rank},
            {"exact", row.exact},
            {"bound", row.bound ? Json(*row.bound) : Json()},
            {"size", row.size},
            {"slack", row.slack},
            {"error_probability_log10", row.error_log10 ? Json(*row.error_log10) : Json()},
            {"seconds", row.seconds},
            {"resumed", row.resumed},
            {"bounds", bounds}};
}

}  // namespace

bool RankRow::same_question(const RankRow& other) const {
    const auto key = [](const RankRow& row) {
        return std::tie(row.spec, row.positions, row.partition, row.output, row.primes, row.seeds,
                        row.construction);
    };
    return key(*this) == key(other);
}

Result<RankTable> measure_table(const TableQuestion& question, const ProgressCallback& progress) {
    RankTable table{.grid = question.grid, .positions = question.positions};
    PLIMSOLL_ASSIGN(planned, plan_rows(question, table));
    PLIMSOLL_ASSIGN(file, TableFile::open(question.file));
    TableProgress shares(planned, progress);
    for (auto& each : planned) {
        if (file.find(each.row) != nullptr) shares.leave_out(each.work);
    }
    for (auto& each : planned) {
        if (const RankRow* known = file.find(each.row)) {
            table.rows.push_back(*known);
            table.rows.back().series = each.row.series;
            table.rows.back().resumed = true;
            continue;
        }
        PLIMSOLL_RETURN_IF_ERROR(measure_row(each, shares.of(each.work)));
        PLIMSOLL_RETURN_IF_ERROR(file.add(each.row));
        table.rows.push_back(each.row);
        shares.finish(each.work);
    }
    return table;
}

Json to_json(const RankTable& table) {
    Json rows = Json::array(), skipped = Json::array();
    for (const auto& row : table.rows) rows.push_back(row_json(row));
    for (const auto& point : table.skipped)
        skipped.push_back({{"spec", point.text}, {"reason", point.reason}});
    return {{"table", table.grid}, {"positions", table.positions}, {"rows", rows}, {"skipped", skipped}};
}

}  // namespace plimsoll::rank
