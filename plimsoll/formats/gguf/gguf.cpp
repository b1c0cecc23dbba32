#include "plimsoll/formats/gguf/gguf.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/formats/byte_reader.h"
#include "plimsoll/formats/checked_math.h"
#include "plimsoll/formats/gguf/ggml_types.h"

namespace plimsoll::formats {
namespace {

constexpr std::uint64_t max_keys = 65'536;        // the real files at hand have 16 and 22
constexpr std::uint64_t max_tensors = 1'000'000;  // ten matrices a layer are some thousands
constexpr std::uint64_t max_key_bytes = 65'535;
constexpr std::uint64_t max_name_bytes = 64;
constexpr std::uint32_t max_rank = 4;
constexpr std::uint64_t least_alignment = 8;
constexpr std::uint64_t most_alignment = 1 << 21;  // the largest common page
constexpr int max_array_depth = 4;

// The fewest bytes that a key with its value, and a tensor's description, can take.
constexpr std::uint64_t least_key_bytes = 8 + 1 + 4 + 1;
constexpr std::uint64_t least_tensor_bytes = 8 + 1 + 4 + 4 + 8;

struct Counts {
    std::uint32_t version = 0;
    std::uint64_t tensors = 0;
    std::uint64_t keys = 0;
};

Status check_version(const ByteReader& reader, std::uint32_t version) {
    if (version == 2 || version == 3) return {};
    const std::uint32_t swapped = __builtin_bswap32(version);
    if (swapped >= 1 && swapped <= 3) {
        return reader.not_supported("is a big-endian GGUF file; little-endian ones are read");
    }
    return reader.not_supported(fmt::format("is GGUF version {}; versions 2 and 3 are read", version));
}

Result<Counts> read_counts(ByteReader& reader) {
    PLIMSOLL_ASSIGN(magic, reader.take(4, "the magic"));
    if (as_text(magic) != "GGUF") {
        return reader.refuse(fmt::format("is not a GGUF file: it starts with '{}', not with 'GGUF'",
                                         printable(as_text(magic))));
    }
    PLIMSOLL_ASSIGN(version, reader.number<std::uint32_t>("the version"));
    PLIMSOLL_RETURN_IF_ERROR(check_version(reader, version));
    PLIMSOLL_ASSIGN(tensors, reader.number<std::uint64_t>("the tensor count"));
    PLIMSOLL_ASSIGN(keys, reader.number<std::uint64_t>("the key count"));
    if (keys > max_keys) return reader.refuse(fmt::format("states {} keys; the limit is {}", keys, max_keys));
    if (tensors > max_tensors) {
        return reader.refuse(fmt::format("states {} tensors; the limit is {}", tensors, max_tensors));
    }
    PLIMSOLL_RETURN_IF_ERROR(reader.expect(keys, least_key_bytes, "keys"));
    PLIMSOLL_RETURN_IF_ERROR(reader.expect(tensors, least_tensor_bytes, "tensors"));
    return Counts{version, tensors, keys};
}

Result<std::string_view> read_string(ByteReader& reader, std::string_view what) {
    PLIMSOLL_ASSIGN(length, reader.number<std::uint64_t>(what));
    PLIMSOLL_ASSIGN(bytes, reader.take(length, what));
    return as_text(bytes);
}

// A name that is shown: not empty, bounded, UTF-8.
Result<std::string> read_name(ByteReader& reader, std::uint64_t most, std::string_view what) {
    PLIMSOLL_ASSIGN(name, read_string(reader, what));
    if (name.empty()) return reader.refuse(fmt::format("{} is empty", what));
    if (name.size() > most) {
        return reader.refuse(fmt::format("{} '{}' is {} bytes long; the limit is {}", what,
                                         printable(name, 40), name.size(), most));
    }
    if (!is_utf8(name)) return reader.refuse(fmt::format("{} '{}' is not UTF-8", what, printable(name)));
    return std::string(name);
}

Result<GgufType> read_type(ByteReader& reader, std::string_view key) {
    PLIMSOLL_ASSIGN(type, reader.number<std::uint32_t>("a value's type"));
    if (type >= gguf_type_count) {
        return reader.refuse(
            fmt::format("key '{}' has value type {}; types are 0 to 12", printable(key), type));
    }
    return static_cast<GgufType>(type);
}

Status check_booleans(const ByteReader& reader, std::string_view bytes, std::string_view key) {
    const auto wrong = std::ranges::find_if(bytes, [](char c) { return c != 0 && c != 1; });
    if (wrong == bytes.end()) return {};
    return reader.refuse(fmt::format("key '{}' has a boolean of {}; 0 and 1 are allowed", printable(key),
                                     static_cast<unsigned char>(*wrong)));
}

struct ArrayHead {
    GgufType element;
    std::uint64_t count;
};

Result<ArrayHead> read_array_head(ByteReader& reader, std::string_view key) {
    PLIMSOLL_ASSIGN(element, read_type(reader, key));
    PLIMSOLL_ASSIGN(count, reader.number<std::uint64_t>("an array's length"));
    constexpr std::uint64_t least_string = 8, least_array = 4 + 8;
    const std::uint64_t least = element == GgufType::string  ? least_string
                                : element == GgufType::array ? least_array
                                                             : size_of(element);
    PLIMSOLL_RETURN_IF_ERROR(reader.expect(count, least, fmt::format("elements of '{}'", printable(key))));
    return ArrayHead{element, count};
}

// Walks over the elements of an array; every element takes bytes, so the work is bounded by the file.
Status skip_elements(ByteReader& reader, const ArrayHead& head, int depth, std::string_view key) {
    if (depth > max_array_depth) {
        return reader.refuse(
            fmt::format("key '{}' nests arrays deeper than {}", printable(key), max_array_depth));
    }
    if (const std::uint64_t size = size_of(head.element); size > 0) {
        PLIMSOLL_ASSIGN(bytes, reader.take(head.count * size, "an array"));
        return head.element == GgufType::boolean ? check_booleans(reader, as_text(bytes), key) : Status();
    }
    for (std::uint64_t i = 0; i < head.count; ++i) {
        if (head.element == GgufType::string) {
            PLIMSOLL_RETURN_IF_ERROR(read_string(reader, "an array's string"));
        } else {
            PLIMSOLL_ASSIGN(inner, read_array_head(reader, key));
            PLIMSOLL_RETURN_IF_ERROR(skip_elements(reader, inner, depth + 1, key));
        }
    }
    return {};
}

Result<GgufValue> read_array(ByteReader& reader, std::string_view key) {
    PLIMSOLL_ASSIGN(head, read_array_head(reader, key));
    ByteReader ahead = reader;
    PLIMSOLL_RETURN_IF_ERROR(skip_elements(ahead, head, 1, key));
    PLIMSOLL_ASSIGN(bytes, reader.take(ahead.position() - reader.position(), "an array"));
    return GgufValue{GgufType::array, head.element, head.count, std::string(as_text(bytes))};
}

Result<GgufKey> read_key(ByteReader& reader) {
    PLIMSOLL_ASSIGN(name, read_name(reader, max_key_bytes, "a key"));
    PLIMSOLL_ASSIGN(type, read_type(reader, name));
    if (type == GgufType::array) {
        PLIMSOLL_ASSIGN(array, read_array(reader, name));
        return GgufKey{std::move(name), std::move(array)};
    }
    GgufKey key{.name = std::move(name), .value = {.type = type}};
    if (type == GgufType::string) {
        PLIMSOLL_ASSIGN(text, read_string(reader, "a string value"));
        key.value.bytes = text;
        return key;
    }
    PLIMSOLL_ASSIGN(bytes, reader.take(size_of(type), "a value"));
    key.value.bytes = as_text(bytes);
    if (type == GgufType::boolean)
        PLIMSOLL_RETURN_IF_ERROR(check_booleans(reader, key.value.bytes, key.name));
    return key;
}

// The first name, in alphabetical order, that stands twice; empty when there is none.
template <class T>
std::string_view repeated_name(const std::vector<T>& named) {
    std::vector<std::string_view> names;
    for (const T& item : named) names.push_back(item.name);
    std::ranges::sort(names);
    const auto found = std::ranges::adjacent_find(names);
    return found == names.end() ? std::string_view() : *found;
}

Result<std::vector<GgufKey>> read_keys(ByteReader& reader, std::uint64_t count) {
    std::vector<GgufKey> keys;
    keys.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
        PLIMSOLL_ASSIGN(key, read_key(reader));
        keys.push_back(std::move(key));
    }
    if (const auto name = repeated_name(keys); !name.empty()) {
        return reader.refuse(fmt::format("key '{}' is given twice", printable(name)));
    }
    return keys;
}

// Sizes, innermost first in the file, outermost first in the result.
Result<std::vector<std::uint64_t>> read_shape(ByteReader& reader, std::string_view name) {
    PLIMSOLL_ASSIGN(rank, reader.number<std::uint32_t>("a tensor's rank"));
    if (rank > max_rank) {
        return reader.refuse(
            fmt::format("tensor '{}' has {} dimensions; the limit is {}", printable(name), rank, max_rank));
    }
    std::vector<std::uint64_t> shape(rank);
    for (std::uint32_t i = 0; i < rank; ++i) {
        PLIMSOLL_ASSIGN(size, reader.number<std::uint64_t>("a tensor's dimension"));
        if (size == 0) return reader.refuse(fmt::format("tensor '{}' has a dimension of 0", printable(name)));
        shape[rank - 1 - i] = size;
    }
    return shape;
}

// Fills in type, elements and bytes.
Status set_size(const ByteReader& reader, TensorInfo& tensor, std::uint32_t type_id) {
    const GgmlType* type = ggml_type(type_id);
    if (type == nullptr) {
        return reader.not_supported(
            fmt::format("tensor '{}' has ggml type {}, which is not known", printable(tensor.name), type_id));
    }
    const auto elements = checked_product(tensor.shape);
    if (!elements) {
        return reader.refuse(
            fmt::format("tensor '{}' has more elements than 64 bits count", printable(tensor.name)));
    }
    const std::uint64_t row = tensor.shape.empty() ? 1 : tensor.shape.back();
    if (row % type->block_elements != 0) {
        return reader.refuse(fmt::format("tensor '{}' has rows of {}, which {} cannot cut into blocks of {}",
                                         printable(tensor.name), row, type->name, type->block_elements));
    }
    const auto bytes = checked_product(*elements / type->block_elements, type->block_bytes);
    if (!bytes) {
        return reader.refuse(
            fmt::format("tensor '{}' has more bytes than 64 bits count", printable(tensor.name)));
    }
    tensor.dtype = type->dtype;
    tensor.ggml_type = type->id;
    tensor.elements = *elements;
    tensor.bytes = *bytes;
    return {};
}

// One tensor's description; `begin` still counts from the start of the data.
Result<TensorInfo> read_tensor(ByteReader& reader) {
    TensorInfo tensor;
    PLIMSOLL_ASSIGN(name, read_name(reader, max_name_bytes, "a tensor's name"));
    tensor.name = std::move(name);
    PLIMSOLL_ASSIGN(shape, read_shape(reader, tensor.name));
    tensor.shape = std::move(shape);
    PLIMSOLL_ASSIGN(type, reader.number<std::uint32_t>("a tensor's type"));
    PLIMSOLL_RETURN_IF_ERROR(set_size(reader, tensor, type));
    PLIMSOLL_ASSIGN(offset, reader.number<std::uint64_t>("a tensor's offset"));
    tensor.begin = offset;
    return tensor;
}

Result<std::vector<TensorInfo>> read_tensors(ByteReader& reader, std::uint64_t count) {
    std::vector<TensorInfo> tensors;
    tensors.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
        PLIMSOLL_ASSIGN(tensor, read_tensor(reader));
        tensors.push_back(std::move(tensor));
    }
    if (const auto name = repeated_name(tensors); !name.empty()) {
        return reader.refuse(fmt::format("tensor '{}' is given twice", printable(name)));
    }
    return tensors;
}

