#include "plimsoll/rank/piece_ranks.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/rank/error_bound.h"

namespace plimsoll::rank {
namespace {

constexpr std::size_t endless = std::numeric_limits<std::size_t>::max();

// The most the rank of a piece can be.
std::size_t cap_of(const Piece& piece) {
    return std::min({piece.bound_rows.value_or(endless), piece.bound_cols.value_or(endless),
                     piece.source->max_rows(), piece.source->max_cols()});
}

// The limits of one piece: no more samples than its cap and the slack need.
EliminationLimits limits_for(const Piece& piece, std::uint64_t degree, EliminationLimits limits) {
    if (!piece.source->generic_profile()) return limits;
    const std::size_t cap = cap_of(piece), fits = size_that_fits(limits.max_bytes, limits.threads);
    limits.slack = slack_for(std::min({cap, fits, limits.max_size}) + 64, degree, piece.source->field().p);
    if (cap < endless - limits.slack) limits.max_size = std::min(limits.max_size, cap + limits.slack);
    return limits;
}

PieceReport report_of(const Piece& piece, std::uint64_t degree, const EliminationResult& found) {
    PieceReport report{.name = piece.name, .rank = found.rank, .rows = found.rows, .cols = found.cols};
    report.slack = found.slack;
    report.certain = found.complete || found.rank == cap_of(piece);
    report.saturated = found.saturated && !report.certain;
    if (!report.certain && !report.saturated) {
        report.error_log10 =
            hidden_rank_log10(std::max(found.rows, found.cols), found.slack, degree, piece.source->field().p);
    }
    report.bytes = found.bytes;
    report.seconds = found.seconds;
    report.backend = found.backend;
    return report;
}

// A piece whose rank is the number of functions on one side, without elimination.
PieceReport implied_piece(const Piece& piece) {
    const std::size_t rows = piece.bound_rows.value_or(piece.source->max_rows()),
                      cols = piece.bound_cols.value_or(piece.source->max_cols());
    PieceReport report{.name = piece.name, .rank = std::min(rows, cols), .rows = rows, .cols = cols};
    report.slack = 0;
    report.implied = report.certain = true;
    return report;
}

// Multiplications as a share of all that might be needed.
class SharedProgress {
  public:
    SharedProgress(const PieceList& list, const ProgressCallback& callback) : callback_(callback) {
        for (const auto& piece : list.pieces) total_ += work(piece);
    }
    [[nodiscard]] ProgressCallback of(const Piece& piece) const {
        if (!callback_) return {};
        return [this, share = work(piece)](std::uint64_t done, std::uint64_t total) {
            tell(done_ + share * static_cast<double>(done) / static_cast<double>(std::max(total, done + 1)));
        };
    }
    void finish(const Piece& piece) {
        done_ += work(piece);
        if (callback_) tell(done_);
    }

  private:
    static double work(const Piece& piece) {
        const std::size_t cap = cap_of(piece);
        return cap == endless ? 1.0 : std::pow(static_cast<double>(cap) + 100, 3);
    }
    void tell(double done) const {
        constexpr std::uint64_t steps = 1'000'000;
        callback_(static_cast<std::uint64_t>(done / total_ * static_cast<double>(steps)), steps);
    }

    const ProgressCallback& callback_;
    double total_ = 0, done_ = 0;
};

class PieceRanks {
  public:
    PieceRanks(PieceList& list, std::uint64_t degree, const EliminationLimits& limits,
               const ProgressCallback& progress)
        : pieces_(list.pieces),
          degree_(degree),
          limits_(limits),
          progress_(list, progress),
          reports_(list.pieces.size()) {}

    std::vector<PieceReport> in_order() {
        for (std::size_t j = 0; j < pieces_.size(); ++j) measure(j);
        return std::move(reports_);
    }

    // From the middle outwards: full column rank spreads to lower degrees, full row rank to higher ones.
    std::vector<PieceReport> outwards() {
        const std::size_t middle = first_with_fewer_rows();
        for (std::size_t j = middle; j-- > 0;) {
            if (measure(j).rank < *pieces_[j].bound_cols) continue;
            while (j-- > 0) imply(j);
            break;
        }
        for (std::size_t j = middle; j < pieces_.size(); ++j) {
            if (measure(j).rank < *pieces_[j].bound_rows) continue;
            while (++j < pieces_.size()) imply(j);
        }
        return std::move(reports_);
    }

  private:
    [[nodiscard]] std::size_t first_with_fewer_rows() const {
        const auto found = std::find_if(pieces_.begin(), pieces_.end(), [](const Piece& piece) {
            return *piece.bound_rows < *piece.bound_cols;
        });
        return static_cast<std::size_t>(found - pieces_.begin());
    }

    const PieceReport& measure(std::size_t j) {
        const Piece& piece = pieces_[j];
        if (cap_of(piece) == 0) return imply(j);
        const auto found =
            measure_rank(*piece.source, limits_for(piece, degree_, limits_), progress_.of(piece));
        reports_[j] = report_of(piece, degree_, found);
        progress_.finish(piece);
        pieces_[j].source.reset();
        return reports_[j];
    }

    const PieceReport& imply(std::size_t j) {
        reports_[j] = implied_piece(pieces_[j]);
        progress_.finish(pieces_[j]);
        return reports_[j];
    }

    std::vector<Piece>& pieces_;
    std::uint64_t degree_;
    EliminationLimits limits_;
    SharedProgress progress_;
    std::vector<PieceReport> reports_;
};

bool all_bounded(const PieceList& list) {
    return std::all_of(list.pieces.begin(), list.pieces.end(),
                       [](const Piece& piece) { return piece.bound_rows && piece.bound_cols; });
}

}  // namespace

std::vector<PieceReport> rank_pieces(PieceList& list, std::uint64_t degree, const EliminationLimits& limits,
                                     const ProgressCallback& progress) {
    PieceRanks ranks(list, degree, limits, progress);
    const bool spreads = list.full_rank_propagates && list.pieces.size() > 1 && all_bounded(list);
    return spreads ? ranks.outwards() : ranks.in_order();
}

}  // namespace plimsoll::rank
