#include "plimsoll/formats/tensor_table.h"

#include <algorithm>

namespace plimsoll::formats {

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