Result<std::uint64_t> read_alignment(const ByteReader& reader, const GgufFile& file) {
    const GgufValue* value = file.find("general.alignment");
    if (value == nullptr) return default_gguf_alignment;
    if (value->type != GgufType::u32) {
        return reader.refuse(fmt::format("general.alignment must be a u32, is {}", name_of(value->type)));
    }
    const auto alignment = load_little<std::uint32_t>(as_bytes(value->bytes));
    if (!std::has_single_bit(alignment) || alignment < least_alignment || alignment > most_alignment) {
        return reader.refuse(fmt::format("general.alignment must be a power of two from {} to {}, is {}",
                                         least_alignment, most_alignment, alignment));
    }
    return std::uint64_t{alignment};
}

Status place_tensor(const ByteReader& reader, TensorInfo& tensor, std::uint64_t data_begin,
                    std::uint64_t alignment) {
    if (tensor.begin % alignment != 0) {
        return reader.refuse(fmt::format("tensor '{}' has offset {}, no multiple of the alignment {}",
                                         printable(tensor.name), tensor.begin, alignment));
    }
    const auto begin = checked_sum(data_begin, tensor.begin);
    const auto end = begin ? checked_sum(*begin, tensor.bytes) : std::nullopt;
    if (!end) return reader.refuse(fmt::format("tensor '{}' ends past 64 bits", printable(tensor.name)));
    tensor.begin = *begin;
    return {};
}

