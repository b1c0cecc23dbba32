#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <torch/version.h>
#if TORCH_VERSION_MAJOR >= 2
#include <torch/csrc/distributed/c10d/Backend.hpp>
#else
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#endif

#include "plimsoll/train/processes/wire.h"

// What LibTorch 1.13 and 2.x call differently in c10d.
namespace plimsoll::train {

#if TORCH_VERSION_MAJOR >= 2
using Group = c10d::Backend;
#else
using Group = c10d::ProcessGroup;
#endif
using GroupPointer = c10::intrusive_ptr<Group>;
using StorePointer = c10::intrusive_ptr<c10d::Store>;

// The sentence in what an exception says: its first line, without torch's backtrace, Gloo's place in its own
// source and the full stop.
inline std::string sentence_of(const std::exception& error) {
    const auto* torchs = dynamic_cast<const c10::Error*>(&error);
    std::string text = torchs != nullptr ? torchs->what_without_backtrace() : error.what();
    text = text.substr(0, text.find('\n'));
    const auto place = text.find("] ");
    if (text.starts_with('[') && place != std::string::npos) text.erase(0, place + 2);
    while (text.ends_with('.')) text.pop_back();
    return text;
}

// Runs `work`; whatever c10d throws becomes LostProcess.
template <class Work>
auto or_lost(const Work& work) {
    try {
        return work();
    } catch (const LostProcess&) {
        throw;
    } catch (const std::exception& error) {
        throw LostProcess(sentence_of(error));
    }
}

inline void sum_in(Group& group, const torch::Tensor& tensor) {
    std::vector<at::Tensor> tensors{tensor};
    or_lost([&] { group.allreduce(tensors)->wait(); });
}

inline void copy_in(Group& group, int rank, const torch::Tensor& tensor) {
    std::vector<at::Tensor> tensors{tensor};
    c10d::BroadcastOptions options;
    options.rootRank = rank;
    or_lost([&] { group.broadcast(tensors, options)->wait(); });
}

}  // namespace plimsoll::train
