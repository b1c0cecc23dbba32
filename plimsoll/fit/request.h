#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"
#include "plimsoll/data/kind.h"
#include "plimsoll/data/read_options.h"

namespace plimsoll::fit {

// The style that suits the data: modern for text and tokens, gpt2 for all else.
constexpr const char* automatic_style = "auto";

// What somebody wants fitted: the data, the budget and what may be tried.
struct FitRequest {
    std::string data;                        // as data.name of a run; empty: the embedded synthetic grammar
    std::optional<data::Kind> kind;          // how to read it, when it should not be found out
    data::ReadOptions read;                  // the same, in particular
    std::int64_t parameters = 0;             // 0: default by device and data size
    std::optional<double> seconds, flops;    // at most one; neither: a default
    std::vector<std::string> families;       // empty: those that fit the modality
    std::vector<std::int64_t> vocabularies;  // empty: auto
    std::string input;                       // the only way to cut the data; empty: the race chooses
    std::int64_t context = 0;                // tokens; 0: chosen
    std::string style = automatic_style;     // of the transformers: a value of their key `style`, or auto
    std::optional<std::string> recipe;       // a run.toml: how every network is trained; empty: fit's own way
    std::string device = "cpu";
    std::filesystem::path out;  // folder; empty: nothing is written, and text is read as bytes only
    std::int64_t seed = 1;
    int workers = 1;

    [[nodiscard]] bool on_gpu() const { return device.starts_with("cuda"); }
};

// The data when none is named: read about ten times over in five minutes on two cores by the networks of a
// race.
constexpr const char* embedded_data = "synthetic:grammar,bytes=2000000";

// How long a fit takes when nobody said, on the request's device.
constexpr double usual_seconds(bool on_gpu) { return on_gpu ? 600 : 240; }

// Steps of a judged run below which depth is not compared fairly: short runs punish depth
// (docs/FIT_METHOD.md).
constexpr std::int64_t wanted_steps(bool on_gpu) { return on_gpu ? 1500 : 500; }

// What the answer depends on, for OUT/request.json and fit.json: all but the folder and the workers.
Json to_json(const FitRequest& request);

}  // namespace plimsoll::fit
