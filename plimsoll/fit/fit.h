#pragma once

#include <functional>
#include <optional>
#include <string>

#include "plimsoll/base/progress.h"
#include "plimsoll/fit/decide/decision.h"
#include "plimsoll/fit/handed_over.h"
#include "plimsoll/fit/look/data_look.h"
#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/race/fitting.h"
#include "plimsoll/fit/race/race.h"
#include "plimsoll/fit/race/run_race.h"
#include "plimsoll/fit/request.h"

// plimsoll fit from its data to its folder. docs/FIT_METHOD.md has all of it.
namespace plimsoll::fit {

// What somebody who watches hears, as it happens. Each may be empty.
struct FitWatch {
    ProgressCallback look_progress;
    std::function<void(const DataLook&, bool again)> looked;  // again: read from an earlier call
    std::function<void(const Proposal&, bool again)> proposed;
    std::function<void(const Fitting&)> planned;  // when the race is planned by this call
    std::function<void(const RaceNews&)> raced;   // many times
};

// How a fit runs; nothing of it changes the answer.
struct FitOptions {
    RaceOptions race;
    FitWatch watch;
    std::string command;   // that was typed
    bool dry_run = false;  // ends when the race is planned
};

// All that is known at the end.
struct FitOutcome {
    DataLook look;
    Proposal proposal;
    Race race;
    std::optional<Decision> decision;  // none when no run had ended before it was stopped
    std::optional<HandedOver> handed;
    bool stopped = false;  // asked to stop before the race was over; the same call goes on
};

// What can be said against a request before any work: flags that cannot be, data that is not there.
Status check_request(const FitRequest& request);

// Does every step that the folder does not hold yet: OUT/request.json, OUT/steps/{look,proposal,race}.json
// and OUT/runs keep what is done. Another request in the same folder is refused, and what differs is named.
Result<FitOutcome> fit(const FitRequest& request, const FitOptions& options);

// The request with every default that needs no data filled in: data, time or FLOPs, folder.
FitRequest with_defaults(FitRequest request);

}  // namespace plimsoll::fit
