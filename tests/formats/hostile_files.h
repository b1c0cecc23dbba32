#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"

// Attacks on the readers, one per check, and small valid files: the tests read them, the fuzzers start from
// them.
namespace plimsoll::testing {

// A file that must be refused, with a part of the sentence that refuses it.
struct HostileFile {
    std::string name;
    std::string bytes;
    std::string sentence;
    ErrorKind kind = ErrorKind::bad_input;
};

struct ValidFile {
    std::string name;
    std::string bytes;
};

std::vector<HostileFile> hostile_safetensors();
std::vector<ValidFile> valid_safetensors();
std::vector<HostileFile> hostile_ggufs();
std::vector<ValidFile> valid_ggufs();
std::vector<HostileFile> hostile_tokenizers();
std::vector<ValidFile> valid_tokenizers();
std::vector<HostileFile> hostile_indexes();
std::vector<ValidFile> valid_indexes();

// A safetensors file of that header text and that many zero bytes of data.
std::string safetensors_file(std::string_view header, std::size_t data_bytes);

// Little-endian bytes, put together by hand and not by our writer.
class Bytes {
  public:
    Bytes& u8(std::uint8_t value) { return add(value, 1); }
    Bytes& u32(std::uint32_t value) { return add(value, 4); }
    Bytes& u64(std::uint64_t value) { return add(value, 8); }
    Bytes& raw(std::string_view text);
    Bytes& text(std::string_view text) { return u64(text.size()).raw(text); }
    // Zero bytes up to a multiple of `multiple`, then `count` more.
    Bytes& zeros(std::size_t multiple, std::size_t count);
    [[nodiscard]] const std::string& str() const { return bytes_; }

  private:
    Bytes& add(std::uint64_t value, int bytes);
    std::string bytes_;
};

// "GGUF", a version and the two counts.
Bytes gguf_start(std::uint64_t tensors, std::uint64_t keys, std::uint32_t version = 3);

}  // namespace plimsoll::testing
