#include "plimsoll/formats/dtype.h"

#include <algorithm>
#include <array>

#include "plimsoll/base/check.h"

namespace plimsoll::formats {
namespace {

struct DtypeFacts {
    Dtype dtype;
    std::string_view name;
    int bits;
    bool decodable;
};

constexpr std::array dtypes{
    DtypeFacts{Dtype::boolean, "BOOL", 8, false},
    DtypeFacts{Dtype::f4, "F4", 4, false},
    DtypeFacts{Dtype::f6_e2m3, "F6_E2M3", 6, false},
    DtypeFacts{Dtype::f6_e3m2, "F6_E3M2", 6, false},
    DtypeFacts{Dtype::u8, "U8", 8, false},
    DtypeFacts{Dtype::i8, "I8", 8, false},
    DtypeFacts{Dtype::f8_e5m2, "F8_E5M2", 8, true},
    DtypeFacts{Dtype::f8_e4m3, "F8_E4M3", 8, true},
    DtypeFacts{Dtype::f8_e8m0, "F8_E8M0", 8, true},
    DtypeFacts{Dtype::f8_e4m3fnuz, "F8_E4M3FNUZ", 8, true},
    DtypeFacts{Dtype::f8_e5m2fnuz, "F8_E5M2FNUZ", 8, true},
    DtypeFacts{Dtype::i16, "I16", 16, false},
    DtypeFacts{Dtype::u16, "U16", 16, false},
    DtypeFacts{Dtype::f16, "F16", 16, true},
    DtypeFacts{Dtype::bf16, "BF16", 16, true},
    DtypeFacts{Dtype::i32, "I32", 32, false},
    DtypeFacts{Dtype::u32, "U32", 32, false},
    DtypeFacts{Dtype::f32, "F32", 32, true},
    DtypeFacts{Dtype::c64, "C64", 64, false},
    DtypeFacts{Dtype::f64, "F64", 64, true},
    DtypeFacts{Dtype::i64, "I64", 64, false},
    DtypeFacts{Dtype::u64, "U64", 64, false},
    DtypeFacts{Dtype::ggml_block, "GGML", 0, false},
};

const DtypeFacts& facts_of(Dtype dtype) {
    const auto* found = std::ranges::find(dtypes, dtype, &DtypeFacts::dtype);
    PLIMSOLL_CHECK(found != dtypes.end(), "a dtype without facts");
    return *found;
}

}  // namespace

std::string_view name_of(Dtype dtype) { return facts_of(dtype).name; }

std::optional<Dtype> dtype_from_name(std::string_view name) {
    const auto* found = std::ranges::find(dtypes, name, &DtypeFacts::name);
    if (found == dtypes.end() || found->dtype == Dtype::ggml_block) return std::nullopt;
    return found->dtype;
}

int bits_of(Dtype dtype) { return facts_of(dtype).bits; }

bool is_decodable(Dtype dtype) { return facts_of(dtype).decodable; }

}  // namespace plimsoll::formats
