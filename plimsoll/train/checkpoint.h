#pragma once

#include <filesystem>
#include <vector>

#include "plimsoll/model/network.h"
#include "plimsoll/store/run_folder.h"

namespace plimsoll::train {

// The files of a checkpoint: weights.safetensors (the network, by name) and optimizer.safetensors.
std::vector<store::CheckpointFile> checkpoint_files(const std::vector<model::NamedTensor>& weights,
                                                    const std::vector<model::NamedTensor>& optimizer);

// Copies the tensors of a file into `places` by name; the error names what is missing or has another shape.
Status restore(const std::filesystem::path& file, const std::vector<model::NamedTensor>& places);

// Weights and optimizer's memory from the folder of a checkpoint; after an error all of them are as before.
Status restore_checkpoint(const std::filesystem::path& folder, const std::vector<model::NamedTensor>& weights,
                          const std::vector<model::NamedTensor>& optimizer);

}  // namespace plimsoll::train
