#include "plimsoll/formats/tensor_table.h"

#include <algorithm>

#include "plimsoll/base/check.h"
#include "plimsoll/formats/gguf/ggml_types.h"

namespace plimsoll::formats {

std::string_view type_name(const TensorInfo& tensor) {
    if (tensor.dtype != Dtype::ggml_block) return name_of(tensor.dtype);
    const GgmlType* type = ggml_type(tensor.ggml_type);
    PLIMSOLL_CHECK(type != nullptr, "a block type without facts");
    return type->name;
}

const TensorInfo* TensorTable::find(std::string_view name) const {
    const auto found = std::ranges::find(tensors, name, &TensorInfo::name);
    return found == tensors.end() ? nullptr : &*found;
}

std::uint64_t TensorTable::elements() const {
    std::uint64_t sum = 0;
    for (const TensorInfo& tensor : tensors) sum += tensor.elements;
    return sum;
}

}  // namespace plimsoll::formats
