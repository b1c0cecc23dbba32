#include "tests/formats/hostile_files.h"

namespace plimsoll::testing {
namespace {

constexpr std::uint32_t u8_type = 0, u32_type = 4, bool_type = 7, string_type = 8, array_type = 9,
                        u64_type = 10;
constexpr std::uint32_t f32 = 0, q4_0 = 2;

// A file of one key whose value is `value`.
std::string with_key(std::string_view key, std::uint32_t type, const Bytes& value) {
    return gguf_start(0, 1).text(key).u32(type).raw(value.str()).str();
}

Bytes tensor(std::string_view name, const std::vector<std::uint64_t>& sizes, std::uint32_t type,
             std::uint64_t offset) {
    Bytes bytes;
    bytes.text(name).u32(static_cast<std::uint32_t>(sizes.size()));
    for (const std::uint64_t size : sizes) bytes.u64(size);
    return bytes.u32(type).u64(offset);
}

// A file of these tensors, the data aligned to 32.
std::string with_tensors(const std::vector<Bytes>& tensors, std::size_t data_bytes) {
    Bytes file = gguf_start(tensors.size(), 0);
    for (const Bytes& bytes : tensors) file.raw(bytes.str());
    return file.zeros(32, data_bytes).str();
}

// A file with general.alignment and one tensor of 8 floats.
std::string with_alignment(std::uint32_t type, const Bytes& value) {
    return gguf_start(1, 1)
        .text("general.alignment")
        .u32(type)
        .raw(value.str())
        .raw(tensor("t", {8}, f32, 0).str())
        .zeros(64, 64)
        .str();
}

Bytes nested_arrays(int depth) {
    Bytes bytes;
    for (int i = 1; i < depth; ++i) bytes.u32(array_type).u64(1);
    return bytes.u32(u8_type).u64(1).u8(7);
}

std::vector<HostileFile> starts() {
    return {
        {"empty", "", "is empty (0 bytes)"},
        {"three_bytes", "GGU", "is cut short: it ends after 3 bytes (in the magic, at byte 0)"},
        {"wrong_magic", "GGML" + std::string(40, '\0'),
         "is not a GGUF file: it starts with 'GGML', not with 'GGUF'"},
        {"version_0", gguf_start(0, 0, 0).str(), "is GGUF version 0; versions 2 and 3 are read",
         ErrorKind::unsupported},
        {"version_1", gguf_start(0, 0, 1).str(), "is GGUF version 1; versions 2 and 3 are read",
         ErrorKind::unsupported},
        {"version_4", gguf_start(0, 0, 4).str(), "is GGUF version 4; versions 2 and 3 are read",
         ErrorKind::unsupported},
        {"big_endian", gguf_start(0, 0, 0x03000000).str(), "is a big-endian GGUF file",
         ErrorKind::unsupported},
        {"keys_2_to_63", gguf_start(0, 1ULL << 63).str(),
         "states 9223372036854775808 keys; the limit is 65536"},
        {"tensors_2_to_63", gguf_start(1ULL << 63, 0).str(),
         "states 9223372036854775808 tensors; the limit is 1000000"},
        {"more_keys_than_bytes", gguf_start(0, 1000).str(), "states 1000 keys, but only 0 bytes follow"},
        {"more_tensors_than_bytes", gguf_start(1000, 0).zeros(1, 99).str(),
         "states 1000 tensors, but only 99 bytes follow"},
    };
}

std::vector<HostileFile> keys() {
    const std::string long_key(65'536, 'k');
    return {
        {"empty_key", with_key("", u32_type, Bytes().u32(1).u32(1)), "a key is empty"},
        {"key_of_65536", with_key(long_key, u32_type, Bytes().u32(1)),
         "is 65536 bytes long; the limit is 65535"},
        {"key_length_2_to_63", gguf_start(0, 1).u64(1ULL << 63).zeros(1, 20).str(),
         "is cut short: it ends after 52 bytes (in a key, at byte 32)"},
        {"key_not_utf8", with_key("a\xff", u32_type, Bytes().u32(1)), "a key 'a\\xff' is not UTF-8"},
        {"key_twice", gguf_start(0, 2).text("k").u32(u32_type).u32(1).text("k").u32(u32_type).u32(2).str(),
         "key 'k' is given twice"},
        {"value_type_13", with_key("k", 13, Bytes().u32(1)), "key 'k' has value type 13; types are 0 to 12"},
        {"value_type_2_to_32", with_key("k", ~0U, Bytes().u32(1)), "key 'k' has value type 4294967295"},
        {"value_cut", with_key("kk", u64_type, Bytes().u32(1)),
         "is cut short: it ends after 42 bytes (in a value, at byte 38)"},
        {"boolean_2", with_key("k", bool_type, Bytes().u8(2)),
         "key 'k' has a boolean of 2; 0 and 1 are allowed"},
        {"boolean_in_array", with_key("k", array_type, Bytes().u32(bool_type).u64(2).u8(1).u8(255)),
         "key 'k' has a boolean of 255"},
        {"string_past_end", with_key("k", string_type, Bytes().u64(9).raw("x")),
         "is cut short: it ends after 46 bytes (in a string value, at byte 45)"},
        {"string_2_to_64", with_key("k", string_type, Bytes().u64(~0ULL)),
         "is cut short: it ends after 45 bytes (in a string value, at byte 45)"},
        {"array_2_to_63_in_43_bytes", with_key("a", array_type, Bytes().u32(u8_type).u64(1ULL << 63)),
         "states 9223372036854775808 elements of 'a', but only 0 bytes follow"},
        {"array_of_strings_2_to_61", with_key("a", array_type, Bytes().u32(string_type).u64(1ULL << 61)),
         "states 2305843009213693952 elements of 'a'"},
        {"array_count_times_size_wraps", with_key("a", array_type, Bytes().u32(u64_type).u64(1ULL << 61)),
         "states 2305843009213693952 elements of 'a'"},
        {"array_element_type_13", with_key("a", array_type, Bytes().u32(13).u64(0)),
         "key 'a' has value type 13"},
        {"array_of_many_empty_arrays", with_key("a", array_type, Bytes().u32(array_type).u64(1ULL << 40)),
         "states 1099511627776 elements of 'a'"},
        {"arrays_nested_5", with_key("a", array_type, nested_arrays(5)),
         "key 'a' nests arrays deeper than 4"},
        {"arrays_nested_1000", with_key("a", array_type, nested_arrays(1000)),
         "key 'a' nests arrays deeper than 4"},
        {"array_string_past_end",
         with_key("a", array_type, Bytes().u32(string_type).u64(1).u64(5).raw("abc")),
         "(in an array's string, at byte 57)"},
        {"alignment_0", with_alignment(u32_type, Bytes().u32(0)),
         "general.alignment must be a power of two from 8 to 2097152, is 0"},
        {"alignment_48", with_alignment(u32_type, Bytes().u32(48)),
         "general.alignment must be a power of two from 8 to 2097152, is 48"},
        {"alignment_4", with_alignment(u32_type, Bytes().u32(4)),
         "general.alignment must be a power of two from 8 to 2097152, is 4"},
        {"alignment_2_to_31", with_alignment(u32_type, Bytes().u32(1U << 31)),
         "general.alignment must be a power of two from 8 to 2097152, is 2147483648"},
        {"alignment_u64", with_alignment(u64_type, Bytes().u64(32)),
         "general.alignment must be a u32, is u64"},
        {"alignment_string", with_alignment(string_type, Bytes().text("32")),
         "general.alignment must be a u32, is string"},
    };
}

std::vector<HostileFile> tensors() {
    const std::uint64_t half = 1ULL << 32;
    return {
        {"five_dimensions", with_tensors({tensor("t", {1, 1, 1, 1, 1}, f32, 0)}, 4),
         "tensor 't' has 5 dimensions; the limit is 4"},
        {"dimensions_2_to_32", gguf_start(1, 0).text("t").u32(~0U).zeros(1, 64).str(),
         "tensor 't' has 4294967295 dimensions; the limit is 4"},
        {"product_wraps", with_tensors({tensor("t", {half, half}, f32, 0)}, 0),
         "tensor 't' has more elements than 64 bits count"},
        {"product_wraps_to_1", with_tensors({tensor("t", {3, 12297829382473034411ULL}, f32, 0)}, 4),
         "tensor 't' has more elements than 64 bits count"},
        {"bytes_wrap", with_tensors({tensor("t", {1ULL << 62}, f32, 0)}, 0),
         "tensor 't' has more bytes than 64 bits count"},
        {"zero_dimension", with_tensors({tensor("t", {4, 0}, f32, 0)}, 4), "tensor 't' has a dimension of 0"},
        {"unknown_type", with_tensors({tensor("t", {1}, 4, 0)}, 4),
         "tensor 't' has ggml type 4, which is not known", ErrorKind::unsupported},
        {"type_2_to_32", with_tensors({tensor("t", {1}, ~0U, 0)}, 4), "tensor 't' has ggml type 4294967295",
         ErrorKind::unsupported},
        {"row_not_in_blocks", with_tensors({tensor("t", {48, 2}, q4_0, 0)}, 54),
         "tensor 't' has rows of 48, which Q4_0 cannot cut into blocks of 32"},
        {"empty_name", with_tensors({tensor("", {1}, f32, 0).u32(0)}, 4), "a tensor's name is empty"},
        {"name_of_65", with_tensors({tensor(std::string(65, 'n'), {1}, f32, 0)}, 4),
         "is 65 bytes long; the limit is 64"},
        {"name_not_utf8", with_tensors({tensor("\xc3", {1}, f32, 0)}, 4),
         "a tensor's name '\\xc3' is not UTF-8"},
        {"name_twice", with_tensors({tensor("t", {8}, f32, 0), tensor("t", {8}, f32, 32)}, 64),
         "tensor 't' is given twice"},
        {"offset_not_aligned", with_tensors({tensor("t", {1}, f32, 4)}, 8),
         "tensor 't' has offset 4, no multiple of the alignment 32"},
        {"offset_past_end", with_tensors({tensor("t", {1}, f32, 64)}, 32),
         "tensor 't' ends at byte 132, the file has 96"},
        {"offset_wraps", with_tensors({tensor("t", {8}, f32, ~0ULL - 31)}, 32),
         "tensor 't' ends past 64 bits"},
        {"overlap", with_tensors({tensor("a", {16}, f32, 0), tensor("b", {8}, f32, 32)}, 64),
         "tensor 'b' overlaps the one before it"},
        {"same_place", with_tensors({tensor("a", {8}, f32, 0), tensor("b", {8}, f32, 0)}, 32),
         "overlaps the one before it"},
        {"data_cut", with_tensors({tensor("t", {8}, f32, 0)}, 31),
         "tensor 't' ends at byte 96, the file has 95"},
        {"no_data", gguf_start(1, 0).raw(tensor("t", {8}, f32, 0).str()).str(),
         "tensor 't' ends at byte 96, the file has 57"},
    };
}

}  // namespace

std::vector<HostileFile> hostile_ggufs() {
    std::vector<HostileFile> all = starts();
    for (auto& file : keys()) all.push_back(std::move(file));
    for (auto& file : tensors()) all.push_back(std::move(file));
    return all;
}

std::vector<ValidFile> valid_ggufs() {
    const Bytes words = Bytes().u32(string_type).u64(2).text("a").text("\xff");
    Bytes all = gguf_start(2, 6);
    all.text("general.architecture").u32(string_type).text("llama");
    all.text("llama.block_count").u32(u32_type).u32(2);
    all.text("llama.context_length").u32(u64_type).u64(4096);
    all.text("general.quantized").u32(bool_type).u8(1);
    all.text("tokenizer.ggml.tokens").u32(array_type).raw(words.str());
    all.text("nested").u32(array_type).raw(nested_arrays(4).str());
    all.raw(tensor("b", {32, 2}, q4_0, 64).str()).raw(tensor("a", {4, 2}, f32, 0).str()).zeros(32, 128);
    return {
        {"nothing", gguf_start(0, 0).str()},
        {"version_2", gguf_start(0, 0, 2).str()},
        {"keys_and_tensors", all.str()},
        {"scalar", with_tensors({tensor("t", {}, f32, 0)}, 4)},
        {"aligned_64", with_alignment(u32_type, Bytes().u32(64))},
        {"part_2_of_3", gguf_start(0, 2)
                            .text("split.no")
                            .u32(2)
                            .raw(std::string("\1\0", 2))
                            .text("split.count")
                            .u32(2)
                            .raw(std::string("\3\0", 2))
                            .str()},
        {"trailing", with_tensors({tensor("t", {8}, f32, 0)}, 64)},
    };
}

}  // namespace plimsoll::testing
