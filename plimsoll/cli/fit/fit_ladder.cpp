#include "plimsoll/cli/fit/fit_ladder.h"

#include <optional>

#include "plimsoll/base/duration.h"
#include "plimsoll/base/exit_codes.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/fit/fit_view.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/stop_signals.h"
#include "plimsoll/cli/wrap.h"
#include "plimsoll/fit/law/ladder.h"

namespace plimsoll::cli {
namespace {

Result<std::vector<double>> targets_of(const std::string& text) {
    std::vector<double> targets;
    for (const auto& word : split(text, ',')) {
        PLIMSOLL_ASSIGN(parameters, parse_count(word, "--target"));
        if (parameters < 1) return bad_input("--target", fmt::format("must be at least 1, got {}", word));
        targets.push_back(static_cast<double>(parameters));
    }
    if (targets.empty()) return bad_input("--target", "names no size, as 300M does");
    return targets;
}

std::string size_heading(std::size_t number, std::size_t count, const fit::FitRequest& rung) {
    const std::string budget =
        rung.flops ? fmt::format("{:.3g} FLOPs", *rung.flops) : duration_text(rung.seconds.value_or(0));
    return fmt::format("\nSize {} of {}: {} parameters, {}, in {}\n", number, count,
                       human_count(static_cast<double>(rung.parameters)), budget, rung.out.string());
}

std::string sizes_table(const fit::LadderOutcome& outcome) {
    Table table({{"parameters"}, {"best depth"}, {"95 %", Align::left}, {"", Align::left}});
    for (const auto& point : outcome.points)
        table.add({human_count(point.parameters), point.known ? fmt::format("{:.2g}", point.depth) : "",
                   point.known ? fmt::format("{:.2g} to {:.2g}", point.low, point.high) : "",
                   point.known ? "" : "not known: " + point.why});
    return table.text(false, text_columns());
}

std::string law_text(const fit::LadderOutcome& outcome) {
    std::string text = fmt::format("\nBest depth by size, on {}\n\n{}", outcome.input, sizes_table(outcome));
    if (outcome.line)
        text +=
            fmt::format("\n  depth = {:.3g} + {:.3g} ln width\n", outcome.line->level, outcome.line->slope);
    text += "\n";
    for (const auto& sentence : fit::law_sentences(outcome)) text += wrapped("> " + sentence, 0, 2);
    return text;
}

}  // namespace

Result<int> run_ladder(const FitFlags& flags, const fit::FitRequest& request,
                       const fit::FitOptions& options) {
    PLIMSOLL_ASSIGN(targets, targets_of(flags.target));
    if (flags.dry_run) return bad_input("--dry-run", "goes with one race, not with --target");
    const StopSignals signals;
    StopSignals::end_at_once(true);
    std::optional<FitView> view;
    const auto options_for = [&](const fit::FitRequest&) {
        fit::FitOptions one = options;
        one.watch = view.emplace(flags.json).watch();
        return one;
    };
    fit::LadderWatch watch;
    watch.begins = [&](std::size_t number, std::size_t count, const fit::FitRequest& rung) {
        if (!flags.json) fmt::print("{}", size_heading(number, count, rung));
        std::fflush(stdout);
    };
    watch.ends = [&](const fit::FitOutcome& outcome, const fit::FitRequest& rung) {
        view->end(outcome, rung);
    };
    PLIMSOLL_ASSIGN(outcome, fit::climb(request, targets, options_for, watch));
    if (flags.json) print_json("law", fit::to_json(outcome));
    if (!flags.json && !outcome.stopped) fmt::print("{}", law_text(outcome));
    return outcome.stopped ? exit_stopped : 0;
}

}  // namespace plimsoll::cli
