#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/fit/fit.h"
#include "plimsoll/fit/law/law.h"

// `plimsoll fit --target`: races of three sizes, and what follows for sizes that cannot be raced.
namespace plimsoll::fit {

// The fits of a ladder, the smallest first: its sizes are a factor of 3.5 apart, and each has a share of the
// time or FLOPs by its size. The largest is the request's or the usual one for its share. An error when the
// smallest would be no network any more.
Result<std::vector<FitRequest>> ladder(const FitRequest& request, const DataLook& look);

// Who hears of a ladder.
struct LadderWatch {
    std::function<void(std::size_t number, std::size_t count, const FitRequest&)> begins;
    std::function<void(const FitOutcome&, const FitRequest&)> ends;
};

// What came of it.
struct LadderOutcome {
    std::vector<SizePoint> points;       // the smallest first
    std::vector<TargetShape> targets;    // none when there is no law
    std::string input;                   // of all sizes
    std::string why_no_law;              // why there are no targets; else empty
    double input_rows = 0;               // of the vocabulary
    std::optional<DepthLaw::Line> line;  // depth = level + slope ln width
    // Of the largest race, for the targets: CompleteP carries the rate from its base shape to any other.
    double rate = 0;
    std::int64_t base_width = 0, base_depth = 0, batch = 0;
    bool stopped = false;
};

// Runs what is missing of the ladder's fits, in folders below the request's, and writes OUT/law.json.
// `options_for` says how one of them runs.
Result<LadderOutcome> climb(const FitRequest& request, const std::vector<double>& targets,
                            const std::function<FitOptions(const FitRequest&)>& options_for,
                            const LadderWatch& watch);

// The best depth that a fit found, or why it is not known.
SizePoint point_of(const FitOutcome& outcome, const std::string& input);

// "For 300 M parameters: 14 x 1216 (9 to 22 layers)..." and its rivals, a sentence each.
std::vector<std::string> law_sentences(const LadderOutcome& outcome);

// The same for programs.
Json to_json(const LadderOutcome& outcome);

}  // namespace plimsoll::fit