// Offsets become places in the file, sorted, without overlap and within the file; the end of the last tensor.
Result<std::uint64_t> place_tensors(const ByteReader& reader, GgufFile& file, std::uint64_t data_begin,
                                    std::uint64_t file_size) {
    auto& tensors = file.table.tensors;
    for (TensorInfo& tensor : tensors) {
        PLIMSOLL_RETURN_IF_ERROR(place_tensor(reader, tensor, data_begin, file.alignment));
    }
    std::ranges::sort(tensors, {}, &TensorInfo::begin);
    std::uint64_t previous_end = data_begin;
    for (const TensorInfo& tensor : tensors) {
        if (tensor.begin < previous_end) {
            return reader.refuse(
                fmt::format("tensor '{}' overlaps the one before it", printable(tensor.name)));
        }
        previous_end = tensor.begin + tensor.bytes;
        if (previous_end > file_size) {
            return reader.refuse(fmt::format("tensor '{}' ends at byte {}, the file has {}",
                                             printable(tensor.name), previous_end, file_size));
        }
    }
    return previous_end;
}

// Remarks on what is accepted but should be said: a part of a split model, bytes that belong to nothing.
void add_remarks(GgufFile& file, std::uint64_t data_end, std::uint64_t file_size) {
    const auto integer = [&](std::string_view key) {
        const GgufValue* value = file.find(key);
        return value == nullptr ? std::nullopt : as_integer(*value);
    };
    if (const auto parts = integer("split.count"); parts && *parts > 1) {
        const auto number = integer("split.no").value_or(0);
        file.table.remarks.push_back(fmt::format(
            "this is part {} of {} of a split model; the tensors of the other parts are not counted",
            number < *parts ? number + 1 : number, *parts));
    }
    if (file_size > data_end && file_size - data_end >= file.alignment) {
        file.table.remarks.push_back(
            fmt::format("{} bytes follow the last tensor and belong to nothing", file_size - data_end));
    }
}

