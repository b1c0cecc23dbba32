// replay_bench [RACES [POOL.csv...]]: stored runs, drawn again as races of three seeds. How often do the
// intervals of the decision hold the truth, and what does the choice lose? Pools: bench/fit/pools/*.csv, one
// row for each run.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bench/fit/csv_rows.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"
#include "plimsoll/fit/decide/recommend.h"
#include "plimsoll/fit/decide/valley.h"

namespace plimsoll::fit {
namespace {

constexpr std::size_t race_seeds = 3;

// Runs of one data set and length: every depth with every seed.
struct Pool {
    Proposal proposal;
    DataLook look;
    RungTable table;
};

Candidate pool_candidate(double depth, double width, double flops_per_unit) {
    Candidate candidate;
    candidate.depth = std::llround(depth);
    candidate.width = std::llround(width);
    candidate.id = fmt::format("c{:03}", candidate.depth);
    candidate.label = fmt::format("{} x {}", candidate.depth, candidate.width);
    candidate.family = "transformer";
    candidate.input.name = "pool";
    candidate.flops_per_unit = flops_per_unit;
    return candidate;
}

Result<Pool> read_pool(const std::filesystem::path& path) {
    PLIMSOLL_ASSIGN(rows, rows_of(path));
    std::map<double, std::map<double, double>> values;  // [depth][seed]
    Pool pool;
    for (const auto& row : rows) {
        PLIMSOLL_ASSIGN(depth, number_of(row, "depth"));
        PLIMSOLL_ASSIGN(width, number_of(row, "width"));
        PLIMSOLL_ASSIGN(seed, number_of(row, "seed"));
        PLIMSOLL_ASSIGN(value, number_of(row, "value"));
        PLIMSOLL_ASSIGN(flops, number_of(row, "flops_per_unit"));
        if (!values.contains(depth)) pool.proposal.candidates.push_back(pool_candidate(depth, width, flops));
        values[depth][seed] = value;
    }
    pool.proposal.favourite = pool.proposal.candidates.front().id;
    for (const auto& [depth, by_seed] : values) {
        pool.table.candidates.push_back(fmt::format("c{:03}", std::llround(depth)));
        pool.table.half_widths.push_back(0);
        pool.table.seeds.clear();
        pool.table.values.emplace_back();
        for (const auto& [seed, value] : by_seed) {
            pool.table.seeds.push_back(std::llround(seed));
            pool.table.values.back().push_back(value);
        }
    }
    const auto seeds = pool.table.seeds.size();
    for (const auto& runs : pool.table.values)
        if (runs.size() != seeds) return bad_input(path.string(), "has depths with fewer seeds than others");
    if (pool.table.values.size() < curve_depths_needed || seeds < race_seeds)
        return bad_input(path.string(), "has too few depths or seeds");
    return pool;
}

// Races whose truth is the pool: its means, its seeds' common effects, and each depth's own residuals, drawn
// with replacement and stretched by what means and common effects took from them.
class Replay {
  public:
    explicit Replay(const Pool& pool) : pool_(pool), random_(1, "replay") {
        const std::size_t n = rows(), k = pool.table.seeds.size();
        for (std::size_t i = 0; i < n; ++i) truths_.push_back(pool.table.mean(i));
        double all = 0;
        for (const double truth : truths_) all += truth / static_cast<double>(n);
        for (std::size_t j = 0; j < k; ++j) {
            double sum = 0;
            for (const auto& values : pool.table.values) sum += values[j] / static_cast<double>(n);
            effects_.push_back(sum - all);
        }
        const double stretch = std::sqrt(static_cast<double>(n * k) / static_cast<double>((n - 1) * (k - 1)));
        for (std::size_t i = 0; i < n; ++i) {
            residuals_.emplace_back();
            for (std::size_t j = 0; j < k; ++j)
                residuals_.back().push_back(stretch * (pool.table.values[i][j] - truths_[i] - effects_[j]));
        }
    }

    [[nodiscard]] std::size_t rows() const { return pool_.table.candidates.size(); }
    [[nodiscard]] const std::vector<double>& truths() const { return truths_; }

    RungTable race() {
        RungTable table = pool_.table;
        table.seeds.resize(race_seeds);
        for (auto& values : table.values) values.clear();
        for (std::size_t j = 0; j < race_seeds; ++j) {
            const double effect = effects_[random_.below(effects_.size())];
            for (std::size_t i = 0; i < rows(); ++i)
                table.values[i].push_back(truths_[i] + effect +
                                          residuals_[i][random_.below(residuals_[i].size())]);
        }
        return table;
    }

