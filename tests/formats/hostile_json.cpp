#include "tests/formats/hostile_files.h"

namespace plimsoll::testing {
namespace {

// A BPE of the vocabulary a b ab abb with these merges and added tokens.
std::string bpe(std::string_view merges, std::string_view added = "[]") {
    return R"({"version":"1.0","added_tokens":)" + std::string(added) +
           R"(,"normalizer":null,"pre_tokenizer":{"type":"ByteLevel"},"model":{"type":"BPE","dropout":null,"vocab":{"a":0,"b":1,"ab":2,"abb":3},"merges":)" +
           std::string(merges) + "}}";
}

std::string model(std::string_view members) { return "{\"model\":{" + std::string(members) + "}}"; }

std::string index(std::string_view weight_map) { return "{\"weight_map\":" + std::string(weight_map) + "}"; }

}  // namespace

std::vector<HostileFile> hostile_tokenizers() {
    const std::string x = R"({"id":4,"content":"<x>"})";
    return {
        {"empty", "", "not valid JSON"},
        {"list", "[]", "must be a JSON object"},
        {"no_model", "{}", "has no model object"},
        {"model_is_list", "{\"model\":[]}", "has no model object"},
        {"no_type", model(R"("vocab":{})"), "model.type must be a string"},
        {"type_is_number", model(R"("type":1)"), "model.type must be a string"},
        {"unknown_type", model(R"("type":"Tiktoken","vocab":{})"), "model.type 'Tiktoken' is not known",
         ErrorKind::unsupported},
        {"no_vocab", model(R"("type":"BPE","merges":[])"), "model.vocab must be an object from token to id"},
        {"vocab_is_list", model(R"("type":"WordPiece","vocab":[])"),
         "model.vocab must be an object from token to id"},
        {"unigram_is_object", model(R"("type":"Unigram","vocab":{})"), "must be a list of [token, score]"},
        {"unigram_entry", model(R"("type":"Unigram","vocab":[["a",0.5],["b"]])"),
         "model.vocab entry 1 must be [token, score]"},
        {"key_twice", model(R"("type":"BPE","vocab":{"a":0,"a":1},"merges":[])"), "key 'a' is given twice"},
        {"id_twice", model(R"("type":"BPE","vocab":{"a":0,"b":0},"merges":[])"), "both have id 0"},
        {"negative_id", model(R"("type":"BPE","vocab":{"a":-1},"merges":[])"),
         "the id of 'a' must be a whole number from 0 to 16777215, is -1"},
        {"real_id", model(R"("type":"BPE","vocab":{"a":0.5},"merges":[])"),
         "the id of 'a' must be a whole number"},
        {"id_2_to_24", model(R"("type":"BPE","vocab":{"a":16777216},"merges":[])"),
         "from 0 to 16777215, is 16777216"},
        {"prefix_is_number", model(R"("type":"BPE","vocab":{},"continuing_subword_prefix":1,"merges":[])"),
         "model.continuing_subword_prefix must be a string or null"},
        {"no_merges", model(R"("type":"BPE","vocab":{})"), "model.merges must be a list"},
        {"merge_of_one", bpe(R"(["ab"])"), "merge 0 must be a pair of tokens, is \"ab\""},
        {"merge_of_three", bpe(R"([["a","b"],["a","b","b"]])"), "merge 1 must be a pair of tokens"},
        {"merge_of_three_words", bpe(R"(["a b b"])"), "merge 0 must be a pair of tokens"},
        {"merge_is_number", bpe("[7]"), "merge 0 must be a pair of tokens, is 7"},
        {"merge_unknown_left", bpe(R"([["z","b"]])"), "merge 0 needs 'z', which is not in the vocabulary"},
        {"merge_unknown_result", bpe(R"([["b","a"]])"), "merge 0 needs 'ba', which is not in the vocabulary"},
        {"added_is_object", bpe("[]", "{}"), "added_tokens must be a list"},
        {"added_without_content", bpe("[]", R"([{"id":4}])"),
         "an added token must be an object with id and content"},
        {"added_without_id", bpe("[]", R"([{"content":"x"}])"), "the id of 'x' must be a whole number"},
        {"added_flag_is_number", bpe("[]", R"([{"id":4,"content":"x","special":1}])"),
         "special of the added token 'x' must be true or false"},
        {"added_takes_an_id", bpe("[]", R"([{"id":3,"content":"x"}])"), "'abb' and 'x' both have id 3"},
        {"added_twice", bpe("[]", "[" + x + "," + x + "]"), "added token '<x>' is given twice"},
    };
}

std::vector<ValidFile> valid_tokenizers() {
    return {
        {"pairs", bpe(R"([["a","b"],["ab","b"]])",
                      R"([{"id":4,"content":"<x>","special":true},{"id":0,"content":"a"}])")},
        {"old_strings", bpe(R"(["a b","ab b\n"])")},
        {"no_type", model(R"("vocab":{"a":0},"merges":[])")},
        {"prefix",
         model(
             R"("type":"BPE","vocab":{"a":0,"##b":1,"ab":2},"continuing_subword_prefix":"##","merges":["a ##b"])")},
        {"gaps", model(R"("type":"BPE","vocab":{"b":9,"a":5},"merges":[])")},
        {"word_piece", model(R"("type":"WordPiece","unk_token":"[UNK]","vocab":{"[UNK]":0,"a":1})")},
        {"unigram", model(R"("type":"Unigram","unk_id":0,"vocab":[["<unk>",0.0],["a",-1.5]])")},
    };
}

std::vector<HostileFile> hostile_indexes() {
    const std::string plain = "must name a file in the same folder";
    return {
        {"empty", "", "not valid JSON"},
        {"list", "[]", "must be a JSON object"},
        {"no_weight_map", "{}", "has no weight_map from tensor names to files"},
        {"weight_map_is_list", index("[]"), "has no weight_map from tensor names to files"},
        {"tensor_twice", index(R"({"t":"a","t":"b"})"), "key 't' is given twice"},
        {"shard_is_number", index(R"({"t":1})"), plain},
        {"shard_is_empty", index(R"({"t":""})"), plain},
        {"shard_is_absolute", index(R"({"t":"/etc/passwd"})"),
         "tensor 't' must name a file in the same folder, got \"/etc/passwd\""},
        {"shard_goes_up", index(R"({"t":"../secret"})"), plain},
        {"shard_is_dots", index(R"({"t":".."})"), plain},
        {"shard_is_dot", index(R"({"t":"."})"), plain},
        {"shard_in_folder", index(R"({"t":"x/y"})"), plain},
        {"shard_with_backslash", index(R"({"t":"..\\secret"})"), plain},
        {"shard_with_zero", index(R"({"t":"a\u0000b"})"), plain},
        {"shard_too_long", index("{\"t\":\"" + std::string(256, 'x') + "\"}"), plain},
        {"metadata_is_list", R"({"metadata":[],"weight_map":{}})", "metadata must be an object"},
        {"negative_size", R"({"metadata":{"total_size":-1},"weight_map":{}})",
         "metadata.total_size must be a whole number"},
        {"size_is_text", R"({"metadata":{"total_size":"8"},"weight_map":{}})",
         "metadata.total_size must be a whole number"},
        {"size_is_half", R"({"metadata":{"total_size":0.5},"weight_map":{}})",
         "metadata.total_size must be a whole number"},
        {"size_is_huge", R"({"metadata":{"total_size":1e300},"weight_map":{}})",
         "metadata.total_size must be a whole number"},
    };
}

std::vector<ValidFile> valid_indexes() {
    return {
        {"two_shards",
         R"({"metadata":{"total_size":8},"weight_map":{"b":"2.safetensors","a":"1.safetensors","c":"1.safetensors"}})"},
        {"real_size", R"({"metadata":{"total_size":1.3e10},"weight_map":{}})"},
        {"no_metadata", index("{}")},
    };
}

}  // namespace plimsoll::testing
