#pragma once

#include <exception>
#include <string>

#include "plimsoll/base/result.h"

namespace plimsoll::train {

// Whether an exception says that the host or the device has no memory left, by its type or its words.
bool is_out_of_memory(const std::exception& error);

// The error that stands for it; `advice` says what needs less.
Error out_of_memory_error(const std::string& device, const std::string& advice);

// What `work` returns, a Result; running out of memory in it becomes its error, other exceptions pass.
template <class Work>
auto within_memory(const std::string& device, const std::string& advice, Work work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::exception& error) {
        if (!is_out_of_memory(error)) throw;
        return out_of_memory_error(device, advice);
    }
}

}  // namespace plimsoll::train
