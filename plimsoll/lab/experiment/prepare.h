#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plimsoll/base/progress.h"
#include "plimsoll/lab/experiment/experiment.h"

// Files that an experiment's sweeps read and that are made on the spot.
namespace plimsoll::lab {

struct PrepareOptions {
    std::filesystem::path folder;                  // of the output; files are made below it
    std::filesystem::path data_folder;             // usually $PLIMSOLL_DATA; may be empty
    std::function<void(const std::string&)> tell;  // what is being made; may be empty
};

// $PLIMSOLL_DATA, empty when it is not set.
std::filesystem::path data_folder();

// Makes what is not there, or was made from something else (FILE.made.json beside it says from what). A file
// without such a record belongs to the user and stays. Readers never see half a file.
Status prepare(const std::vector<Preparation>& files, const PrepareOptions& options);

// Whether the data set is there: a catalogue name, a path, or something below the data folder; nothing is
// read. The error says what to get.
Status check_data(const std::string& name, const std::filesystem::path& data_folder);

}  // namespace plimsoll::lab
