#include "plimsoll/formats/gguf/ggml_types.h"

#include <algorithm>
#include <array>

namespace plimsoll::formats {
namespace {

constexpr Dtype block = Dtype::ggml_block;

// Sizes as in the structs of ggml: scales, then packed quants. 31-33 and 36-38 are rearrangements of Q4_0 and
// IQ4_NL for one processor each, which ggml no longer writes; 4 and 5 never appeared in a GGUF.
constexpr std::array types{
    GgmlType{0, "F32", 1, 4, Dtype::f32},      GgmlType{1, "F16", 1, 2, Dtype::f16},
    GgmlType{2, "Q4_0", 32, 18, block},        GgmlType{3, "Q4_1", 32, 20, block},
    GgmlType{6, "Q5_0", 32, 22, block},        GgmlType{7, "Q5_1", 32, 24, block},
    GgmlType{8, "Q8_0", 32, 34, block},        GgmlType{9, "Q8_1", 32, 36, block},
    GgmlType{10, "Q2_K", 256, 84, block},      GgmlType{11, "Q3_K", 256, 110, block},
    GgmlType{12, "Q4_K", 256, 144, block},     GgmlType{13, "Q5_K", 256, 176, block},
    GgmlType{14, "Q6_K", 256, 210, block},     GgmlType{15, "Q8_K", 256, 292, block},
    GgmlType{16, "IQ2_XXS", 256, 66, block},   GgmlType{17, "IQ2_XS", 256, 74, block},
    GgmlType{18, "IQ3_XXS", 256, 98, block},   GgmlType{19, "IQ1_S", 256, 50, block},
    GgmlType{20, "IQ4_NL", 32, 18, block},     GgmlType{21, "IQ3_S", 256, 110, block},
    GgmlType{22, "IQ2_S", 256, 82, block},     GgmlType{23, "IQ4_XS", 256, 136, block},
    GgmlType{24, "I8", 1, 1, Dtype::i8},       GgmlType{25, "I16", 1, 2, Dtype::i16},
    GgmlType{26, "I32", 1, 4, Dtype::i32},     GgmlType{27, "I64", 1, 8, Dtype::i64},
    GgmlType{28, "F64", 1, 8, Dtype::f64},     GgmlType{29, "IQ1_M", 256, 56, block},
    GgmlType{30, "BF16", 1, 2, Dtype::bf16},   GgmlType{31, "Q4_0_4_4", 32, 18, block},
    GgmlType{32, "Q4_0_4_8", 32, 18, block},   GgmlType{33, "Q4_0_8_8", 32, 18, block},
    GgmlType{34, "TQ1_0", 256, 54, block},     GgmlType{35, "TQ2_0", 256, 66, block},
    GgmlType{36, "IQ4_NL_4_4", 32, 18, block}, GgmlType{37, "IQ4_NL_4_8", 32, 18, block},
    GgmlType{38, "IQ4_NL_8_8", 32, 18, block}, GgmlType{39, "MXFP4", 32, 17, block},
    GgmlType{40, "NVFP4", 64, 36, block},      GgmlType{41, "Q1_0", 128, 18, block},
};

}  // namespace

std::span<const GgmlType> ggml_types() { return types; }

const GgmlType* ggml_type(std::uint32_t id) {
    const auto* found = std::ranges::find(types, id, &GgmlType::id);
    return found == types.end() ? nullptr : found;
}

}  // namespace plimsoll::formats
