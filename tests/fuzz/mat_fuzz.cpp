// Any bytes are a MAT-file or an error; every array that passes our checks is read by matio, at its full
// size.
#include <array>
#include <cstdint>

#include "plimsoll/base/check.h"
#include "plimsoll/data/readers/mat5.h"
#include "plimsoll/data/readers/matio_door.h"
#include "plimsoll/data/readers/svhn.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plimsoll::data;
    constexpr std::array<std::size_t, 10> class_bytes{8, 4, 1, 1, 2, 2, 4, 4, 8, 8};  // from class 6 on
    const LoadedFile file{"input", std::vector<std::uint8_t>(data, data + size)};
    const LoadOptions options{.most_bytes = 1 << 24, .progress = nullptr};
    const auto variables = check_mat5(file, options.most_bytes);
    if (!variables.ok()) return 0;
    for (const auto& variable : *variables) {
        const auto array = read_mat_array(file, variable.name);
        // Two arrays may share a name; matio then gives the first.
        if (!array.ok() || &variable != &variables->front()) continue;
        PLIMSOLL_CHECK(array->bytes == variable.elements * class_bytes.at(variable.array_class - 6U),
                       "all of the array");
    }
    (void)make_svhn_split(file, options).ok();
    return 0;
}
