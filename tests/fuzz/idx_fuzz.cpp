// Any bytes are an IDX file or an error; what is read lies in the file and takes all of it.
#include <cstdint>
#include <numeric>

#include "plimsoll/base/check.h"
#include "plimsoll/data/readers/idx.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plimsoll;
    const data::LoadedFile file{"input", std::vector<std::uint8_t>(data, data + size)};
    const auto header = data::parse_idx(file);
    if (!header.ok()) return 0;
    std::uint64_t elements = 1;
    for (const auto dimension : header->dimensions) elements *= dimension;
    PLIMSOLL_CHECK(header->first + elements == size, "the elements are the rest of the file");
    const auto split = data::make_idx_split(file, nullptr, 10);
    if (split.ok()) {
        const auto last = split->split.pixels(split->split.count() - 1, split->shape);
        PLIMSOLL_CHECK(last.data() + last.size() == file.bytes.view().data() + size,
                       "the last image ends the file");
    }
    (void)data::make_idx_split(file, &file, 10).ok();
    return 0;
}
