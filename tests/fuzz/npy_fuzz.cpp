// Any bytes are an array or an error; an array's elements are all inside the file.
#include <cstdint>

#include "plimsoll/base/check.h"
#include "plimsoll/data/arrays/npy.h"
#include "plimsoll/data/tables/array_table.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plimsoll::data;
    const LoadedFile file{"input", std::vector<std::uint8_t>(data, data + size)};
    const auto array = parse_npy(file);
    if (!array.ok()) return 0;
    PLIMSOLL_CHECK(array->elements.size() <= size, "no more elements than bytes");
    for (std::uint64_t i = 0; i < array->count(); ++i)
        if (const auto whole = whole_at(*array, i))
            PLIMSOLL_CHECK(real_at(*array, i) == static_cast<double>(*whole), "one number in both ways");
    const auto tokens = tokens_from(*array, 0);
    if (tokens.ok()) PLIMSOLL_CHECK(tokens->count() == array->count(), "an id for each element");
    const auto table = table_from(*array, {});
    if (table.ok()) PLIMSOLL_CHECK(table->rows <= array->shape[0], "no more rows than there are");
    return 0;
}
