#include "plimsoll/formats/gguf/gguf_value.h"

#include <algorithm>
#include <array>
#include <limits>

#include "plimsoll/base/check.h"
#include "plimsoll/base/utf8.h"

namespace plimsoll::formats {
namespace {

constexpr std::uint64_t max_json_elements = 1024;
constexpr std::size_t max_json_bytes = 65'536;

struct TypeFacts {
    std::string_view name;
    std::uint64_t size;
};
constexpr std::array<TypeFacts, gguf_type_count> facts{{{"u8", 1},
                                                        {"i8", 1},
                                                        {"u16", 2},
                                                        {"i16", 2},
                                                        {"u32", 4},
                                                        {"i32", 4},
                                                        {"f32", 4},
                                                        {"bool", 1},
                                                        {"string", 0},
                                                        {"array", 0},
                                                        {"u64", 8},
                                                        {"i64", 8},
                                                        {"f64", 8}}};

// A scalar of `type` at the start of `bytes`; null for string and array.
Json scalar_json(GgufType type, std::span<const std::byte> bytes) {
    switch (type) {
        case GgufType::u8:
            return load_little<std::uint8_t>(bytes);
        case GgufType::i8:
            return load_little<std::int8_t>(bytes);
        case GgufType::u16:
            return load_little<std::uint16_t>(bytes);
        case GgufType::i16:
            return load_little<std::int16_t>(bytes);
        case GgufType::u32:
            return load_little<std::uint32_t>(bytes);
        case GgufType::i32:
            return load_little<std::int32_t>(bytes);
        case GgufType::f32:
            return load_little<float>(bytes);
        case GgufType::boolean:
            return load_little<std::uint8_t>(bytes) != 0;
        case GgufType::u64:
            return load_little<std::uint64_t>(bytes);
        case GgufType::i64:
            return load_little<std::int64_t>(bytes);
        case GgufType::f64:
            return load_little<double>(bytes);
        case GgufType::string:
        case GgufType::array:
            return nullptr;
    }
    PLIMSOLL_CHECK(false, "a GGUF type without a reading");
}

std::optional<std::int64_t> integer_in(const Json& value) {
    if (!value.is_number_integer()) return std::nullopt;
    const bool fits =
        !value.is_number_unsigned() ||
        value.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return fits ? std::optional(value.get<std::int64_t>()) : std::nullopt;
}

// Elements of a fixed size, as JSON scalars.
std::vector<Json> scalars(const GgufValue& value) {
    std::vector<Json> out;
    const std::uint64_t size = size_of(value.element);
    for (auto rest = as_bytes(value.bytes); size > 0 && rest.size() >= size; rest = rest.subspan(size)) {
        out.push_back(scalar_json(value.element, rest));
    }
    return out;
}

std::string with_replacements(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        out += length == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return out;
}

Json array_json(const GgufValue& value) {
    const bool large = value.count > max_json_elements || value.bytes.size() > max_json_bytes;
    if (large || value.element == GgufType::array) {
        return {{"type", name_of(value.element)}, {"count", value.count}};
    }
    if (value.element != GgufType::string) return scalars(value);
    Json out = Json::array();
    for (const std::string_view text : as_texts(value)) out.push_back(with_replacements(text));
    return out;
}

}  // namespace

std::string_view name_of(GgufType type) { return facts.at(static_cast<std::size_t>(type)).name; }

std::uint64_t size_of(GgufType type) { return facts.at(static_cast<std::size_t>(type)).size; }

std::optional<std::int64_t> as_integer(const GgufValue& value) {
    return integer_in(scalar_json(value.type, as_bytes(value.bytes)));
}

std::optional<std::string_view> as_text(const GgufValue& value) {
    return value.type == GgufType::string ? std::optional<std::string_view>(value.bytes) : std::nullopt;
}

std::vector<std::string_view> as_texts(const GgufValue& value) {
    std::vector<std::string_view> out;
    if (value.type != GgufType::array || value.element != GgufType::string) return out;
    std::string_view rest = value.bytes;
    while (!rest.empty()) {
        const auto length = load_little<std::uint64_t>(as_bytes(rest));
        PLIMSOLL_CHECK(length <= rest.size() - 8, "an array of strings that was not checked");
        out.push_back(rest.substr(8, length));
        rest.remove_prefix(8 + length);
    }
    return out;
}

Json to_json(const GgufValue& value) {
    if (value.type == GgufType::array) return array_json(value);
    if (value.type != GgufType::string) return scalar_json(value.type, as_bytes(value.bytes));
    if (value.bytes.size() > max_json_bytes) return {{"type", "string"}, {"bytes", value.bytes.size()}};
    return with_replacements(value.bytes);
}

}  // namespace plimsoll::formats
