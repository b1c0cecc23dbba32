#include "plimsoll/formats/dtype.h"

#include <algorithm>
#include <array>

#include "plimsoll/base/check.h"

namespace plimsoll::formats {
namespace {

struct Facts {
    Dtype dtype;
    std::string_view name;
    int bits;
    bool decodable;
};

// In the order of the enumeration.
constexpr std::array facts{
    Facts{Dtype::boolean, "BOOL", 8, false},
    Facts{Dtype::f4, "F4", 4, false},
    Facts{Dtype::f6_e2m3, "F6_E2M3", 6, false},
    Facts{Dtype::f6_e3m2, "F6_E3M2", 6, false},
    Facts{Dtype::u8, "U8", 8, false},
    Facts{Dtype::i8, "I8", 8, false},
    Facts{Dtype::f8_e5m2, "F8_E5M2", 8, true},
    Facts{Dtype::f8_e4m3, "F8_E4M3", 8, true},
    Facts{Dtype::f8_e8m0, "F8_E8M0", 8, false},
    Facts{Dtype::f8_e4m3fnuz, "F8_E4M3FNUZ", 8, true},
    Facts{Dtype::f8_e5m2fnuz, "F8_E5M2FNUZ", 8, true},
    Facts{Dtype::i16, "I16", 16, false},
    Facts{Dtype::u16, "U16", 16, false},
    Facts{Dtype::f16, "F16", 16, true},
    Facts{Dtype::bf16, "BF16", 16, true},
    Facts{Dtype::i32, "I32", 32, false},
    Facts{Dtype::u32, "U32", 32, false},
    Facts{Dtype::f32, "F32", 32, true},
    Facts{Dtype::c64, "C64", 64, false},
    Facts{Dtype::f64, "F64", 64, true},
    Facts{Dtype::i64, "I64", 64, false},
    Facts{Dtype::u64, "U64", 64, false},
    Facts{Dtype::ggml_block, "GGML", 0, false},
};

const Facts& facts_of(Dtype dtype) {
    const auto index = static_cast<std::size_t>(dtype);
    PLIMSOLL_CHECK(index < facts.size() && facts[index].dtype == dtype, "a dtype without facts");
    return facts[index];
}

}  // namespace

std::string_view name_of(Dtype dtype) { return facts_of(dtype).name; }

std::optional<Dtype> dtype_from_name(std::string_view name) {
    const auto found =
        std::find_if(facts.begin(), facts.end(), [name](const Facts& f) { return f.name == name; });
    if (found == facts.end() || found->dtype == Dtype::ggml_block) return std::nullopt;
    return found->dtype;
}

int bits_of(Dtype dtype) { return facts_of(dtype).bits; }

bool is_decodable(Dtype dtype) { return facts_of(dtype).decodable; }

}  // namespace plimsoll::formats
