#include "plimsoll/data/readers/mat5.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <zlib.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"

namespace plimsoll::data {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::size_t mat_header_bytes = 128, tag_bytes = 8, most_mat_dimensions = 8, most_name_bytes = 63;
constexpr std::size_t head_bytes = 4096;  // of an unpacked element: all that stands before its data
enum : std::uint32_t { mi_int8 = 1, mi_int32 = 5, mi_uint32 = 6, mi_matrix = 14, mi_compressed = 15 };
constexpr std::string_view text_of_5 = "MATLAB 5.0 MAT-file", text_of_73 = "MATLAB 7.3 MAT-file";

// Bytes of one element of a data type; 0 for what is no number.
std::size_t type_bytes(std::uint32_t type) {
    constexpr std::array<std::uint8_t, 14> bytes{0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8};
    return type < bytes.size() ? bytes[type] : 0;
}

std::uint32_t load_u32(Bytes bytes) {
    std::uint32_t value;
    std::memcpy(&value, bytes.first(4).data(), 4);
    return value;
}

// One element inside a matrix: its type, where its data start and how long they are; data of up to four bytes
// may stand in the tag itself.
struct Part {
    std::uint32_t type = 0;
    std::size_t begin = 0, size = 0, next = 0;
};

// Reads the head of a matrix: flags, dimensions, name and the tag of its data.
class MatrixHead {
  public:
    // `head` is the start of a matrix of `size` bytes; `where` begins its messages.
    MatrixHead(Bytes head, std::size_t size, std::string where)
        : head_(head), size_(size), where_(std::move(where)) {}

    Result<MatVariable> read() {
        MatVariable variable;
        PLIMSOLL_RETURN_IF_ERROR(read_flags(variable));
        PLIMSOLL_RETURN_IF_ERROR(read_dimensions(variable));
        PLIMSOLL_RETURN_IF_ERROR(read_name(variable));
        PLIMSOLL_RETURN_IF_ERROR(read_data_tag(variable));
        return variable;
    }

  private:
    [[nodiscard]] Error wrong(std::string message) const { return bad_input(where_, std::move(message)); }

    Result<Part> part(std::string_view what) {
        if (head_.size() < at_ + tag_bytes) return wrong(fmt::format("the array ends before its {}", what));
        const std::uint32_t first = load_u32(head_.subspan(at_));
        Part part{first & 0xffff, at_ + 4, first >> 16, at_ + tag_bytes};
        if (part.size > 4)
            return wrong(fmt::format("its {} claim {} bytes inside a tag of 4", what, part.size));
        if (part.size == 0) {
            part = {first, at_ + tag_bytes, load_u32(head_.subspan(at_ + 4)), 0};
            part.next = part.begin + (part.size + 7) / 8 * 8;
        }
        at_ = part.next;
        return part;
    }
    // A part that must lie in the head with all its data.
    Result<Bytes> small_part(std::string_view what, std::uint32_t type, std::size_t most) {
        PLIMSOLL_ASSIGN(found, part(what));
        if (found.type != type)
            return wrong(fmt::format("its {} are of type {}, not {}", what, found.type, type));
        if (found.size > most)
            return wrong(fmt::format("its {} take {} bytes; {} are the most", what, found.size, most));
        if (found.begin + found.size > head_.size())
            return wrong(fmt::format("the array ends inside its {}", what));
        return head_.subspan(found.begin, found.size);
    }
    Status read_flags(MatVariable& variable) {
        PLIMSOLL_ASSIGN(flags, small_part("flags", mi_uint32, 8));
        if (flags.size() != 8) return wrong(fmt::format("its flags take {} bytes, not 8", flags.size()));
        constexpr std::uint8_t complex_bit = 0x08, first_number = 6, last_number = 15;
        variable.array_class = flags[0];
        if (flags[0] < first_number || flags[0] > last_number)
            return unsupported(
                where_, fmt::format("an array of class {}; plain numbers (6 to 15) are read", flags[0]));
        if ((flags[1] & complex_bit) != 0) return unsupported(where_, "an array of complex numbers");
        return {};
    }
    Status read_dimensions(MatVariable& variable) {
        PLIMSOLL_ASSIGN(bytes, small_part("dimensions", mi_int32, 4 * most_mat_dimensions));
        if (bytes.size() < 8 || bytes.size() % 4 != 0)
            return wrong(
                fmt::format("its dimensions take {} bytes; two or more of 4 each are needed", bytes.size()));
        variable.elements = 1;
        for (std::size_t at = 0; at < bytes.size(); at += 4) {
            const std::uint32_t dimension = load_u32(bytes.subspan(at));
            if (dimension == 0 || dimension > size_ || variable.elements > size_ / dimension)
                return wrong(
                    fmt::format("dimension {} is {}; the array has {} bytes", at / 4, dimension, size_));
            variable.elements *= dimension;
            variable.dimensions.push_back(dimension);
        }
        return {};
    }
    Status read_name(MatVariable& variable) {
        PLIMSOLL_ASSIGN(bytes, small_part("name", mi_int8, most_name_bytes));
        variable.name.assign(bytes.begin(), bytes.end());
        if (variable.name.empty() || !is_utf8(variable.name) || variable.name.find('\0') != std::string::npos)
            return wrong(fmt::format("its name is '{}'", printable(variable.name)));
        return {};
    }
    Status read_data_tag(const MatVariable& variable) {
        PLIMSOLL_ASSIGN(data, part("numbers"));
        const std::size_t each = type_bytes(data.type);
        if (each == 0)
            return wrong(fmt::format("'{}' has numbers of type {}", printable(variable.name), data.type));
        if (data.size != variable.elements * each)
            return wrong(
                fmt::format("'{}' has {} elements of {} bytes by its dimensions, but {} bytes of numbers",
                            printable(variable.name), variable.elements, each, data.size));
        // The padding behind the last number may be missing, nothing else.
        if (data.begin + data.size > size_ || data.next < size_)
            return wrong(fmt::format("the numbers of '{}' take {} bytes where the array has {}",
                                     printable(variable.name), data.size,
                                     size_ - std::min(size_, data.begin)));
        return {};
    }

