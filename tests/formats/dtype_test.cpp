#include "plimsoll/formats/dtype.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "plimsoll/formats/gguf/ggml_types.h"
#include "plimsoll/formats/tensor_table.h"
#include "tests/support/gguf_writer.h"

namespace plimsoll::formats {
namespace {

using testing::ggml_type_of;

TEST(Dtype, EveryNameOfSafetensorsIsKnownAndReversible) {
    const std::map<std::string, int> bits{
        {"BOOL", 8},        {"F4", 4},          {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"U8", 8},   {"I8", 8},
        {"F8_E5M2", 8},     {"F8_E4M3", 8},     {"F8_E8M0", 8}, {"I16", 16},    {"U16", 16}, {"F16", 16},
        {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"BF16", 16},   {"I32", 32},    {"U32", 32}, {"F32", 32},
        {"C64", 64},        {"F64", 64},        {"I64", 64},    {"U64", 64}};
    for (const auto& [name, expected] : bits) {
        const auto dtype = dtype_from_name(name);
        ASSERT_TRUE(dtype.has_value()) << name;
        EXPECT_EQ(name_of(*dtype), name);
        EXPECT_EQ(bits_of(*dtype), expected) << name;
    }
    for (const char* name : {"", "f32", "F128", "GGML", "F32 "}) EXPECT_FALSE(dtype_from_name(name)) << name;
}

TEST(GgmlTypes, IdsAscendAndSizesMatchTheElementTypes) {
    for (std::size_t i = 1; i < ggml_types().size(); ++i)
        EXPECT_LT(ggml_types()[i - 1].id, ggml_types()[i].id);
    for (const GgmlType& type : ggml_types()) {
        EXPECT_EQ(ggml_type(type.id), &type);
        if (type.dtype == Dtype::ggml_block) {
            EXPECT_EQ(type.block_elements % 32, 0U) << type.name;
            continue;
        }
        EXPECT_EQ(type.block_elements, 1U);
        EXPECT_EQ(8 * type.block_bytes, static_cast<std::uint64_t>(bits_of(type.dtype)));
        EXPECT_EQ(name_of(type.dtype), type.name);
        EXPECT_EQ(ggml_type_of(type.dtype), &type);
    }
    EXPECT_EQ(ggml_type(4), nullptr);
    EXPECT_EQ(ggml_type_of(Dtype::u8), nullptr);
    EXPECT_EQ(ggml_type_of(Dtype::ggml_block), nullptr);
}

// The bits per weight that llama.cpp prints for its types.
TEST(GgmlTypes, BitsPerWeightAreThePublishedOnes) {
    const std::map<std::string_view, double> published{
        {"Q4_0", 4.5},       {"Q4_1", 5},        {"Q5_0", 5.5},     {"Q5_1", 6},         {"Q8_0", 8.5},
        {"Q2_K", 2.625},     {"Q3_K", 3.4375},   {"Q4_K", 4.5},     {"Q5_K", 5.5},       {"Q6_K", 6.5625},
        {"IQ2_XXS", 2.0625}, {"IQ2_XS", 2.3125}, {"IQ2_S", 2.5625}, {"IQ3_XXS", 3.0625}, {"IQ3_S", 3.4375},
        {"IQ1_S", 1.5625},   {"IQ1_M", 1.75},    {"IQ4_NL", 4.5},   {"IQ4_XS", 4.25},    {"TQ1_0", 1.6875},
        {"TQ2_0", 2.0625},   {"MXFP4", 4.25},    {"NVFP4", 4.5},    {"Q1_0", 1.125}};
    for (const auto& [name, bits] : published) {
        const auto found = std::ranges::find(ggml_types(), name, &GgmlType::name);
        ASSERT_NE(found, ggml_types().end()) << name;
        EXPECT_EQ(8.0 * static_cast<double>(found->block_bytes) / static_cast<double>(found->block_elements),
                  bits)
            << name;
    }
}

TEST(TensorTable, ATypeIsNamedAsTheFileNamesIt) {
    EXPECT_EQ(type_name({.dtype = Dtype::bf16}), "BF16");
    EXPECT_EQ(type_name({.dtype = Dtype::ggml_block, .ggml_type = 12}), "Q4_K");
}

}  // namespace
}  // namespace plimsoll::formats
