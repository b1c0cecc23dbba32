#include "tests/formats/hostile_files.h"

namespace plimsoll::testing {
namespace {

// A header with the one tensor "t".
std::string one(std::string_view dtype, std::string_view shape, std::string_view offsets) {
    return "{\"t\":{\"dtype\":\"" + std::string(dtype) + "\",\"shape\":" + std::string(shape) +
           ",\"data_offsets\":" + std::string(offsets) + "}}";
}

std::string two(std::string_view offsets_of_a, std::string_view offsets_of_b) {
    return "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":" + std::string(offsets_of_a) +
           "},\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":" + std::string(offsets_of_b) + "}}";
}

// The frame: length, size and the ends of the header.
std::vector<HostileFile> frames() {
    const std::string good = one("F32", "[2]", "[0,8]");
    return {
        {"empty", "", "is empty (0 bytes)"},
        {"seven_bytes", std::string(7, '\0'),
         "is 7 bytes long; a safetensors file starts with the 8-byte length"},
        {"header_above_limit", Bytes().u64(100'000'001).zeros(1, 64).str(),
         "its header would be 100000001 bytes long (limit 100000000)"},
        {"header_2_to_64", Bytes().u64(~0ULL).zeros(1, 64).str(),
         "its header would be 18446744073709551615 bytes"},
        {"header_past_end", Bytes().u64(100).raw("{}").str(),
         "is cut short: the header needs 108 bytes, the file has 10"},
        {"empty_header", Bytes().u64(0).str(), "does not start with '{'"},
        {"space_first", safetensors_file(" " + good, 8), "does not start with '{'"},
        {"array_header", safetensors_file("[]", 0), "does not start with '{'"},
        {"padded_with_newline", safetensors_file(good + "\n", 8), "must end in '}' and spaces"},
        {"padded_with_zeros", safetensors_file(good + std::string(3, '\0'), 8), "must end in '}' and spaces"},
        {"second_object", safetensors_file(good + "{}", 8), "not valid JSON"},
        {"not_json", safetensors_file("{\"t\":}", 0), "not valid JSON"},
        {"not_utf8", safetensors_file("{\"\xff\":{}}", 0), "not valid JSON"},
        {"deep", safetensors_file("{\"t\":" + std::string(100, '[') + std::string(100, ']') + "}", 0),
         "must be an object"},
        {"data_too_short", safetensors_file(good, 7),
         "the tensors end at byte 8 of the data, the file has 7"},
        {"data_too_long", safetensors_file(good, 9), "the tensors end at byte 8 of the data, the file has 9"},
        {"data_without_tensors", safetensors_file("{}", 1),
         "the tensors end at byte 0 of the data, the file has 1"},
    };
}

// What stands in the JSON.
std::vector<HostileFile> members() {
    const std::string t = "\"t\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}";
    return {
        {"duplicate_tensor", safetensors_file("{" + t + "," + t + "}", 1), "tensor 't' is given twice"},
        {"duplicate_field", safetensors_file("{\"t\":{\"dtype\":\"U8\",\"dtype\":\"F32\"}}", 0),
         "tensor 't': dtype is given twice"},
        {"unknown_field", safetensors_file("{\"t\":{\"dtype\":\"U8\",\"strides\":[1]}}", 0),
         "tensor 't': unknown key 'strides'"},
        {"escape_in_name", safetensors_file("{\"\\u001b[2J\":1}", 0), "tensor '\\x1b[2J': must be an object"},
        {"tensor_is_number", safetensors_file("{\"t\":1}", 0), "tensor 't': must be an object"},
        {"tensor_is_list", safetensors_file("{\"t\":[]}", 0), "tensor 't': must be an object"},
        {"no_dtype", safetensors_file("{\"t\":{\"shape\":[1],\"data_offsets\":[0,1]}}", 1),
         "tensor 't': has no dtype"},
        {"no_shape", safetensors_file("{\"t\":{\"dtype\":\"U8\",\"data_offsets\":[0,1]}}", 1),
         "tensor 't': has no shape"},
        {"no_offsets", safetensors_file("{\"t\":{\"dtype\":\"U8\",\"shape\":[1]}}", 1),
         "tensor 't': has no data_offsets"},
        {"dtype_is_list", safetensors_file("{\"t\":{\"dtype\":[\"U8\"]}}", 0), "dtype must be a string"},
        {"dtype_is_number", safetensors_file("{\"t\":{\"dtype\":8}}", 0), "dtype must be a string"},
        {"shape_is_object", safetensors_file("{\"t\":{\"shape\":{}}}", 0),
         "shape must be a list of whole numbers"},
        {"shape_is_string", safetensors_file("{\"t\":{\"shape\":\"1\"}}", 0),
         "shape must be a list of whole numbers"},
        {"nested_shape", safetensors_file("{\"t\":{\"shape\":[[1]]}}", 0),
         "shape must hold whole numbers only"},
        {"unknown_dtype", safetensors_file(one("F128", "[1]", "[0,16]"), 16),
         "tensor 't': dtype 'F128' is not known", ErrorKind::unsupported},
        {"ggml_dtype", safetensors_file(one("GGML", "[1]", "[0,16]"), 16), "'GGML' is not known",
         ErrorKind::unsupported},
        {"metadata_twice", safetensors_file("{\"__metadata__\":{},\"__metadata__\":{}}", 0),
         "'__metadata__': is given twice"},
        {"metadata_key_twice", safetensors_file("{\"__metadata__\":{\"k\":\"1\",\"k\":\"2\"}}", 0),
         "'__metadata__': key 'k' is given twice"},
        {"metadata_number", safetensors_file("{\"__metadata__\":{\"k\":1}}", 0),
         "'__metadata__': must map strings to strings"},
        {"metadata_object", safetensors_file("{\"__metadata__\":{\"k\":{}}}", 0),
         "'__metadata__': must map strings to strings"},
        {"metadata_list", safetensors_file("{\"__metadata__\":[]}", 0), "'__metadata__': must be an object"},
        {"metadata_string", safetensors_file("{\"__metadata__\":\"x\"}", 0),
         "'__metadata__': must be an object"},
    };
}