    Bytes head_;
    std::size_t size_, at_ = 0;
    std::string where_;
};

// Unpacks one compressed element and keeps its first bytes.
class Unpacker {
  public:
    Unpacker(Bytes packed, const std::string& file, std::size_t byte)
        : packed_(packed), file_(file), byte_(byte) {
        PLIMSOLL_CHECK(inflateInit(&stream_) == Z_OK, "zlib without memory");
    }
    ~Unpacker() { inflateEnd(&stream_); }
    Unpacker(const Unpacker&) = delete;
    Unpacker& operator=(const Unpacker&) = delete;

    Status run(std::uint64_t most_bytes) {
        stream_.next_in = const_cast<Bytef*>(packed_.data());
        stream_.avail_in = static_cast<uInt>(packed_.size());
        std::vector<std::uint8_t> buffer(std::size_t{1} << 16);
        for (int code = Z_OK; code != Z_STREAM_END;) {
            stream_.next_out = buffer.data();
            stream_.avail_out = static_cast<uInt>(buffer.size());
            code = inflate(&stream_, Z_NO_FLUSH);
            const Bytes got = Bytes(buffer).first(buffer.size() - stream_.avail_out);
            if (code == Z_BUF_ERROR) return damaged("its compressed data end in the middle");
            if (code != Z_OK && code != Z_STREAM_END)
                return damaged(stream_.msg != nullptr ? stream_.msg : "not compressed data");
            head_.insert(
                head_.end(), got.begin(),
                got.begin() + static_cast<std::ptrdiff_t>(std::min(got.size(), head_bytes - head_.size())));
            size_ += got.size();
            if (size_ > most_bytes)
                return damaged("holds more than " + human_bytes(static_cast<double>(most_bytes)));
        }
        if (stream_.avail_in != 0)
            return damaged(fmt::format("{} bytes follow its compressed data", stream_.avail_in));
        return {};
    }
    [[nodiscard]] Bytes head() const { return head_; }
    [[nodiscard]] std::uint64_t size() const { return size_; }

