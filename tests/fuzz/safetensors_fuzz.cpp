// Any bytes are a safetensors file or an error; what is read can be written and is then read the same.
#include <cstdint>
#include <span>

#include "plimsoll/base/check.h"
#include "plimsoll/formats/byte_text.h"
#include "plimsoll/formats/safetensors/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plimsoll;
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto table = formats::parse_safetensors(bytes, size, "input");
    if (!table.ok()) return 0;
    std::vector<formats::TensorData> tensors;
    for (const auto& tensor : table->tensors) {
        PLIMSOLL_CHECK(tensor.begin <= size && tensor.bytes <= size - tensor.begin,
                       "a tensor outside the file");
        tensors.push_back(
            {tensor.name, tensor.dtype, tensor.shape, bytes.subspan(tensor.begin, tensor.bytes)});
    }
    auto file = formats::safetensors_header(tensors, table->metadata);
    PLIMSOLL_CHECK(file.ok(), "what was read must be writable");
    const std::uint64_t data_bytes = table->tensors.empty() ? 0 : size - table->tensors.front().begin;
    const auto again =
        formats::parse_safetensors(formats::as_bytes(*file), file->size() + data_bytes, "input");
    PLIMSOLL_CHECK(again.ok() && again->metadata == table->metadata, "the metadata must survive");
    PLIMSOLL_CHECK(again->tensors.size() == tensors.size(), "the tensors must survive");
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        PLIMSOLL_CHECK(
            again->tensors[i].name == tensors[i].name && again->tensors[i].shape == tensors[i].shape,
            "every tensor must survive");
    }
    return 0;
}