// Shapes and offsets.
std::vector<HostileFile> numbers() {
    std::string rank_65 = "[1";
    for (int i = 1; i < 65; ++i) rank_65 += ",1";
    return {
        {"negative_shape", safetensors_file(one("U8", "[-1]", "[0,1]"), 1),
         "shape must hold whole numbers of at least 0"},
        {"real_shape", safetensors_file(one("U8", "[1.0]", "[0,1]"), 1),
         "shape must hold whole numbers of at least 0"},
        {"shape_above_64_bits", safetensors_file(one("U8", "[18446744073709551616]", "[0,1]"), 1),
         "shape must hold whole numbers of at least 0"},
        {"rank_65", safetensors_file(one("U8", rank_65 + "]", "[0,1]"), 1),
         "shape holds more than 64 numbers"},
        {"product_wraps", safetensors_file(one("U8", "[4294967296,4294967296]", "[0,0]"), 0),
         "its shape has more elements than 64 bits count"},
        {"product_wraps_to_size", safetensors_file(one("U8", "[3,12297829382473034411]", "[0,1]"), 1),
         "its shape has more elements than 64 bits count"},
        {"bits_wrap", safetensors_file(one("F64", "[288230376151711744]", "[0,0]"), 0),
         "its elements have more bits than 64 bits count"},
        {"half_a_byte", safetensors_file(one("F4", "[3]", "[0,1]"), 1),
         "its 12 bits do not fill whole bytes"},
        {"size_differs", safetensors_file(one("F32", "[2]", "[0,4]"), 4),
         "its shape and dtype need 8 bytes, its data_offsets hold 4"},
        {"one_offset", safetensors_file(one("U8", "[1]", "[0]"), 1),
         "data_offsets must hold 2 numbers, holds 1"},
        {"three_offsets", safetensors_file(one("U8", "[1]", "[0,1,2]"), 1),
         "data_offsets must hold 2 numbers, holds 3"},
        {"negative_offset", safetensors_file(one("U8", "[1]", "[-1,0]"), 1),
         "data_offsets must hold whole numbers of at least 0"},
        {"end_before_start", safetensors_file(two("[0,4]", "[4,2]"), 4),
         "tensor 'b': ends at 2, before its start 4"},
        {"hole_at_start", safetensors_file(one("U8", "[4]", "[4,8]"), 8),
         "tensor 't': starts at 4, the data before it end at 0 (hole)"},
        {"hole", safetensors_file(two("[0,4]", "[5,9]"), 9),
         "tensor 'b': starts at 5, the data before it end at 4 (hole)"},
        {"overlap", safetensors_file(two("[0,4]", "[2,6]"), 6),
         "tensor 'b': starts at 2, the data before it end at 4 (overlap)"},
        {"same_place", safetensors_file(two("[0,4]", "[0,4]"), 4),
         "tensor 'b': starts at 0, the data before it end at 4 (overlap)"},
        {"offsets_past_end", safetensors_file(one("U8", "[1000]", "[0,1000]"), 8),
         "the tensors end at byte 1000 of the data, the file has 8"},
        {"offsets_near_2_to_64",
         safetensors_file(one("U8", "[18446744073709551615]", "[0,18446744073709551615]"), 8),
         "64 bits count"},
    };
}

}  // namespace

std::vector<HostileFile> hostile_safetensors() {
    std::vector<HostileFile> all = frames();
    for (auto& file : members()) all.push_back(std::move(file));
    for (auto& file : numbers()) all.push_back(std::move(file));
    return all;
}

std::vector<ValidFile> valid_safetensors() {
    return {
        {"no_tensors", safetensors_file("{}", 0)},
        {"only_metadata", safetensors_file("{\"__metadata__\":{\"format\":\"pt\"}}", 0)},
        {"two", safetensors_file(two("[0,4]", "[4,8]"), 8)},
        {"two_backwards", safetensors_file(two("[4,8]", "[0,4]") + "      ", 8)},
        {"scalar", safetensors_file(one("F32", "[]", "[0,4]"), 4)},
        {"empty_tensor", safetensors_file(one("F32", "[3,0]", "[0,0]"), 0)},
        {"two_fours", safetensors_file(one("F4", "[2]", "[0,1]"), 1)},
    };
}

}  // namespace plimsoll::testing
