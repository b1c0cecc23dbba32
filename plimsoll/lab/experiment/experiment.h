#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"

// An experiment: a folder with a question, a prediction, sweeps for three scales and what to draw
// (docs/EXPERIMENTS.md has every key of its experiment.toml).
namespace plimsoll::lab {

// A file that is made before the sweeps run: a tokenizer that is trained, or a synthetic set.
struct Preparation {
    bool tokenizer = false;
    std::string file;         // from the folder of the output: "tokenizers/enwiki-500.json"
    std::string from;         // a data name
    std::int64_t vocab = 0;   // of a tokenizer
    std::uint64_t bytes = 0;  // of the text that are used; 0: all
};

// One size at which an experiment can be made.
struct Scale {
    std::string name;                           // smoke, desk, paper
    std::vector<std::filesystem::path> sweeps;  // whole paths
    std::string cost;                           // in words
    std::vector<std::string> data;              // data sets that must be found
    std::vector<Preparation> prepare;           // in this order
    Json arguments = Json::object();            // of a computed experiment
};

// Which runs rows of similarity compare: those whose column `by` has one of the values `of` with those that
// have a later one, where the columns `match` agree.
struct Pairs {
    std::string by = "family";
    std::vector<std::string> of, match;
};

struct Experiment {
    std::string id;  // the folder's name
    std::filesystem::path folder;
    std::string title, source, question, prediction, predicted_on;
    std::vector<std::string> rows;      // kinds of tables, the first is the main one: runs, curves, ...
    std::string compute;                // what is computed, for rows "computed"
    std::optional<Pairs> pairs;         // for rows "cka"
    std::vector<std::int64_t> strides;  // for rows "strides"
    std::vector<Scale> scales;          // in the order smoke, desk, paper

    [[nodiscard]] std::filesystem::path figure_file() const { return folder / "figure.toml"; }
    [[nodiscard]] bool has_rows(std::string_view kind) const;
    // The scale of that name, or an error with those it has.
    [[nodiscard]] Result<const Scale*> scale(const std::string& name) const;
};

// Kinds of rows an experiment can have, and the names of the scales.
const std::vector<std::string>& row_kinds();
const std::vector<std::string>& scale_names();

// Reads FOLDER/experiment.toml; every key known, files of sweeps there.
Result<Experiment> read_experiment(const std::filesystem::path& folder);

// $PLIMSOLL_EXPERIMENTS, else the folder `experiments` of the sources this program was built from.
std::filesystem::path experiments_folder();

// Every folder below `folder` that has an experiment.toml, by id; the first that is wrong is the error.
Result<std::vector<Experiment>> list_experiments(const std::filesystem::path& folder);

// The experiment that `text` names: a folder of one's own with an experiment.toml, or an id in
// experiments_folder(). `not_found` has the near misses.
Result<Experiment> find_experiment(const std::string& text);

}  // namespace plimsoll::lab
