// judge_bench TABLE.csv [ANSWER.json...]: a truth table, and what the answers beside it lose on it: fit.json
// of fits, and what bench/fit/optuna_peer.py wrote.
#include <cstdio>

#include "bench/fit/truth_table.h"
#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/numbers.h"
#include "plimsoll/base/text.h"

namespace plimsoll::fit {
namespace {

std::string regret_text(const TruthTable& table, std::optional<double> regret) {
    if (!regret) return "not in the table";
    return fmt::format("{:.2f} {}", *regret, table.lower_is_better() ? "%" : "points");
}

void print_table(const TruthTable& table) {
    fmt::print("{}: {}, {} parameters\n", table.name, table.measure, human_count(table.parameters));
    for (const auto& [key, line] : table.lines) {
        const auto [low, high] = line.range(table.one_percent());
        fmt::print("  {} on {}: best depth {}, 1 % from {:.2g} to {:.2g}\n", key.first, key.second,
                   line.best_depth(), low, high);
        for (const auto& [depth, place] : line.places())
            fmt::print("  {:>4} {:10.4f}  + {}\n", depth, std::abs(place.value),
                       regret_text(table, table.regret(place.value)));
    }
    for (const auto& doubt : doubts(table)) fmt::print("  ! {}\n", doubt);
}

void print_judgement(const TruthTable& table, const std::string& file, const Judgement& one) {
    fmt::print("{}\n  {}: regret {}{}{}\n", file, one.label, regret_text(table, one.regret),
               one.other_input ? ", by its depth; the table has not its input" : "",
               one.enough ? "" : "; not enough evidence, which counts as a miss");
    if (one.pairs > 0)
        fmt::print("  intervals that hold the table's difference: {} of {} pairs\n", one.held, one.pairs);
    if (one.range_known)
        fmt::print("  its 1 % range is off by {:.1f} steps at the shallow and {:.1f} at the deep end\n",
                   one.steps_off_low, one.steps_off_high);
    for (const auto& [rule, regret] : one.rules)
        fmt::print("  {:<12} regret {}\n", rule, regret_text(table, regret));
}

Status judge_file(const TruthTable& table, const std::string& file, Judgement& sum) {
    PLIMSOLL_ASSIGN(json, read_json(file));
    const bool peer = json.is_object() && json.value("format", "") == "plimsoll-peer-1";
    PLIMSOLL_ASSIGN(one, peer ? judge_peer(table, json) : judge_fit(table, json));
    print_judgement(table, file, one);
    sum.held += one.held;
    sum.pairs += one.pairs;
    return {};
}

Status judge(int count, char** arguments) {
    if (count < 2) return bad_input("judge_bench", "needs a table: TABLE.csv [ANSWER.json...]");
    PLIMSOLL_ASSIGN(table, read_truth_table(arguments[1]));
    print_table(table);
    Judgement sum;
    for (int i = 2; i < count; ++i) PLIMSOLL_RETURN_IF_ERROR(judge_file(table, arguments[i], sum));
    if (sum.pairs > 0)
        fmt::print("coverage of all: {:.1f} % of {} pairs\n", 100 * real(sum.held) / real(sum.pairs),
                   sum.pairs);
    return {};
}

}  // namespace
}  // namespace plimsoll::fit

int main(int count, char** arguments) {
    const auto status = plimsoll::fit::judge(count, arguments);
    if (status.ok()) return 0;
    std::fprintf(stderr, "error: %s\n", status.error().text().c_str());
    return 2;
}
