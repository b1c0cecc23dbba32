#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "plimsoll/base/result.h"
#include "plimsoll/data/readers/loaded_file.h"

namespace plimsoll::data {

// One array as matio read it; the memory is matio's and lives as long as `keeper`.
struct MatArray {
    std::shared_ptr<void> keeper;
    void* data = nullptr;
    std::size_t bytes = 0;
};

// The numbers of the variable `name`, which check_mat5 has passed. libmatio brings HDF5 with it and is opened
// on first use (docs/decisions/0012); `unsupported` when it is not on this machine.
Result<MatArray> read_mat_array(const LoadedFile& file, const std::string& name);

}  // namespace plimsoll::data
