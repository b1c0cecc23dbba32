#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/exporter/export.h"

namespace plimsoll::fit {

// What the last step must know besides the earlier ones.
struct HandOverOptions {
    std::filesystem::path runs;  // folder of the race's runs
    std::string command;         // that was typed, for the page
    std::string partial;         // why it is not the whole, a sentence; empty when it is
};

// What was written, by the path below the request's folder.
struct HandedOver {
    std::string report, json;  // "report.html", "fit.json"
    std::string run;           // id of the run whose weights they are; empty when none counts
    std::string model;         // "model"; empty when no weights could be written
    std::string config;        // "winner.toml": the winner at full budget, for plimsoll train
    std::string command;       // that trains it at full budget
    std::optional<exporter::Exported> exported;  // of the weights
    std::string missing;  // what could not be drawn and the command that brings it; or empty
    std::vector<std::string> notes;
};

// The same for programs.
Json to_json(const HandedOver& handed);

}  // namespace plimsoll::fit