  private:
    const Pool& pool_;
    RandomStream random_;
    std::vector<double> truths_, effects_;
    std::vector<std::vector<double>> residuals_;
};

struct Counts {
    double best = 0, low = 0, high = 0, known = 0;
    double pair = 0, pairs = 0, all_pairs = 0, chosen = 0;
    double rivals = 0, stable = 0;
    std::vector<double> regrets;
    std::map<std::int64_t, int> choices;
};

bool within(double low, double high, double truth) { return low <= truth && truth <= high; }

// Differences: each pair alone, all at once, and the chosen network against every other.
void count_differences(Counts& counts, const Replay& replay, const RungTable& table, const RungNoise& noise,
                       std::size_t chosen) {
    bool all = true, of_chosen = true;
    const std::size_t n = replay.rows();
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = a + 1; b < n; ++b) {
            const double off = std::abs(table.lead(a, b) - (replay.truths()[b] - replay.truths()[a]));
            counts.pair += off <= noise.between(a, b).half_width(1);
            counts.pairs += 1;
            const bool held = off <= noise.between(a, b).half_width(pairs_of(n));
            all = all && held;
            if (a == chosen || b == chosen) of_chosen = of_chosen && held;
        }
    counts.all_pairs += all;
    counts.chosen += of_chosen;
    // As the rivals: fixed before, three comparisons at once.
    bool of_rivals = true;
    for (const std::size_t row : {std::size_t{0}, n / 2, n - 1}) {
        const double off =
            std::abs(table.lead(chosen, row) - (replay.truths()[row] - replay.truths()[chosen]));
        of_rivals = of_rivals && (row == chosen || off <= noise.between(chosen, row).half_width(3));
    }
    counts.rivals += of_rivals;
}

void count_race(Counts& counts, Replay& replay, const Pool& pool, const Valley& truth) {
    const RungTable table = replay.race(), again = replay.race();
    const RungNoise noise(table);
    const auto& first = pool.proposal.candidates.front();
    const Valley valley = valley_of(table, noise, pool.look, pool.proposal, first);
    counts.known += valley.known();
    counts.best += within(valley.best_low, valley.best_high, truth.best);
    counts.low += within(valley.low_least, valley.low_most, truth.low);
    counts.high += within(valley.high_least, valley.high_most, truth.high);
    const Choice choice = choose_network(table, noise, pool.look, pool.proposal);
    count_differences(counts, replay, table, noise, choice.row);
    const double least = *std::ranges::min_element(replay.truths());
    counts.regrets.push_back(100 * (replay.truths()[choice.row] / least - 1));
    ++counts.choices[find_candidate(pool.proposal, table.candidates[choice.row])->depth];
    const Choice other = choose_network(again, RungNoise(again), pool.look, pool.proposal);
    const auto depth = static_cast<double>(find_candidate(pool.proposal, table.candidates[other.row])->depth);
    counts.stable += within(std::floor(valley.low_least), std::ceil(valley.high_most), depth);
}

void print_counts(const std::string& name, Counts counts, double races, const Valley& truth) {
    std::ranges::sort(counts.regrets);
    double mean = 0;
    for (const double regret : counts.regrets) mean += regret / races;
    const auto line = [](const char* what, double share) {
        fmt::print("  {:<44}{:6.1f} %\n", what, 100 * share);
    };
    fmt::print("{}: {:.0f} races of {} seeds; true best depth {:.2f}, 1 % from {:.2f} to {:.2f}\n", name,
               races, race_seeds, truth.best, truth.low, truth.high);
    fmt::print("  how often 95 % intervals hold the truth\n");
    line("difference of a pair", counts.pair / counts.pairs);
    line("differences of all pairs at once", counts.all_pairs / races);
    line("the chosen network against all others", counts.chosen / races);
    line("the chosen network against three fixed ones", counts.rivals / races);
    line("best depth", counts.best / races);
    line("shallow end of the 1 % range", counts.low / races);
    line("deep end of the 1 % range", counts.high / races);
    line("another race's choice inside this one's range", counts.stable / races);
    line("races with a known valley", counts.known / races);
    fmt::print("  regret of the choice: {:.3f} % on average, {:.3f} % in 95 of 100, {:.3f} % at worst\n",
               mean, report::quantile(counts.regrets, 0.95), counts.regrets.back());
    fmt::print("  chosen depths:");
    for (const auto& [depth, times] : counts.choices) fmt::print(" {} ({} times)", depth, times);
    fmt::print("\n");
}

Status replay(const std::filesystem::path& path, std::size_t races) {
    PLIMSOLL_ASSIGN(pool, read_pool(path));
    const RungNoise noise(pool.table);
    const Valley truth =
        valley_of(pool.table, noise, pool.look, pool.proposal, pool.proposal.candidates.front());
    Replay replay(pool);
    Counts counts;
    for (std::size_t i = 0; i < races; ++i) count_race(counts, replay, pool, truth);
    print_counts(path.filename().string(), std::move(counts), static_cast<double>(races), truth);
    return {};
}

std::vector<std::filesystem::path> pools_of(int count, char** arguments) {
    std::vector<std::filesystem::path> pools(arguments + std::min(count, 2), arguments + count);
    if (!pools.empty()) return pools;
    for (const auto& entry : std::filesystem::directory_iterator(PLIMSOLL_POOLS))
        if (entry.path().extension() == ".csv") pools.push_back(entry.path());
    std::ranges::sort(pools);
    return pools;
}

}  // namespace
}  // namespace plimsoll::fit

int main(int count, char** arguments) {
    const long races = count > 1 ? std::strtol(arguments[1], nullptr, 10) : 1000;
    if (races < 1) return 2;
    for (const auto& pool : plimsoll::fit::pools_of(count, arguments)) {
        const auto status = plimsoll::fit::replay(pool, static_cast<std::size_t>(races));
        if (status.ok()) continue;
        std::fprintf(stderr, "error: %s\n", status.error().text().c_str());
        return 2;
    }
    return 0;
}
