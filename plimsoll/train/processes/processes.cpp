#include "plimsoll/train/processes/processes.h"

#include <algorithm>
#include <cstring>

#include <ATen/ATen.h>

#include "plimsoll/base/format.h"

namespace plimsoll::train {
namespace {

// The longest text that goes from one process to the others.
constexpr std::int64_t most_letters = 2048;

torch::Tensor letters_of(std::string_view text) {
    torch::Tensor letters = at::zeros({most_letters}, at::kByte);
    std::memcpy(letters.data_ptr(), text.data(),
                std::min(text.size(), static_cast<std::size_t>(most_letters - 1)));
    return letters;
}

std::string text_of(const torch::Tensor& letters) {
    return static_cast<const char*>(letters.data_ptr());  // its last byte is 0
}

}  // namespace

Result<Processes> Processes::join(const ProcessRank& place) {
    if (place.count == 1) return Processes();
    try {
        return Processes(place, connect(place));
    } catch (const LostProcess& error) {
        return io_error("processes",
                        fmt::format("process {} of {} did not find the others at {}, port {}: {}. Were all "
                                    "started? --alone trains with one; MASTER_PORT names another port",
                                    place.rank, place.count, place.address, place.port, error.what()));
    }
}

void Processes::use(torch::Device device) {
    if (wire_) direct_ = wire_->between_gpus(device);
}

void Processes::sum(const torch::Tensor& tensor) {
    if (wire_) wire_for(tensor).sum(tensor);
}

void Processes::copy_from_first(const torch::Tensor& tensor) {
    if (wire_) wire_for(tensor).copy_from(0, tensor);
}

Status Processes::agree(const Status& mine) {
    if (!wire_) return mine;
    const torch::Tensor failed = at::zeros({count()}, at::kLong);
    if (!mine.ok()) failed[rank()] = static_cast<std::int64_t>(mine.error().kind);
    wire_->sum(failed);
    const auto* kinds = failed.data_ptr<std::int64_t>();
    const auto* one = std::find_if(kinds, kinds + count(), [](std::int64_t kind) { return kind != 0; });
    if (one == kinds + count()) return {};
    const torch::Tensor letters = letters_of(mine.ok() ? "" : mine.error().text());
    const int who = static_cast<int>(one - kinds);
    wire_->copy_from(who, letters);
    if (!mine.ok()) return mine;
    return Error{static_cast<ErrorKind>(*one), fmt::format("process {} of {}", who, count()),
                 text_of(letters)};
}

bool Processes::same(std::string_view text) {
    const torch::Tensor letters = letters_of(text);
    copy_from_first(letters);
    return letters.equal(letters_of(text));
}

}  // namespace plimsoll::train
