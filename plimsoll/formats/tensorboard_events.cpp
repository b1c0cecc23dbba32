#include "plimsoll/formats/tensorboard_events.h"

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "plimsoll/base/format.h"

namespace plimsoll::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::uint32_t, 256> crc_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t value = byte;
        for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0x82F63B78U : 0U);
        table[byte] = value;
    }
    return table;
}

// The bytes of a number, lowest first.
template <class Unsigned>
std::string little_endian(Unsigned value) {
    std::string bytes;
    for (std::size_t i = 0; i < sizeof(Unsigned); ++i) bytes += static_cast<char>((value >> (8 * i)) & 0xFF);
    return bytes;
}

// Protobuf's wire format: a field is its number and its type, then its value.
enum class Wire : std::uint64_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

std::string varint(std::uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7) bytes += static_cast<char>((value & 0x7F) | 0x80);
    return bytes + static_cast<char>(value);
}

std::string field_start(std::uint64_t number, Wire wire) {
    return varint(number << 3 | static_cast<std::uint64_t>(wire));
}
std::string whole_field(std::uint64_t number, std::int64_t value) {
    return field_start(number, Wire::varint) + varint(static_cast<std::uint64_t>(value));
}
std::string double_field(std::uint64_t number, double value) {
    return field_start(number, Wire::fixed64) + little_endian(std::bit_cast<std::uint64_t>(value));
}
std::string float_field(std::uint64_t number, float value) {
    return field_start(number, Wire::fixed32) + little_endian(std::bit_cast<std::uint32_t>(value));
}
std::string bytes_field(std::uint64_t number, std::string_view bytes) {
    return field_start(number, Wire::bytes) + varint(bytes.size()) + std::string(bytes);
}

// Field numbers of Event, Summary, Summary.Value and SessionLog in TensorFlow's event.proto and
// summary.proto.
constexpr std::uint64_t event_wall_time = 1, event_step = 2, event_file_version = 3, event_summary = 5,
                        event_session_log = 7;
constexpr std::uint64_t summary_value = 1, value_tag = 1, value_number = 2, session_status = 1;
constexpr std::int64_t session_start = 1;

std::string event_of(double wall_time, std::int64_t step) {
    return double_field(event_wall_time, wall_time) + whole_field(event_step, step);
}

std::string summary_of(std::span<const Scalar> scalars) {
    std::string summary;
    for (const Scalar& scalar : scalars) {
        summary += bytes_field(summary_value,
                               bytes_field(value_tag, scalar.tag) + float_field(value_number, scalar.value));
    }
    return summary;
}

// Length, its CRC, the data, their CRC.
std::string record_of(std::string_view data) {
    const std::string length = little_endian(std::uint64_t{data.size()});
    return length + little_endian(masked_crc32c(length)) + std::string(data) +
           little_endian(masked_crc32c(data));
}

std::string host_name() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

Error write_error(const fs::path& path, int code) {
    return io_error(path.string(), fmt::format("cannot be written: {}", std::strerror(code)));
}

struct NewFile {
    fs::path path;
    int descriptor = -1;
};

// A new file: names sort by time, so that TensorBoard reads a resumed run's files in order.
Result<NewFile> new_file(const fs::path& folder, double wall_time) {
    for (int n = 0;; ++n) {
        const fs::path path =
            folder / fmt::format("events.out.tfevents.{:010}.{}.{}.{}", static_cast<std::int64_t>(wall_time),
                                 host_name(), ::getpid(), n);
        const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
        if (file >= 0) return NewFile{path, file};
        if (errno != EEXIST) return write_error(path, errno);
    }
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
    static constexpr auto table = crc_table();
    std::uint32_t crc = 0xFFFFFFFFU;
    for (const char c : bytes) crc = (crc >> 8) ^ table[(crc ^ static_cast<unsigned char>(c)) & 0xFF];
    return ~crc;
}

std::uint32_t masked_crc32c(std::string_view bytes) { return std::rotr(crc32c(bytes), 15) + 0xA282EAD8U; }

Result<EventWriter> EventWriter::create(const fs::path& folder, double wall_time,
                                        std::int64_t resumed_after) {
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (problem) return write_error(folder, problem.value());
    PLIMSOLL_ASSIGN(file, new_file(folder, wall_time));
    EventWriter writer(file.path, file.descriptor);
    PLIMSOLL_RETURN_IF_ERROR(writer.append(double_field(event_wall_time, wall_time) +
                                           bytes_field(event_file_version, "brain.Event:2")));
    if (resumed_after >= 0) {
        PLIMSOLL_RETURN_IF_ERROR(
            writer.append(event_of(wall_time, resumed_after + 1) +
                          bytes_field(event_session_log, whole_field(session_status, session_start))));
    }
    return writer;
}

EventWriter::~EventWriter() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

Status EventWriter::add(std::int64_t step, double wall_time, std::span<const Scalar> scalars) {
    return append(event_of(wall_time, step) + bytes_field(event_summary, summary_of(scalars)));
}

Status EventWriter::append(std::string_view event) {
    const std::string record = record_of(event);
    ssize_t written = 0;
    do {
        written = ::write(descriptor_, record.data(), record.size());
    } while (written < 0 && errno == EINTR);
    if (written == static_cast<ssize_t>(record.size())) {
        bytes_ += record.size();
        return {};
    }
    const int code = written < 0 ? errno : ENOSPC;
    if (written > 0 && ::ftruncate(descriptor_, static_cast<off_t>(bytes_)) != 0)
        return write_error(path_, errno);
    return write_error(path_, code);
}

Status EventWriter::sync() {
    if (::fsync(descriptor_) != 0) return write_error(path_, errno);
    return {};
}

}  // namespace plimsoll::formats
