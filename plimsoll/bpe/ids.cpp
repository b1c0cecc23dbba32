// Files of ids, written and read.
#include <bit>
#include <charconv>
#include <cstring>

#include "plimsoll/base/format.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/bpe/stream.h"
#include "plimsoll/data/readers/byte_stream.h"

namespace plimsoll::bpe {
namespace {

static_assert(std::endian::native == std::endian::little, "ids are copied as they lie in memory");

constexpr std::size_t buffer_bytes = std::size_t{1} << 20U;

template <class Id>
std::string packed(std::span<const std::uint32_t> ids) {
    std::string bytes(ids.size() * sizeof(Id), '\0');
    char* at = bytes.data();
    for (const std::uint32_t id : ids) {
        const Id value = static_cast<Id>(id);
        std::memcpy(at, &value, sizeof(value));
        at += sizeof(value);
    }
    return bytes;
}

std::vector<std::uint32_t> unpacked(std::string_view bytes, unsigned width) {
    std::vector<std::uint32_t> ids(bytes.size() / width);
    for (std::size_t i = 0; i < ids.size(); ++i) std::memcpy(&ids[i], bytes.data() + i * width, width);
    return ids;
}

bool separates_ids(char byte) { return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r'; }

// The numbers of `text`, whose last one is complete.
Result<std::vector<std::uint32_t>> parse_ids(std::string_view text) {
    std::vector<std::uint32_t> ids;
    const char *at = text.data(), *const last = at + text.size();
    for (;;) {
        while (at != last && separates_ids(*at)) ++at;
        if (at == last) return ids;
        std::uint32_t id = 0;
        const auto [end, problem] = std::from_chars(at, last, id);
        if (problem != std::errc() || (end != last && !separates_ids(*end))) {
            const std::string_view rest(at, static_cast<std::size_t>(last - at));
            const std::string_view word = rest.substr(0, rest.find_first_of(" \n\t\r"));
            return bad_input("ids",
                             fmt::format("'{}' is not an id; ids are whole numbers with spaces between them",
                                         printable(word, 40)));
        }
        ids.push_back(id);
        at = end;
    }
}

Status read_binary_ids(const std::filesystem::path& path, unsigned width, const IdSink& sink) {
    PLIMSOLL_ASSIGN(stream, data::ByteStream::open(path));
    std::string buffer(buffer_bytes, '\0');
    for (;;) {
        PLIMSOLL_ASSIGN(count, stream.read(std::as_writable_bytes(std::span(buffer))));
        if (count % width != 0) {
            return bad_input(path.string(),
                             fmt::format("holds {} bytes, not a whole number of ids of {} bytes",
                                         stream.bytes_given(), width));
        }
        PLIMSOLL_RETURN_IF_ERROR(sink(unpacked(std::string_view(buffer).substr(0, count), width)));
        if (count < buffer.size()) return {};
    }
}

}  // namespace

unsigned id_width(const BpeModel& model) { return model.tokens.size() <= 65536 ? 2 : 4; }

std::string binary_ids(std::span<const std::uint32_t> ids, unsigned width) {
    return width == 2 ? packed<std::uint16_t>(ids) : packed<std::uint32_t>(ids);
}

Status read_id_text(const std::function<Result<std::size_t>(std::span<char>)>& read, const IdSink& sink) {
    std::string buffer;
    for (;;) {
        const std::size_t kept = buffer.size();
        buffer.resize(kept + buffer_bytes);
        PLIMSOLL_ASSIGN(count, read(std::span(buffer).subspan(kept)));
        buffer.resize(kept + count);
        // The last number may go on in what is read next.
        const std::size_t end = count == 0 ? buffer.size() : buffer.find_last_of(" \n\t\r") + 1;
        PLIMSOLL_ASSIGN(ids, parse_ids(std::string_view(buffer).substr(0, end)));
        PLIMSOLL_RETURN_IF_ERROR(sink(ids));
        if (count == 0) return {};
        buffer.erase(0, end);
        constexpr std::size_t longest_number = 64;
        if (buffer.size() > longest_number)
            return bad_input("ids",
                             fmt::format("'{}' is not an id; ids are whole numbers with spaces between them",
                                         printable(buffer, 40)));
    }
}

Status read_ids(const std::filesystem::path& path, unsigned width, const IdSink& sink) {
    if (path.extension() == ".bin") return read_binary_ids(path, width, sink);
    PLIMSOLL_ASSIGN(stream, data::ByteStream::open(path));
    return read_id_text([&](std::span<char> out) { return stream.read(std::as_writable_bytes(out)); }, sink);
}

}  // namespace plimsoll::bpe
