#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"

namespace plimsoll::fit {

// What somebody wants fitted: the data, the budget and what may be tried.
struct FitRequest {
    std::string data;                        // as data.name of a run; empty: the embedded synthetic grammar
    std::int64_t parameters = 0;             // 0: default by device and data size
    std::optional<double> seconds, flops;    // at most one; neither: a default
    std::vector<std::string> families;       // empty: those that fit the modality
    std::vector<std::int64_t> vocabularies;  // empty: auto
    std::int64_t context = 0;                // tokens; 0: chosen
    std::string device = "cpu";
    std::filesystem::path out;  // folder; empty: nothing is written, and text is read as bytes only
    std::int64_t seed = 1;
    int workers = 1;
};

// What the answer hangs on, for OUT/request.json and fit.json: all but the folder and the workers.
Json to_json(const FitRequest& request);
Result<FitRequest> request_from_json(const Json& json);

}  // namespace plimsoll::fit
