#include "plimsoll/train/out_of_memory.h"

#include <array>
#include <new>
#include <string_view>

namespace plimsoll::train {
namespace {

// What LibTorch's allocators, CUDA, cuBLAS and cuDNN say.
constexpr std::array<std::string_view, 5> sentences{"can't allocate memory", "not enough memory",
                                                    "out of memory", "CUBLAS_STATUS_ALLOC_FAILED",
                                                    "CUDNN_STATUS_ALLOC_FAILED"};

}  // namespace

bool is_out_of_memory(const std::exception& error) {
    if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return true;
    const std::string_view text = error.what();
    for (const auto sentence : sentences)
        if (text.find(sentence) != std::string_view::npos) return true;
    return false;
}

Error out_of_memory_error(const std::string& device, const std::string& advice) {
    return io_error(device, "out of memory; " + advice);
}

}  // namespace plimsoll::train
