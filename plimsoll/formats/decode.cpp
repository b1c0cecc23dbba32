#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "plimsoll/base/format.h"
#include "plimsoll/formats/dtype.h"

namespace plimsoll::formats {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are copied as they lie in the file");

using Decoder = void (*)(const std::byte*, std::span<float>);
using ByteTable = std::array<float, 256>;

template <class Element, float (*to_float)(Element)>
void decode_each(const std::byte* bytes, std::span<float> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        Element element;
        std::memcpy(&element, bytes + i * sizeof element, sizeof element);
        out[i] = to_float(element);
    }
}

float from_double(double value) { return static_cast<float>(value); }

void copy_floats(const std::byte* bytes, std::span<float> out) {
    if (!out.empty()) std::memcpy(out.data(), bytes, out.size_bytes());
}

float from_bf16(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

// Exponent and fraction move into a float's fields; the product with 2^112 is exact, mends the bias and turns
// subnormal halves into normal floats. Infinities and NaNs only need the exponent filled up.
float from_f16(std::uint16_t bits) {
    const std::uint32_t magnitude = (bits & 0x7fffU) << 13;
    auto result = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112F);
    if (magnitude >= 0x0f800000U) result |= 0x7f800000U;
    return std::bit_cast<float>(result | (bits & 0x8000U) << 16);
}

// A byte as sign, exponent and fraction, without infinities.
float finite_byte(unsigned byte, unsigned fraction_bits, int bias) {
    const unsigned fraction = byte & ((1U << fraction_bits) - 1);
    const int exponent = static_cast<int>((byte & 0x7fU) >> fraction_bits);
    const unsigned significand = exponent == 0 ? fraction : fraction | 1U << fraction_bits;
    const int scale = std::max(exponent, 1) - bias - static_cast<int>(fraction_bits);
    const float magnitude = std::ldexp(static_cast<float>(significand), scale);
    return (byte & 0x80U) != 0 ? -magnitude : magnitude;
}

template <class Value>
ByteTable table_of(Value value) {
    ByteTable table{};
    for (unsigned byte = 0; byte < table.size(); ++byte) table[byte] = value(byte);
    return table;
}

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

// Open Compute Project, 8-bit floating point: all exponents are numbers, only s.1111.111 is NaN.
const ByteTable& e4m3_table() {
    static const ByteTable table =
        table_of([](unsigned byte) { return (byte & 0x7fU) == 0x7fU ? nan : finite_byte(byte, 3, 7); });
    return table;
}

// Half precision with the lower byte cut off.
const ByteTable& e5m2_table() {
    static const ByteTable table =
        table_of([](unsigned byte) { return from_f16(static_cast<std::uint16_t>(byte << 8)); });
    return table;
}

// "FNUZ": finite, unsigned zero; the pattern of minus zero is the one NaN, the bias is one larger.
const ByteTable& e4m3fnuz_table() {
    static const ByteTable table =
        table_of([](unsigned byte) { return byte == 0x80U ? nan : finite_byte(byte, 3, 8); });
    return table;
}

const ByteTable& e5m2fnuz_table() {
    static const ByteTable table =
        table_of([](unsigned byte) { return byte == 0x80U ? nan : finite_byte(byte, 2, 16); });
    return table;
}

// Powers of two: the scales of OCP's microscaling formats.
const ByteTable& e8m0_table() {
    static const ByteTable table = table_of(
        [](unsigned byte) { return byte == 0xffU ? nan : std::ldexp(1.0F, static_cast<int>(byte) - 127); });
    return table;
}

template <const ByteTable& (*table)()>
void decode_bytes(const std::byte* bytes, std::span<float> out) {
    const ByteTable& values = table();
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = values[std::to_integer<std::uint8_t>(bytes[i])];
}

struct Known {
    Dtype dtype;
    std::size_t size;
    Decoder decoder;
};

constexpr std::array known_kinds{
    Known{Dtype::f64, 8, decode_each<double, from_double>},
    Known{Dtype::f32, 4, copy_floats},
    Known{Dtype::f16, 2, decode_each<std::uint16_t, from_f16>},
    Known{Dtype::bf16, 2, decode_each<std::uint16_t, from_bf16>},
    Known{Dtype::f8_e4m3, 1, decode_bytes<e4m3_table>},
    Known{Dtype::f8_e5m2, 1, decode_bytes<e5m2_table>},
    Known{Dtype::f8_e4m3fnuz, 1, decode_bytes<e4m3fnuz_table>},
    Known{Dtype::f8_e5m2fnuz, 1, decode_bytes<e5m2fnuz_table>},
    Known{Dtype::f8_e8m0, 1, decode_bytes<e8m0_table>},
};

}  // namespace

Status decode(Dtype dtype, std::span<const std::byte> bytes, std::span<float> out) {
    for (const Known& kind : known_kinds) {
        if (kind.dtype != dtype) continue;
        if (bytes.size() / kind.size != out.size() || bytes.size() % kind.size != 0) {
            return bad_input("decode", fmt::format("{} bytes of {} are not {} elements", bytes.size(),
                                                   name_of(dtype), out.size()));
        }
        kind.decoder(bytes.data(), out);
        return {};
    }
    return unsupported("decode", fmt::format("{} has no floats in it", name_of(dtype)));
}

}  // namespace plimsoll::formats
