// Any bytes are a GGUF file or an error; what is read can be written and is then read the same.
#include <cstdint>
#include <span>

#include "plimsoll/base/check.h"
#include "plimsoll/formats/byte_text.h"
#include "plimsoll/formats/gguf/gguf.h"
#include "tests/support/gguf_writer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plimsoll;
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto file = formats::parse_gguf(bytes, size, "input");
    if (!file.ok()) return 0;
    static_cast<void>(file->table.metadata.dump());
    for (const auto& key : file->keys) static_cast<void>(formats::as_texts(key.value));
    std::vector<formats::TensorData> tensors;
    for (const auto& tensor : file->table.tensors) {
        PLIMSOLL_CHECK(tensor.begin <= size && tensor.bytes <= size - tensor.begin,
                       "a tensor outside the file");
        tensors.push_back({tensor.name, tensor.dtype, tensor.shape, bytes.subspan(tensor.begin, tensor.bytes),
                           tensor.ggml_type});
    }
    const auto header = testing::gguf_header(file->keys, tensors);
    PLIMSOLL_CHECK(header.ok(), "what was read must be writable");
    return 0;
}
