#pragma once

#include "plimsoll/base/result.h"
#include "plimsoll/train/processes/wire.h"

namespace plimsoll::train {

// The processes that train one run together. One alone is a group too, and everything it does with itself is
// free. All of them call the same functions in the same order; each throws LostProcess when another one is
// gone.
class Processes {
  public:
    Processes() = default;
    Processes(ProcessRank place, std::unique_ptr<Wire> wire)
        : place_(std::move(place)), wire_(std::move(wire)) {}
    // Waits until all of them are there; `io` when they do not come.
    static Result<Processes> join(const ProcessRank& place);

    [[nodiscard]] int rank() const { return place_.rank; }
    [[nodiscard]] int count() const { return place_.count; }
    [[nodiscard]] bool first() const { return place_.rank == 0; }

    // Uses NCCL for tensors on `device` if each process has a GPU of its own; otherwise they go through the
    // host.
    void use(torch::Device device);
    // Whether a step that calls sum() may be recorded. Gloo's sum is done by the host; NCCL's could be, but
    // then c10d would no longer watch it, and a process that dies would leave the others waiting for ever.
    [[nodiscard]] bool recordable() const { return !wire_; }

    // Adds `tensor` up over the processes, in place.
    void sum(const torch::Tensor& tensor);
    // Gives all processes the first one's values.
    void copy_from_first(const torch::Tensor& tensor);
    // Success if all of them succeeded; otherwise an error everywhere, their own or that of the first of the
    // others.
    Status agree(const Status& mine);
    // The same for a value.
    template <class T>
    Result<T> agree(Result<T> mine) {
        PLIMSOLL_RETURN_IF_ERROR(agree(mine.ok() ? Status() : Status(mine.error())));
        return mine;
    }
    // Whether `text` is the same in all of them.
    bool same(std::string_view text);

  private:
    Wire& wire_for(const torch::Tensor& tensor) { return direct_ && !tensor.is_cpu() ? *direct_ : *wire_; }

    ProcessRank place_;
    std::unique_ptr<Wire> wire_;    // null: alone
    std::unique_ptr<Wire> direct_;  // between GPUs
};

}  // namespace plimsoll::train
