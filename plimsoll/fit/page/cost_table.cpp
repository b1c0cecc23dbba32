#include "plimsoll/fit/page/cost_table.h"

#include <string>
#include <vector>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/fit/page/words.h"

namespace plimsoll::fit {
namespace {

std::string role_in_costs(const NetworkCost& cost, const Decision& decision) {
    std::vector<std::string> words;
    if (cost.candidate == decision.winner) words.emplace_back("recommended");
    if (cost.on_front) words.emplace_back("none is better and faster");
    return join(words, "; ");
}

}  // namespace

report::TextTable cost_table(const FitPageInput& input) {
    const Measure measure = measure_of(input.look);
    report::TextTable table;
    table.name = "costs";
    table.title = "Value against time on this device";
    table.columns = {"network", "input", measure.unit, "seconds of a run", "seconds / M " + input.look.unit,
                     "FLOP/s",  ""};
    table.rows = Json::array();
    for (const auto& cost : input.decision.costs) {
        const Candidate* c = find_candidate(input.proposal, cost.candidate);
        if (c == nullptr) continue;
        table.cells.push_back(
            {page_words(shape_words(*c)), c->input.name, fmt::format("{:.4g}", measure.scale * cost.value),
             fmt::format("{:.3g}", cost.run_seconds), fmt::format("{:.3g}", 1e6 * cost.seconds_per_unit),
             fmt::format("{:.2g}", cost.flops_per_second), role_in_costs(cost, input.decision)});
        table.rows.push_back({{"id", c->id}, {"on_front", cost.on_front}});
    }
    table.notes = {
        "Of the runs of the rung that decided, fastest first; runs that share the device share its time. At "
        "equal time a network sees as many times more data as it is faster; its value would then be better "
        "than here."};
    return table;
}

}  // namespace plimsoll::fit
