#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"

// What fit is judged by: the value of each depth, from runs of their own (bench/fit/truth/README.md).
namespace plimsoll::fit {

// One depth at its best rate.
struct TruthPlace {
    double value = 0;   // mean over seeds; lower is better (accuracy has its sign turned)
    double rate = 0;    // that is best there
    bool edge = false;  // and it is the lowest or the highest of those tried
    std::size_t seeds = 0;
};

// The depths of one family on one input.
class TruthLine {
  public:
    explicit TruthLine(std::map<std::int64_t, TruthPlace> places) : places_(std::move(places)) {}

    [[nodiscard]] const std::map<std::int64_t, TruthPlace>& places() const { return places_; }
    // Between two depths straight in ln depth; nothing outside of those that were trained.
    [[nodiscard]] std::optional<double> at(double depth) const;
    [[nodiscard]] std::int64_t best_depth() const;
    // The depths around the best that cost at most so much more, as places between those that were trained.
    [[nodiscard]] std::pair<double, double> range(double allowed) const;

  private:
    std::map<std::int64_t, TruthPlace> places_;
};

struct TruthTable {
    std::string name, measure;
    double parameters = 0;                                           // mean over runs
    std::map<std::pair<std::string, std::string>, TruthLine> lines;  // by family and input

    [[nodiscard]] bool lower_is_better() const { return measure != "accuracy"; }
    // Lowest value of all lines.
    [[nodiscard]] double best() const;
    // How much worse a value is than the best: percent of bits, points of accuracy.
    [[nodiscard]] double regret(double value) const;
    // 1 % of bits, 1 point of accuracy, as a difference of values.
    [[nodiscard]] double one_percent() const;
    // The line of a family on an input; where the table has another input only, that one.
    [[nodiscard]] const TruthLine* line(const std::string& family, const std::string& input) const;
};

Result<TruthTable> read_truth_table(const std::filesystem::path& path);

// An answer beside a table.
struct Judgement {
    std::string label;                // "4 x 160, 4 heads, bpe-4000"
    std::optional<double> regret;     // nothing where the table has no such depth
    bool enough = true;               // false: fit said that the evidence is not enough
    bool other_input = false;         // the table has not the input; its depth is judged on another one
    std::size_t held = 0, pairs = 0;  // intervals of differences that hold the table's
    // Of the 1 % range: whether it is known, and by how many steps of the raced depths each end is off.
    bool range_known = false;
    double steps_off_low = 0, steps_off_high = 0;
    std::map<std::string, double> rules;  // regret of each rival's network
};

// Judges fit.json: the recommendation's regret, the 95 % intervals of all pairs of networks of its deciding
// rung that the table has, its range, and its rivals.
Result<Judgement> judge_fit(const TruthTable& table, const Json& fit);

// The regret of an answer that names family and depth (a peer's); an error where the table has it not.
Result<Judgement> judge_peer(const TruthTable& table, const Json& peer);

// What is to be said of a table whose answer may be wrong: depths whose best rate is at an end, or one seed.
std::vector<std::string> doubts(const TruthTable& table);

}  // namespace plimsoll::fit
