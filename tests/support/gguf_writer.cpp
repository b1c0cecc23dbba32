#include "tests/support/gguf_writer.h"

#include <algorithm>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/formats/byte_text.h"

namespace plimsoll::testing {
namespace {

using formats::as_bytes;
using formats::as_text;
using formats::Dtype;
using formats::GgmlType;
using formats::GgufKey;
using formats::GgufType;
using formats::GgufValue;
using formats::store_little;
using formats::TensorData;
using formats::TensorInfo;

constexpr std::string_view place = "GGUF to be written";

std::string stored_text(std::string_view text) {
    return store_little<std::uint64_t>(text.size()) + std::string(text);
}

template <class Enum>
std::string stored_type(Enum type) {
    return store_little(static_cast<std::uint32_t>(type));
}

std::string stored_value(const GgufValue& value) {
    if (value.type == GgufType::string) return stored_text(value.bytes);
    if (value.type == GgufType::array) {
        return stored_type(value.element) + store_little(value.count) + value.bytes;
    }
    return value.bytes;
}

// The alignment that the keys state; the reader judges it afterwards.
std::uint64_t stated_alignment(std::span<const GgufKey> keys) {
    for (const GgufKey& key : keys) {
        if (key.name != "general.alignment") continue;
        const auto alignment = as_integer(key.value);
        if (alignment && *alignment > 0) return static_cast<std::uint64_t>(*alignment);
    }
    return formats::default_gguf_alignment;
}

Result<std::string> stored_tensor(const TensorData& tensor, std::uint64_t offset) {
    const GgmlType* type =
        tensor.dtype == Dtype::ggml_block ? formats::ggml_type(tensor.ggml_type) : ggml_type_of(tensor.dtype);
    if (type == nullptr) {
        return unsupported(std::string(place), fmt::format("tensor '{}': ggml has no type for {}",
                                                           printable(tensor.name), name_of(tensor.dtype)));
    }
    std::string out =
        stored_text(tensor.name) + store_little(static_cast<std::uint32_t>(tensor.shape.size()));
    for (auto size = tensor.shape.rbegin(); size != tensor.shape.rend(); ++size) out += store_little(*size);
    return out + stored_type(type->id) + store_little(offset);
}

// What the reader makes of the head must be what was asked for: sizes, and no bytes taken for others.
Status check_head(const std::string& header, std::uint64_t data_bytes, std::span<const GgufKey> keys,
                  std::span<const TensorData> tensors) {
    PLIMSOLL_ASSIGN(file, formats::parse_gguf(as_bytes(header), header.size() + data_bytes, place));
    const bool same_keys = std::equal(keys.begin(), keys.end(), file.keys.begin(), file.keys.end());
    if (!same_keys) return bad_input(std::string(place), "a value's bytes do not fit its type");
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const TensorInfo& info = file.table.tensors[i];
        if (info.name == tensors[i].name && info.bytes == tensors[i].bytes.size()) continue;
        return bad_input(std::string(place), fmt::format("tensor '{}': its shape and type need {} bytes",
                                                         printable(info.name), info.bytes));
    }
    return {};
}

template <class T>
GgufValue scalar_value(GgufType type, T value) {
    return {.type = type, .bytes = store_little(value)};
}

}  // namespace

GgufValue gguf_u32(std::uint32_t value) { return scalar_value(GgufType::u32, value); }
GgufValue gguf_u64(std::uint64_t value) { return scalar_value(GgufType::u64, value); }
GgufValue gguf_f32(float value) { return scalar_value(GgufType::f32, value); }
GgufValue gguf_bool(bool value) { return scalar_value<std::uint8_t>(GgufType::boolean, value ? 1 : 0); }
GgufValue gguf_text(std::string_view value) {
    return {.type = GgufType::string, .bytes = std::string(value)};
}

GgufValue gguf_u32s(std::span<const std::uint32_t> values) {
    return {.type = GgufType::array,
            .element = GgufType::u32,
            .count = values.size(),
            .bytes = std::string(as_text(std::as_bytes(values)))};
}

GgufValue gguf_texts(std::span<const std::string> values) {
    GgufValue array{.type = GgufType::array, .element = GgufType::string, .count = values.size()};
    for (const std::string& text : values) array.bytes += store_little<std::uint64_t>(text.size()) + text;
    return array;
}

const GgmlType* ggml_type_of(Dtype dtype) {
    const auto types = formats::ggml_types();
    const auto found = std::ranges::find(types, dtype, &GgmlType::dtype);
    return dtype == Dtype::ggml_block || found == types.end() ? nullptr : &*found;
}

std::uint64_t gguf_padding(std::uint64_t bytes, std::span<const GgufKey> keys) {
    const std::uint64_t alignment = stated_alignment(keys);
    return (alignment - bytes % alignment) % alignment;
}

Result<std::string> gguf_header(std::span<const GgufKey> keys, std::span<const TensorData> tensors) {
    std::string header = "GGUF" + store_little<std::uint32_t>(3) +
                         store_little<std::uint64_t>(tensors.size()) +
                         store_little<std::uint64_t>(keys.size());
    for (const GgufKey& key : keys) {
        header += stored_text(key.name) + stored_type(key.value.type) + stored_value(key.value);
    }
    std::uint64_t offset = 0;
    for (const TensorData& tensor : tensors) {
        PLIMSOLL_ASSIGN(stored, stored_tensor(tensor, offset));
        header += stored;
        offset += tensor.bytes.size() + gguf_padding(tensor.bytes.size(), keys);
    }
    // An alignment beyond what the reader takes must not become that many zero bytes first.
    PLIMSOLL_RETURN_IF_ERROR(check_head(header, gguf_padding(header.size(), keys) + offset, keys, tensors));
    header.append(gguf_padding(header.size(), keys), '\0');
    return header;
}

Status write_gguf(const std::filesystem::path& path, std::span<const GgufKey> keys,
                  std::span<const TensorData> tensors) {
    PLIMSOLL_ASSIGN(header, gguf_header(keys, tensors));
    const std::string zeros(stated_alignment(keys), '\0');
    std::vector<std::string_view> pieces{header};
    for (const TensorData& tensor : tensors) {
        pieces.push_back(as_text(tensor.bytes));
        pieces.push_back(std::string_view(zeros).substr(0, gguf_padding(tensor.bytes.size(), keys)));
    }
    return atomic_write(path, pieces);
}

}  // namespace plimsoll::testing
