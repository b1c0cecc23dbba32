#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "plimsoll/formats/dtype.h"

namespace plimsoll::formats {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// The slow definition: sign, exponent and fraction as the format's text has them, in doubles and powers of
// two.
double slow_value(unsigned bits, int exponent_bits, int fraction_bits, int bias) {
    const unsigned exponent = bits >> fraction_bits & ((1U << exponent_bits) - 1);
    const unsigned fraction = bits & ((1U << fraction_bits) - 1);
    const double sign = (bits >> (exponent_bits + fraction_bits) & 1U) != 0 ? -1 : 1;
    const double part = fraction / std::pow(2, fraction_bits);
    if (exponent == 0) return sign * part * std::pow(2, 1 - bias);
    return sign * (1 + part) * std::pow(2, static_cast<int>(exponent) - bias);
}

// IEEE: the largest exponent is infinity and NaN.
double slow_ieee(unsigned bits, int exponent_bits, int fraction_bits) {
    const unsigned top = (1U << exponent_bits) - 1;
    if ((bits >> fraction_bits & top) == top) {
        if ((bits & ((1U << fraction_bits) - 1)) != 0) return nan;
        return (bits >> (exponent_bits + fraction_bits) & 1U) != 0 ? -inf : inf;
    }
    return slow_value(bits, exponent_bits, fraction_bits, static_cast<int>(top) / 2);
}

template <class Element>
std::vector<float> decode_all(Dtype dtype, std::size_t count) {
    std::vector<Element> elements(count);
    for (std::size_t i = 0; i < count; ++i) elements[i] = static_cast<Element>(i);
    std::vector<float> out(count);
    EXPECT_TRUE(decode(dtype, std::as_bytes(std::span(elements)), out).ok());
    return out;
}

template <class Slow>
void expect_all(const std::vector<float>& decoded, Slow slow) {
    for (unsigned bits = 0; bits < decoded.size(); ++bits) {
        const double expected = slow(bits);
        const double got = decoded[bits];
        if (std::isnan(expected)) {
            ASSERT_TRUE(std::isnan(got)) << bits;
        } else {
            ASSERT_EQ(got, expected) << bits;
            ASSERT_EQ(std::signbit(got), std::signbit(expected)) << bits;
        }
    }
}

TEST(Decode, EveryF16) {
    expect_all(decode_all<std::uint16_t>(Dtype::f16, 65536), [](unsigned b) { return slow_ieee(b, 5, 10); });
}

TEST(Decode, EveryBf16) {
    expect_all(decode_all<std::uint16_t>(Dtype::bf16, 65536), [](unsigned b) { return slow_ieee(b, 8, 7); });
}

TEST(Decode, EveryE5m2) {
    expect_all(decode_all<std::uint8_t>(Dtype::f8_e5m2, 256), [](unsigned b) { return slow_ieee(b, 5, 2); });
}

TEST(Decode, EveryE4m3HasNoInfinity) {
    const auto decoded = decode_all<std::uint8_t>(Dtype::f8_e4m3, 256);
    expect_all(decoded, [](unsigned b) { return b == 0x7f || b == 0xff ? nan : slow_value(b, 4, 3, 7); });
    EXPECT_EQ(decoded[0x7e], 448);
    EXPECT_EQ(decoded[0x01], 0x1p-9F);
}

TEST(Decode, EveryFnuzByteHasOneNanAndNoMinusZero) {
    const auto e4m3 = decode_all<std::uint8_t>(Dtype::f8_e4m3fnuz, 256);
    expect_all(e4m3, [](unsigned b) { return b == 0x80 ? nan : slow_value(b, 4, 3, 8); });
    EXPECT_EQ(e4m3[0x7f], 240);
    const auto e5m2 = decode_all<std::uint8_t>(Dtype::f8_e5m2fnuz, 256);
    expect_all(e5m2, [](unsigned b) { return b == 0x80 ? nan : slow_value(b, 5, 2, 16); });
    EXPECT_EQ(e5m2[0x7f], 57344);
}

TEST(Decode, EveryE8m0IsAPowerOfTwo) {
    const auto decoded = decode_all<std::uint8_t>(Dtype::f8_e8m0, 256);
    expect_all(decoded,
               [](unsigned b) { return b == 0xff ? nan : std::pow(2.0, static_cast<int>(b) - 127); });
    EXPECT_EQ(decoded[127], 1);
}

// Bytes with known values, so that the order of the bytes is pinned too.
TEST(Decode, BytesAreLittleEndian) {
    const auto one_of = [](Dtype dtype, std::vector<unsigned char> bytes) {
        float value = 0;
        EXPECT_TRUE(decode(dtype, std::as_bytes(std::span(bytes)), {&value, 1}).ok());
        return value;
    };
    EXPECT_EQ(one_of(Dtype::f64, {0, 0, 0, 0, 0, 0, 0xf8, 0xbf}), -1.5F);
    EXPECT_EQ(one_of(Dtype::f32, {0, 0, 0xc0, 0xbf}), -1.5F);
    EXPECT_EQ(one_of(Dtype::f16, {0, 0xbe}), -1.5F);
    EXPECT_EQ(one_of(Dtype::bf16, {0xc0, 0xbf}), -1.5F);
    EXPECT_EQ(one_of(Dtype::f8_e4m3, {0xbc}), -1.5F);
    EXPECT_EQ(one_of(Dtype::f8_e5m2, {0xbe}), -1.5F);
}

TEST(Decode, DoublesThatNoFloatHoldsBecomeInfinite) {
    const double huge = 1e300;
    float value = 0;
    ASSERT_TRUE(decode(Dtype::f64, std::as_bytes(std::span(&huge, 1)), {&value, 1}).ok());
    EXPECT_TRUE(std::isinf(value));
}

TEST(Decode, UnalignedBytesAreFine) {
    std::array<std::byte, 9> bytes{};
    const float pi = 3.14159274F;
    std::memcpy(bytes.data() + 1, &pi, sizeof pi);
    std::memcpy(bytes.data() + 5, &pi, sizeof pi);
    std::array<float, 2> out{};
    ASSERT_TRUE(decode(Dtype::f32, std::span(bytes).subspan(1), out).ok());
    EXPECT_EQ(out[1], pi);
}

TEST(Decode, EveryDecodableDtypeDecodesAndNoOther) {
    const std::array<std::byte, 8> bytes{};
    for (int index = 0; index <= static_cast<int>(Dtype::ggml_block); ++index) {
        const auto dtype = static_cast<Dtype>(index);
        const auto size = static_cast<std::size_t>(bits_of(dtype)) / 8;
        float out = 1;
        const Status status = decode(dtype, std::span(bytes).first(size), {&out, 1});
        EXPECT_EQ(status.ok(), is_decodable(dtype)) << name_of(dtype);
        const float zero = dtype == Dtype::f8_e8m0 ? 0x1p-127F : 0;
        EXPECT_EQ(out, status.ok() ? zero : 1) << name_of(dtype);
    }
}

TEST(Decode, WrongSizesAndDtypesAreErrors) {
    const std::array<std::byte, 5> bytes{};
    std::array<float, 2> out{};
    const Status odd = decode(Dtype::bf16, bytes, out);
    ASSERT_FALSE(odd.ok());
    EXPECT_EQ(odd.error().text(), "decode: 5 bytes of BF16 are not 2 elements");
    const Status block = decode(Dtype::ggml_block, bytes, out);
    ASSERT_FALSE(block.ok());
    EXPECT_EQ(block.error().kind, ErrorKind::unsupported);
    EXPECT_EQ(block.error().text(), "decode: GGML has no floats in it");
}

}  // namespace
}  // namespace plimsoll::formats