  private:
    [[nodiscard]] Error damaged(std::string_view why) const {
        return bad_input(file_, fmt::format("byte {}: {}", byte_ + packed_.size() - stream_.avail_in, why));
    }
    Bytes packed_;
    const std::string& file_;
    std::size_t byte_;
    z_stream stream_{};
    std::vector<std::uint8_t> head_;
    std::uint64_t size_ = 0;
};

std::string at_byte(const LoadedFile& file, std::size_t byte) {
    return fmt::format("{}: byte {}", file.name, byte);
}

// The matrix element `tag + body`, whose start is `head` and whose length with its tag is `size`.
Result<MatVariable> matrix_in(Bytes head, std::uint64_t size, const std::string& where) {
    if (size < tag_bytes || head.size() < tag_bytes || load_u32(head) != mi_matrix)
        return bad_input(where, "no array where one should be");
    if (load_u32(head.subspan(4)) != size - tag_bytes)
        return bad_input(where, fmt::format("an array of {} bytes by its tag has {}",
                                            load_u32(head.subspan(4)), size - tag_bytes));
    return MatrixHead(head.subspan(tag_bytes), size - tag_bytes, where).read();
}

Result<MatVariable> element_at(const LoadedFile& file, std::size_t at, std::size_t size,
                               std::uint64_t most_bytes) {
    const Bytes whole = file.bytes.view().subspan(at, tag_bytes + size);
    if (load_u32(whole) == mi_matrix)
        return matrix_in(whole.first(std::min(whole.size(), head_bytes)), whole.size(), at_byte(file, at));
    Unpacker unpacker(whole.subspan(tag_bytes), file.name, at + tag_bytes);
    PLIMSOLL_RETURN_IF_ERROR(unpacker.run(most_bytes));
    return matrix_in(unpacker.head(), unpacker.size(), at_byte(file, at) + ", unpacked");
}

Status check_mat_header(const LoadedFile& file) {
    const Bytes bytes = file.bytes.view();
    if (!looks_like_mat(bytes))
        return bad_input(file.name,
                         "byte 0: not a MAT-file of version 5, which starts with 'MATLAB 5.0 MAT-file'");
    if (bytes.size() < mat_header_bytes)
        return bad_input(file.name, fmt::format("byte {}: ends inside the header of {} bytes", bytes.size(),
                                                mat_header_bytes));
    if (std::equal(text_of_73.begin(), text_of_73.end(), bytes.begin()))
        return unsupported(
            file.name,
            "is a MATLAB 7.3 file (HDF5), which cannot be checked before it is read; save it with -v7");
    if (bytes[126] == 'M' && bytes[127] == 'I')
        return unsupported(file.name, "byte 126: a big-endian MAT-file");
    if (bytes[126] != 'I' || bytes[127] != 'M')
        return bad_input(file.name, "byte 126: the byte order is neither IM nor MI");
    if (bytes[124] != 0 || bytes[125] != 1)
        return bad_input(file.name,
                         fmt::format("byte 124: version {:02x}{:02x}, not 0100", bytes[125], bytes[124]));
    return {};
}

}  // namespace

bool looks_like_mat(Bytes first) {
    const auto starts = [first](std::string_view text) {
        return first.size() >= text.size() && std::equal(text.begin(), text.end(), first.begin());
    };
    return starts(text_of_5) || starts(text_of_73);
}

Result<std::vector<MatVariable>> check_mat5(const LoadedFile& file, std::uint64_t most_bytes) {
    PLIMSOLL_RETURN_IF_ERROR(check_mat_header(file));
    const Bytes bytes = file.bytes.view();
    std::vector<MatVariable> variables;
    for (std::size_t at = mat_header_bytes; at < bytes.size();) {
        if (bytes.size() - at < tag_bytes)
            return bad_input(file.name, fmt::format("byte {}: ends inside a tag of 8 bytes", at));
        const std::uint32_t type = load_u32(bytes.subspan(at)), size = load_u32(bytes.subspan(at + 4));
        if (type != mi_matrix && type != mi_compressed)
            return bad_input(
                file.name, fmt::format("byte {}: an element of type {} where an array should be", at, type));
        if (size > bytes.size() - at - tag_bytes)
            return bad_input(file.name, fmt::format("byte {}: an array of {} bytes, of which {} are there",
                                                    at, size, bytes.size() - at - tag_bytes));
        PLIMSOLL_ASSIGN(variable, element_at(file, at, size, most_bytes));
        variable.byte = at;
        variables.push_back(std::move(variable));
        at += tag_bytes + size;
    }
    return variables;
}

}  // namespace plimsoll::data
