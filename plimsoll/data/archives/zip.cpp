#include "plimsoll/data/archives/zip.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"

namespace plimsoll::data {
namespace {

constexpr std::uint32_t end_magic = 0x06054b50, entry_magic = 0x02014b50, local_magic = 0x04034b50;
constexpr std::size_t end_bytes = 22, entry_bytes = 46, local_bytes = 30, most_comment = 65535;
constexpr std::uint16_t stored = 0, deflated = 8;
constexpr std::uint64_t most_of_deflate = 1032;  // bytes that deflate makes of one
constexpr std::uint32_t in_zip64 = 0xffffffff;

// Numbers of a zip file are little-endian and nowhere aligned.
template <class T>
T number_at(std::span<const std::uint8_t> bytes, std::size_t at) {
    T value;
    std::memcpy(&value, bytes.subspan(at, sizeof value).data(), sizeof value);
    return value;
}

// One line of the central directory.
struct ZipEntry {
    std::uint16_t flags, method;
    std::uint32_t crc32, packed, size, local;
    std::string name;
};

class ZipReader {
  public:
    ZipReader(const LoadedFile& archive, std::uint64_t most_bytes)
        : archive_(archive), all_(archive.bytes.view()), most_bytes_(most_bytes) {}

    Result<std::vector<ArchiveMember>> read() {
        const auto end = find_end();
        if (!end) return wrong(all_.size(), "has no end of its directory: is it cut?");
        const std::uint16_t count = number_at<std::uint16_t>(all_, *end + 10);
        std::size_t at = number_at<std::uint32_t>(all_, *end + 16);
        if (count == 0xffff || at == in_zip64) return zip64();
        if (number_at<std::uint16_t>(all_, *end + 8) != count)
            return unsupported(archive_.name, "a zip archive on several disks");
        for (std::uint16_t i = 0; i < count; ++i) PLIMSOLL_RETURN_IF_ERROR(read_entry(at, *end));
        PLIMSOLL_RETURN_IF_ERROR(check_overlaps());
        return std::move(members_);
    }

  private:
    [[nodiscard]] Error wrong(std::size_t at, std::string_view what) const {
        return bad_input(archive_.name, fmt::format("byte {}: no sound zip archive: {}", at, what));
    }
    [[nodiscard]] Error wrong(const ZipEntry& entry, std::string_view what) const {
        return bad_input(archive_.name, fmt::format("its member '{}' {}", printable(entry.name), what));
    }
    [[nodiscard]] Error zip64() const {
        return unsupported(archive_.name,
                           "a zip64 archive (4 GiB or 65535 files and more); make a tar of it");
    }

    // The last record of the file; a comment of up to 65535 bytes may follow it.
    [[nodiscard]] std::optional<std::size_t> find_end() const {
        if (all_.size() < end_bytes) return std::nullopt;
        const std::size_t last = all_.size() - end_bytes, first = last - std::min(last, most_comment);
        for (std::size_t at = last + 1; at-- > first;)
            if (number_at<std::uint32_t>(all_, at) == end_magic) return at;
        return std::nullopt;
    }

    Status read_entry(std::size_t& at, std::size_t end) {
        if (at > end || end - at < entry_bytes || number_at<std::uint32_t>(all_, at) != entry_magic)
            return wrong(std::min(at, all_.size()), "an entry of the directory was expected");
        const std::size_t name = number_at<std::uint16_t>(all_, at + 28),
                          more = std::size_t{number_at<std::uint16_t>(all_, at + 30)} +
                                 number_at<std::uint16_t>(all_, at + 32);
        if (end - at - entry_bytes < name + more) return wrong(at, "an entry that goes beyond its directory");
        const auto text = all_.subspan(at + entry_bytes, name);
        const ZipEntry entry{number_at<std::uint16_t>(all_, at + 8),  number_at<std::uint16_t>(all_, at + 10),
                             number_at<std::uint32_t>(all_, at + 16), number_at<std::uint32_t>(all_, at + 20),
                             number_at<std::uint32_t>(all_, at + 24), number_at<std::uint32_t>(all_, at + 42),
                             std::string(text.begin(), text.end())};
        at += entry_bytes + name + more;
        return add(entry);
    }

    Status add(const ZipEntry& entry) {
        PLIMSOLL_RETURN_IF_ERROR(check_member_name(archive_.name, entry.name));
        if (entry.name.ends_with('/')) return {};
        if (entry.packed == in_zip64 || entry.size == in_zip64 || entry.local == in_zip64) return zip64();
        if ((entry.flags & 1U) != 0)
            return unsupported(archive_.name,
                               fmt::format("its member '{}' is encrypted", printable(entry.name)));
        if (entry.method != stored && entry.method != deflated)
            return unsupported(archive_.name,
                               fmt::format("its member '{}' is packed by method {}; 0 (stored) "
                                           "and 8 (deflate) are read",
                                           printable(entry.name), entry.method));
        PLIMSOLL_RETURN_IF_ERROR(check_size(entry));
        PLIMSOLL_ASSIGN(bytes, bytes_of(entry));
        members_.push_back({entry.name,
                            {bytes, archive_.bytes.keeper()},
                            entry.method == deflated,
                            entry.size,
                            entry.crc32,
                            true});
        return {};
    }

    // Nothing is unpacked by a size that its bytes cannot give.
    Status check_size(const ZipEntry& entry) {
        if (entry.method == stored && entry.size != entry.packed)
            return wrong(
                entry, fmt::format("is stored as it is but states {} bytes of {}", entry.size, entry.packed));
        if (entry.size > most_of_deflate * (std::uint64_t{entry.packed} + 1))
            return wrong(entry, fmt::format("states {} bytes, more than its {} could unpack to", entry.size,
                                            entry.packed));
        unpacked_ += entry.size;
        if (unpacked_ <= most_bytes_) return {};
        return bad_input(archive_.name, fmt::format("holds more than the {} that are allowed here",
                                                    human_bytes(static_cast<double>(most_bytes_))));
    }

    // The bytes behind the entry's own header.
    Result<std::span<const std::uint8_t>> bytes_of(const ZipEntry& entry) {
        if (entry.local > all_.size() || all_.size() - entry.local < local_bytes ||
            number_at<std::uint32_t>(all_, entry.local) != local_magic)
            return wrong(entry, fmt::format("is said to be at byte {}, where there is none", entry.local));
        const std::size_t first = std::size_t{entry.local} + local_bytes +
                                  number_at<std::uint16_t>(all_, entry.local + 26) +
                                  number_at<std::uint16_t>(all_, entry.local + 28);
        if (first > all_.size() || all_.size() - first < entry.packed)
            return wrong(entry, fmt::format("states {} bytes; the file ends before", entry.packed));
        taken_.push_back({first, first + entry.packed});
        return all_.subspan(first, entry.packed);
    }

    // Many entries that share one stream are how a small file unpacks to petabytes.
    Status check_overlaps() {
        std::ranges::sort(taken_);
        for (std::size_t i = 1; i < taken_.size(); ++i)
            if (taken_[i].first < taken_[i - 1].second)
                return wrong(taken_[i].first, "two members share the same bytes");
        return {};
    }

    const LoadedFile& archive_;
    std::span<const std::uint8_t> all_;
    std::uint64_t most_bytes_, unpacked_ = 0;
    std::vector<std::pair<std::size_t, std::size_t>> taken_;
    std::vector<ArchiveMember> members_;
};

}  // namespace

Result<std::vector<ArchiveMember>> list_zip(const LoadedFile& archive, std::uint64_t most_bytes) {
    return ZipReader(archive, most_bytes).read();
}

}  // namespace plimsoll::data
