// Any bytes are CIFAR records or an error; what is read has a label for each image and all bytes are used.
#include <cstdint>

#include "plimsoll/base/check.h"
#include "plimsoll/data/readers/cifar.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plimsoll::data;
    const LoadedFile file{"input", std::vector<std::uint8_t>(data, data + size)};
    for (const Cifar kind : {Cifar::ten, Cifar::hundred}) {
        ImageSplit split;
        if (!add_cifar(file, kind, split).ok()) continue;
        PLIMSOLL_CHECK(split.count() * cifar_record_bytes(kind) == size, "every byte belongs to a record");
        PLIMSOLL_CHECK(split.labels.size() == split.count(), "a label for each image");
        const auto last = split.pixels(split.count() - 1, cifar_shape);
        PLIMSOLL_CHECK(last.data() + last.size() == file.bytes.view().data() + size,
                       "the last image ends the file");
    }
    return 0;
}
