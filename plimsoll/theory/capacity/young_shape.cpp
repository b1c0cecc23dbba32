#include "plimsoll/theory/capacity/young_shape.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/numbers/barnes_integer.h"
#include "plimsoll/theory/numbers/special_fast.h"

// Weyl's formula: dim = prod over rows i < j of (x + j - i) / (j - i), x the difference of the rows' lengths.
// For two blocks of b rows from s on and c rows from t on the product depends on x only, and with F(x) =
// G(x+t+c-s+1) G(x+t-s-b+1) / (G(x+t+c-s-b+1) G(x+t-s+1)) it is F(x) / F(0). The rows without boxes are one
// more block, of height 0.
namespace plimsoll::theory {
namespace {

constexpr int max_blocks = 96;
constexpr int newton_steps = 30;

struct Pair {
    std::size_t upper, lower;  // blocks, upper first
    double corner[4];          // arguments of G(1 + .) at x = 0, signs + + - -
};

// The concave function ln dim of the real heights of the blocks, its gradient and Hessian.
class Landscape {
  public:
    Landscape(std::int64_t d, std::vector<std::int64_t> starts) : starts_(std::move(starts)) {
        ends_.assign(starts_.begin() + 1, starts_.end());
        ends_.push_back(d);
        for (std::size_t i = 0; i < starts_.size(); ++i) {
            for (std::size_t j = i + 1; j < starts_.size(); ++j) add_pair(i, j);
        }
    }

    [[nodiscard]] std::size_t blocks() const { return starts_.size() - 1; }
    [[nodiscard]] double rows(std::size_t block) const {
        return static_cast<double>(ends_[block] - starts_[block]);
    }

    [[nodiscard]] double value(const std::vector<double>& lengths) const {
        double total = -base_;
        for (const auto& pair : pairs_) {
            const double x = lengths[pair.upper] - lengths[pair.lower];
            total += combined(pair, x, fast::log_barnes_g1);
        }
        return total;
    }

    void derivatives(const std::vector<double>& lengths, std::vector<double>& gradient,
                     std::vector<std::vector<double>>& hessian) const {
        const std::size_t n = starts_.size();
        gradient.assign(n, 0);
        hessian.assign(n, std::vector<double>(n, 0));
        for (const auto& pair : pairs_) {
            const double x = lengths[pair.upper] - lengths[pair.lower];
            const double slope = combined(pair, x, fast::log_barnes_g1_slope);
            const double bend = combined(pair, x, fast::log_barnes_g1_curvature);
            gradient[pair.upper] += slope;
            gradient[pair.lower] -= slope;
            hessian[pair.upper][pair.upper] += bend;
            hessian[pair.lower][pair.lower] += bend;
            hessian[pair.upper][pair.lower] -= bend;
            hessian[pair.lower][pair.upper] -= bend;
        }
    }

  private:
    void add_pair(std::size_t i, std::size_t j) {
        const auto s = static_cast<double>(starts_[i]), t = static_cast<double>(starts_[j]);
        const double b = rows(i), c = rows(j);
        pairs_.push_back({i, j, {t + c - s, t - s - b, t + c - s - b, t - s}});
        base_ += combined(pairs_.back(), 0, fast::log_barnes_g1);
    }

    template <class Function>
    static double combined(const Pair& pair, double x, Function f) {
        return f(x + pair.corner[0]) + f(x + pair.corner[1]) - f(x + pair.corner[2]) - f(x + pair.corner[3]);
    }

