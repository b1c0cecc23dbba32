#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "plimsoll/base/result.h"

// TensorBoard's event files: TFRecord frames around Event messages in protobuf's wire format. The four kinds
// of message written here have six fields between them, so they are encoded by hand.
namespace plimsoll::formats {

// CRC-32C (Castagnoli) of the bytes.
std::uint32_t crc32c(std::string_view bytes);

// The form in which TFRecord stores a CRC: rotated right by 15 bits, plus a constant.
std::uint32_t masked_crc32c(std::string_view bytes);

// One number under a name ("train/loss").
struct Scalar {
    std::string tag;
    float value = 0;
};

// A file of events that only grows; moves but does not copy. Whatever is written is with the system when the
// call returns, so that a live TensorBoard sees it.
class EventWriter {
  public:
    // Makes `events.out.tfevents.<seconds>.<host>.<process>.<n>` in `folder` (made when absent), a name
    // nobody has yet, and writes the file version into it. `resumed_after` says that the run resumes after
    // that step: TensorBoard then forgets what earlier files said about later steps.
    static Result<EventWriter> create(const std::filesystem::path& folder, double wall_time,
                                      std::int64_t resumed_after = -1);
    EventWriter(EventWriter&& other) noexcept
        : path_(std::move(other.path_)),
          descriptor_(std::exchange(other.descriptor_, -1)),
          bytes_(other.bytes_) {}
    EventWriter& operator=(EventWriter&& other) noexcept {
        std::swap(path_, other.path_);
        std::swap(descriptor_, other.descriptor_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~EventWriter();

    // Adds one event with the numbers of a step. `wall_time` is seconds since 1970. After an error the file
    // ends with the last whole record.
    Status add(std::int64_t step, double wall_time, std::span<const Scalar> scalars);
    // Returns when everything is on the disk.
    Status sync();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    EventWriter(std::filesystem::path path, int descriptor)
        : path_(std::move(path)), descriptor_(descriptor) {}
    Status append(std::string_view event);

    std::filesystem::path path_;
    int descriptor_ = -1;
    std::uint64_t bytes_ = 0;  // of whole records
};

}  // namespace plimsoll::formats
