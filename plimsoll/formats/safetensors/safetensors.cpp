#include "plimsoll/formats/safetensors/safetensors.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/formats/byte_text.h"
#include "plimsoll/formats/checked_math.h"
#include "plimsoll/formats/safetensors/safetensors_header.h"

namespace plimsoll::formats {
namespace {

constexpr std::uint64_t length_bytes = 8;

// The JSON between the length and the data, or what is wrong with its frame.
Result<std::string_view> header_text(std::span<const std::byte> bytes, std::uint64_t file_size,
                                     const std::string& where) {
    if (file_size == 0) return bad_input(where, "is empty (0 bytes)");
    if (file_size < length_bytes || bytes.size() < length_bytes) {
        return bad_input(where,
                         fmt::format("is {} bytes long; a safetensors file starts with the 8-byte length "
                                     "of its header",
                                     file_size));
    }
    const auto length = load_little<std::uint64_t>(bytes);
    if (length > max_safetensors_header) {
        return bad_input(
            where, fmt::format("is not a safetensors file: its header would be {} bytes long (limit {})",
                               length, max_safetensors_header));
    }
    if (length_bytes + length > file_size || length_bytes + length > bytes.size()) {
        return bad_input(
            where, fmt::format("is cut short: the header needs {} bytes, the file has {}",
                               length_bytes + length, std::min<std::uint64_t>(file_size, bytes.size())));
    }
    const std::string_view text = as_text(bytes.subspan(length_bytes, length));
    if (!text.starts_with('{'))
        return bad_input(where, "is not a safetensors file: its header does not start with '{'");
    if (text[text.find_last_not_of(' ')] != '}') {
        return bad_input(where, "the header must end in '}' and spaces");
    }
    return text;
}

Error tensor_error(std::string_view where, const HeaderEntry& entry, std::string_view message) {
    return bad_input(std::string(where), fmt::format("tensor '{}': {}", printable(entry.info.name), message));
}

// Shape, dtype and offsets of one tensor must agree; fills in elements and bytes.
Status check_size(HeaderEntry& entry, std::string_view where) {
    const auto elements = checked_product(entry.info.shape);
    if (!elements) return tensor_error(where, entry, "its shape has more elements than 64 bits count");
    const auto bits = checked_product(*elements, static_cast<std::uint64_t>(bits_of(entry.info.dtype)));
    if (!bits) return tensor_error(where, entry, "its elements have more bits than 64 bits count");
    if (*bits % 8 != 0) {
        return tensor_error(where, entry, fmt::format("its {} bits do not fill whole bytes", *bits));
    }
    if (entry.end - entry.start != *bits / 8) {
        return tensor_error(where, entry,
                            fmt::format("its shape and dtype need {} bytes, its data_offsets hold {}",
                                        *bits / 8, entry.end - entry.start));
    }
    entry.info.elements = *elements;
    entry.info.bytes = *bits / 8;
    return {};
}

// The tensors must follow one another without hole or overlap; the end of the last one.
Result<std::uint64_t> check_layout(std::vector<HeaderEntry>& entries, std::string_view where) {
    // A name is unique, so that the order of empty tensors is ours and not that of the sort.
    std::ranges::sort(entries, {}, [](const HeaderEntry& entry) {
        return std::tuple(entry.start, entry.end, std::string_view(entry.info.name));
    });
    std::uint64_t previous_end = 0;
    for (HeaderEntry& entry : entries) {
        if (entry.start != previous_end) {
            return tensor_error(where, entry,
                                fmt::format("starts at {}, the data before it end at {} ({})", entry.start,
                                            previous_end, entry.start < previous_end ? "overlap" : "hole"));
        }
        if (entry.end < entry.start) {
            return tensor_error(where, entry,
                                fmt::format("ends at {}, before its start {}", entry.end, entry.start));
        }
        PLIMSOLL_RETURN_IF_ERROR(check_size(entry, where));
        previous_end = entry.end;
    }
    return previous_end;
}

// One JSON object with a member per tensor, offsets one after the other.
Json header_json(std::span<const TensorData> tensors, const Json& metadata) {
    Json header = Json::object();
    if (!metadata.empty()) append_member(header, "__metadata__", metadata);
    std::uint64_t offset = 0;
    for (const TensorData& tensor : tensors) {
        const std::uint64_t end = offset + tensor.bytes.size();
        append_member(
            header, tensor.name,
            {{"dtype", name_of(tensor.dtype)}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}});
        offset = end;
    }
    return header;
}

std::uint64_t data_bytes(std::span<const TensorData> tensors) {
    std::uint64_t sum = 0;
    for (const TensorData& tensor : tensors) sum += tensor.bytes.size();
    return sum;
}

}  // namespace

Result<TensorTable> parse_safetensors(std::span<const std::byte> bytes, std::uint64_t file_size,
                                      std::string_view where) {
    PLIMSOLL_ASSIGN(text, header_text(bytes, file_size, std::string(where)));
    PLIMSOLL_ASSIGN(header, parse_safetensors_json(text, where));
    PLIMSOLL_ASSIGN(data_end, check_layout(header.entries, where));
    const std::uint64_t data_begin = length_bytes + text.size();
    if (data_end != file_size - data_begin) {
        return bad_input(std::string(where),
                         fmt::format("the tensors end at byte {} of the data, the file has {}", data_end,
                                     file_size - data_begin));
    }
    TensorTable table{.files = {std::filesystem::path(where)}, .metadata = std::move(header.metadata)};
    table.tensors.reserve(header.entries.size());
    for (HeaderEntry& entry : header.entries) {
        entry.info.begin = data_begin + entry.start;
        table.tensors.push_back(std::move(entry.info));
    }
    return table;
}

Result<TensorTable> read_safetensors(const std::filesystem::path& path) {
    PLIMSOLL_ASSIGN(file, MappedFile::open(path));
    return parse_safetensors(file.bytes(), file.bytes().size(), path.string());
}

Result<std::string> safetensors_header(std::span<const TensorData> tensors, const Json& metadata) {
    constexpr std::string_view where = "safetensors to be written";
    std::string text;
    try {
        text = header_json(tensors, metadata).dump();
    } catch (const Json::exception&) {
        return bad_input(std::string(where), "its names and metadata must be UTF-8");
    }
    text.resize((text.size() + 7) / 8 * 8, ' ');
    std::string header = store_little<std::uint64_t>(text.size()) + text;
    PLIMSOLL_RETURN_IF_ERROR(parse_safetensors(as_bytes(header), header.size() + data_bytes(tensors), where));
    return header;
}

Status write_safetensors(const std::filesystem::path& path, std::span<const TensorData> tensors,
                         const Json& metadata) {
    PLIMSOLL_ASSIGN(header, safetensors_header(tensors, metadata));
    std::vector<std::string_view> pieces{header};
    for (const TensorData& tensor : tensors) pieces.push_back(as_text(tensor.bytes));
    return atomic_write(path, pieces);
}

}  // namespace plimsoll::formats
