#include "tests/formats/hostile_files.h"

namespace plimsoll::testing {

Bytes& Bytes::raw(std::string_view text) {
    bytes_ += text;
    return *this;
}

Bytes& Bytes::zeros(std::size_t multiple, std::size_t count) {
    bytes_.resize((bytes_.size() + multiple - 1) / multiple * multiple + count, '\0');
    return *this;
}

Bytes& Bytes::add(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 0xFFU);
    return *this;
}

Bytes gguf_start(std::uint64_t tensors, std::uint64_t keys, std::uint32_t version) {
    return Bytes().raw("GGUF").u32(version).u64(tensors).u64(keys);
}

std::string safetensors_file(std::string_view header, std::size_t data_bytes) {
    return Bytes().text(header).zeros(1, data_bytes).str();
}

}  // namespace plimsoll::testing