Result<GgufFile> parse_counted(ByteReader& reader, const Counts& counts, std::uint64_t file_size) {
    GgufFile file{.version = counts.version};
    PLIMSOLL_ASSIGN(keys, read_keys(reader, counts.keys));
    file.keys = std::move(keys);
    PLIMSOLL_ASSIGN(tensors, read_tensors(reader, counts.tensors));
    file.table.tensors = std::move(tensors);
    PLIMSOLL_ASSIGN(alignment, read_alignment(reader, file));
    file.alignment = alignment;
    // A file without tensors may end where its description ends, before the data would be aligned.
    const std::uint64_t data_begin =
        counts.tensors == 0 ? reader.position() : (reader.position() + alignment - 1) / alignment * alignment;
    PLIMSOLL_ASSIGN(data_end, place_tensors(reader, file, data_begin, file_size));
    for (const GgufKey& key : file.keys) append_member(file.table.metadata, key.name, to_json(key.value));
    add_remarks(file, data_end, file_size);
    return file;
}

}  // namespace

const GgufValue* GgufFile::find(std::string_view key) const {
    const auto found = std::ranges::find(keys, key, &GgufKey::name);
    return found == keys.end() ? nullptr : &found->value;
}

Result<GgufFile> parse_gguf(std::span<const std::byte> bytes, std::uint64_t file_size,
                            std::string_view where) {
    const std::string place(where);
    if (file_size == 0) return bad_input(place, "is empty (0 bytes)");
    const bool bounded = bytes.size() > max_gguf_header;
    const std::string end_reason =
        bounded
            ? fmt::format("its keys and tensor descriptions go past the limit of {} bytes", max_gguf_header)
            : fmt::format("is cut short: it ends after {} bytes", bytes.size());
    ByteReader reader(bounded ? bytes.first(max_gguf_header) : bytes, place, end_reason);
    PLIMSOLL_ASSIGN(counts, read_counts(reader));
    PLIMSOLL_ASSIGN(file, parse_counted(reader, counts, file_size));
    file.table.files = {std::filesystem::path(place)};
    return file;
}

Result<GgufFile> read_gguf(const std::filesystem::path& path) {
    PLIMSOLL_ASSIGN(file, MappedFile::open(path));
    return parse_gguf(file.bytes(), file.bytes().size(), path.string());
}

}  // namespace plimsoll::formats
