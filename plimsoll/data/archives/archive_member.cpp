#include "plimsoll/data/archives/archive_member.h"

#include <algorithm>
#include <filesystem>
#include <new>

#include <zlib.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/utf8.h"

namespace plimsoll::data {
namespace {

std::string path_in(const std::string& archive, const ArchiveMember& member) {
    return archive + "/" + printable(member.name);
}

// Inflates to exactly the stated size; a stream that ends before or after it is damage.
Status inflate_exactly(std::span<const std::uint8_t> packed, std::span<std::uint8_t> out,
                       const std::string& where) {
    z_stream stream{};
    PLIMSOLL_CHECK(inflateInit2(&stream, -MAX_WBITS) == Z_OK, "zlib without memory");
    constexpr std::size_t most_at_once = std::size_t{1} << 30;
    int code = Z_OK;
    std::size_t taken = 0, given = 0;
    std::uint8_t spare = 0;  // where a stream shows that it is longer than stated, or that it ends
    while (code == Z_OK && given <= out.size()) {
        const std::size_t in = std::min(packed.size() - taken, most_at_once),
                          room = std::clamp<std::size_t>(out.size() - given, 1, most_at_once);
        stream.next_in = const_cast<Bytef*>(packed.data() + taken);
        stream.avail_in = static_cast<uInt>(in);
        stream.next_out = given < out.size() ? out.data() + given : &spare;
        stream.avail_out = static_cast<uInt>(room);
        code = inflate(&stream, Z_NO_FLUSH);
        taken += in - stream.avail_in;
        given += room - stream.avail_out;
    }
    const std::string message = stream.msg != nullptr ? stream.msg : "does not end where it is said to";
    inflateEnd(&stream);
    if (code == Z_STREAM_END && given == out.size()) return {};
    return bad_input(where, fmt::format("damaged at byte {} of {} (byte {} of its content): {}", taken,
                                        packed.size(), given, message));
}

std::uint32_t crc_of(std::span<const std::uint8_t> bytes) {
    return static_cast<std::uint32_t>(crc32_z(crc32_z(0, nullptr, 0), bytes.data(), bytes.size()));
}

Status check_crc(const LoadedFile& file, const ArchiveMember& member) {
    if (!member.checked || crc_of(file.bytes.view()) == member.crc32) return {};
    return bad_input(file.name, "damaged: its checksum is not the one that the archive states");
}

}  // namespace

Status check_member_name(const std::string& archive, const std::string& name) {
    const std::filesystem::path path(name);
    const bool up = std::ranges::any_of(path, [](const auto& part) { return part == ".."; });
    const bool odd = name.empty() || name.find('\0') != std::string::npos;
    if (!path.is_absolute() && !up && !odd) return {};
    return bad_input(
        archive, fmt::format("its member '{}' has a path that leads out of the archive", printable(name)));
}

Result<LoadedFile> read_member(const std::string& archive, const ArchiveMember& member) try {
    LoadedFile file{path_in(archive, member), member.bytes};
    if (member.deflated) {
        std::vector<std::uint8_t> content(member.size);
        PLIMSOLL_RETURN_IF_ERROR(inflate_exactly(member.bytes.view(), content, file.name));
        file.bytes = HostArray<std::uint8_t>(std::move(content));
    }
    PLIMSOLL_RETURN_IF_ERROR(check_crc(file, member));
    return file;
} catch (const std::bad_alloc&) {
    return io_error(path_in(archive, member), "this machine has not enough memory for its content");
}

}  // namespace plimsoll::data