    std::vector<std::int64_t> starts_, ends_;
    std::vector<Pair> pairs_;
    double base_ = 0;
};

// Solves the symmetric system by elimination with row exchanges; false when it is singular to working
// precision.
bool solve(std::vector<std::vector<double>>& a, std::vector<double>& b) {
    const std::size_t n = b.size();
    for (std::size_t p = 0; p < n; ++p) {
        std::size_t best = p;
        for (std::size_t r = p + 1; r < n; ++r) {
            if (std::abs(a[r][p]) > std::abs(a[best][p])) best = r;
        }
        std::swap(a[p], a[best]);
        std::swap(b[p], b[best]);
        if (a[p][p] == 0 || !std::isfinite(a[p][p])) return false;
        for (std::size_t r = p + 1; r < n; ++r) {
            const double factor = a[r][p] / a[p][p];
            for (std::size_t c = p; c < n; ++c) a[r][c] -= factor * a[p][c];
            b[r] -= factor * b[p];
        }
    }
    for (std::size_t p = n; p-- > 0;) {
        for (std::size_t c = p + 1; c < n; ++c) b[p] -= a[p][c] * b[c];
        b[p] /= a[p][p];
    }
    return true;
}

// The Newton direction that keeps the number of boxes; empty when it cannot be found.
std::vector<double> newton_direction(const Landscape& land, const std::vector<double>& lengths) {
    std::vector<double> gradient;
    std::vector<std::vector<double>> hessian;
    land.derivatives(lengths, gradient, hessian);
    const std::size_t n = land.blocks();
    std::vector<std::vector<double>> system(n + 1, std::vector<double>(n + 1, 0));
    std::vector<double> right(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) system[i][j] = hessian[i][j];
        system[i][n] = system[n][i] = land.rows(i);
        right[i] = -gradient[i];
    }
    if (!solve(system, right)) return {};
    right.pop_back();
    return right;
}

bool nonincreasing(const std::vector<double>& lengths) {
    return std::is_sorted(lengths.rbegin(), lengths.rend());
}

// Lengths (2 lambda) that maximise ln dim for the given blocks: damped Newton from a power-law start.
std::vector<double> optimal_lengths(const Landscape& land, double boxes, std::int64_t rows) {
    const std::size_t n = land.blocks();
    std::vector<double> lengths(n + 1, 0);
    double mass = 0, first = 0;
    for (std::size_t b = 0; b < n; ++b) {
        const double middle = (first + land.rows(b) / 2) / static_cast<double>(rows);
        lengths[b] = std::pow(1 - middle, 1.5);
        mass += lengths[b] * land.rows(b);
        first += land.rows(b);
    }
    for (auto& length : lengths) length *= 2 * boxes / mass;
    double current = land.value(lengths);
    for (int step = 0; step < newton_steps; ++step) {
        const auto direction = newton_direction(land, lengths);
        if (direction.empty()) break;
        bool moved = false;
        for (double size = 1; size > 1e-4 && !moved; size /= 2) {
            auto trial = lengths;
            for (std::size_t b = 0; b < n; ++b) trial[b] += size * direction[b];
            if (!nonincreasing(trial)) continue;
            const double value = land.value(trial);
            if (!(value > current)) continue;
            moved = value - current > 1e-6 * std::abs(current);
            lengths = std::move(trial);
            current = value;
            break;
        }
        if (!moved) break;
    }
    return lengths;
}

std::vector<std::int64_t> even_starts(std::int64_t rows) {
    const std::int64_t blocks = std::min<std::int64_t>(max_blocks, rows);
    std::vector<std::int64_t> starts;
    for (std::int64_t b = 0; b <= blocks; ++b) starts.push_back(rows * b / blocks);
    return starts;
}

// Whole heights from real lengths: rounded down, then the boxes left over go to the blocks that rounding hurt
// most.
std::vector<std::int64_t> whole_heights(const Landscape& land, const std::vector<double>& lengths,
                                        double boxes) {
    std::vector<std::int64_t> heights;
    double used = 0;
    for (std::size_t b = 0; b < land.blocks(); ++b) {
        heights.push_back(static_cast<std::int64_t>(std::floor(lengths[b] / 2)));
        used += static_cast<double>(heights.back()) * land.rows(b);
    }
    for (std::size_t b = 0; b < land.blocks(); ++b) {
        const bool room = b == 0 || heights[b - 1] > heights[b];
        const bool hurt = lengths[b] / 2 - static_cast<double>(heights[b]) > 0.5;
        if (room && hurt && used + land.rows(b) <= boxes) {
            ++heights[b];
            used += land.rows(b);
        }
    }
    return heights;
}

struct RatedDiagram {
    BlockDiagram diagram;
    double log_dimension = -1;
};

RatedDiagram best_for_rows(std::int64_t d, std::int64_t rows, double boxes) {
    const Landscape land(d, even_starts(rows));
    const auto lengths = optimal_lengths(land, boxes, rows);
    RatedDiagram out;
    out.diagram = {even_starts(rows), whole_heights(land, lengths, boxes)};
    std::vector<double> doubled(land.blocks() + 1, 0);
    for (std::size_t b = 0; b < land.blocks(); ++b)
        doubled[b] = 2 * static_cast<double>(out.diagram.heights[b]);
    out.log_dimension = land.value(doubled);
    return out;
}

}  // namespace

Integer BlockDiagram::size() const {
    Integer total = 0;
    for (std::size_t b = 0; b < heights.size(); ++b) total += Integer(starts[b + 1] - starts[b]) * heights[b];
    return total;
}

BlockDiagram large_diagram(std::int64_t d, std::int64_t rows, double boxes) {
    RatedDiagram best;
    std::int64_t tried = rows + 1;
    for (double share = 1; share > 0.05; share *= 0.8) {
        const auto used = std::max<std::int64_t>(1, std::llround(share * static_cast<double>(rows)));
        if (used >= tried) continue;
        tried = used;
        RatedDiagram next = best_for_rows(d, used, boxes);
        const bool worse = next.log_dimension < 0.97 * best.log_dimension;
        if (next.log_dimension > best.log_dimension) best = std::move(next);
        if (worse) break;  // concave in the share of rows: it will not come back
    }
    return best.diagram;
}

Ball log_schur_dimension(const BlockDiagram& diagram, std::int64_t d, int bits) {
    const std::size_t blocks = diagram.heights.size();
    PLIMSOLL_CHECK(diagram.starts.size() == blocks + 1 && diagram.starts.back() < d,
                   "the last block holds no boxes");
    std::vector<std::int64_t> ends(diagram.starts.begin() + 1, diagram.starts.end()), lengths;
    ends.push_back(d);
    for (const auto height : diagram.heights) lengths.push_back(2 * height);
    lengths.push_back(0);
    // ln G(1 + n) enters once per corner; equal arguments cancel before anything is evaluated.
    std::map<std::int64_t, std::int64_t> multiplicity;
    for (std::size_t i = 0; i <= blocks; ++i) {
        for (std::size_t j = i + 1; j <= blocks; ++j) {
            const std::int64_t s = diagram.starts[i], b = ends[i] - s, t = diagram.starts[j], c = ends[j] - t;
            const std::int64_t x = lengths[i] - lengths[j];
            for (const auto& [shift, sign] : {std::pair{x, 1}, std::pair{std::int64_t{0}, -1}}) {
                multiplicity[shift + t + c - s] += sign;
                multiplicity[shift + t - s - b] += sign;
                multiplicity[shift + t + c - s - b] -= sign;
                multiplicity[shift + t - s] -= sign;
            }
        }
    }
    const int work = bits + 2 * static_cast<int>(Integer(lengths.front() + d).bits()) + 32;
    Ball total(0, work);
    for (const auto& [argument, count] : multiplicity) {
        if (count != 0) total = total + Ball(count, work) * log_barnes_g1(argument, work);
    }
    return total + Ball(0, bits);
}

}  // namespace plimsoll::theory
