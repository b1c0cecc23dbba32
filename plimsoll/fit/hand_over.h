#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/exporter/export.h"
#include "plimsoll/fit/decide/decide.h"
#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/race/race.h"
#include "plimsoll/fit/request.h"
#include "plimsoll/run/run_config.h"

// The last step of a fit: the folder that somebody takes away.
namespace plimsoll::fit {

struct HandOverOptions {
    std::filesystem::path runs;  // folder of the race's runs
    std::string command;         // that was typed, for the page
    std::string partial;         // why it is not the whole, a sentence; empty when it is
};

// What was written, by the path below the request's folder.
struct HandedOver {
    std::string report, json;  // "report.html", "fit.json"
    std::string model;         // "model"; empty when no weights could be written
    std::string config;        // "winner.toml": the winner at full budget, for plimsoll train
    std::string command;       // that trains it at full budget
    std::optional<exporter::Exported> exported;  // of the weights
    std::string missing;  // what could not be drawn and the command that brings it; or empty
    std::vector<std::string> notes;
};

// Writes report.html, fit.json, the weights and tokenizer of the winner's best run and winner.toml. Each file
// appears whole or not at all; what an earlier call wrote is replaced.
Result<HandedOver> hand_over(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                             const Race& race, const Decision& decision, const HandOverOptions& options);

// The config of a candidate that spends the whole budget of a race on one run, at a learning rate.
Result<run::RunConfig> full_budget_config(const FitRequest& request, const DataLook& look,
                                          const Candidate& candidate, const Race& race, double rate);

Json to_json(const HandedOver& handed);

}  // namespace plimsoll::fit
