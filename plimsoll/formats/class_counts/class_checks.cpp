#include <algorithm>
#include <array>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/formats/class_counts/class_row.h"
#include "plimsoll/formats/hf_config/config_keys.h"

// What must be true of a file so that its line of the table counts it. Each check gives the first key that is
// not as the line was derived for.
namespace plimsoll::formats {
namespace {

// A value in a message, at most 40 characters of it.
std::string shown(const Json& value) {
    const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    return text.size() <= 40 ? text : text.substr(0, 37) + "...";
}

Error outside(std::string_view key, std::string reason) {
    return unsupported(printable_name(key), std::move(reason));
}

Status nested_types(const ClassRow& row) {
    for (const auto& [path, type] : row.part("types").items()) {
        const Json* given = row.in_file(path + ".model_type");
        if (given && given->is_string() && *given != type)
            return outside(path,
                           fmt::format("is a {}; counted is one with a {}", shown(*given), shown(type)));
    }
    return {};
}

Status needed_keys(const ClassRow& row) {
    if (!row.row().contains("needs")) return {};
    for (const Json& path : row.part("needs")) {
        const Json* given = row.in_file(path.get_ref<const std::string&>());
        if (!given || given->is_null())
            return outside(path.get_ref<const std::string&>(), "is not given, and the class needs it");
    }
    return {};
}

Status fixed_values(const ClassRow& row) {
    for (const auto& [path, expected] : row.part("only").items()) {
        const Json* given = row.in_file(path);
        if (given && !same_value(*given, expected))
            return outside(path, fmt::format("is {}; counted is {}", shown(*given), shown(expected)));
    }
    return {};
}

Status list_lengths(const ClassRow& row) {
    for (const auto& [path, length] : row.part("lengths").items()) {
        const Json* given = row.in_file(path);
        if (given && (!given->is_array() || given->size() != length.get<std::size_t>()))
            return outside(path, fmt::format("is {}; counted are lists of {}", shown(*given), shown(length)));
    }
    return {};
}

Status known_words(const Json* given, std::string_view path, const Json& words) {
    if (!given || given->is_null()) return {};
    if (!given->is_array()) return outside(path, "is no list");
    for (const Json& word : *given) {
        if (std::ranges::find(words, word) == words.end())
            return outside(path, fmt::format("has {}; counted are {}", shown(word), shown(words)));
    }
    return {};
}

Status layer_lists(const ClassRow& row) {
    for (const auto& [path, words] : row.part("words").items())
        PLIMSOLL_RETURN_IF_ERROR(known_words(row.in_file(path), path, words));
    for (const auto& [path, rule] : row.part("lists").items()) {
        PLIMSOLL_RETURN_IF_ERROR(known_words(row.in_file(path), path, rule["words"]));
        const auto layers = row.layers(path);
        if (!layers) return outside(path, "is not given, and how the class fills it in is not known");
        if (!rule.contains("key")) continue;
        const auto length = row.names().number(rule["key"].get_ref<const std::string&>());
        if (!length || length->as_real() != static_cast<double>(layers->size()))
            return outside(path,
                           fmt::format("has {} entries and not {}", layers->size(), shown(rule["key"])));
    }
    return {};
}

// Keys that no class makes tensors of: names, training, generation, numerics.
constexpr std::array harmless_names{
    "architectures",
    "auto_map",
    "attn_implementation",
    "bad_words_ids",
    "begin_suppress_tokens",
    "custom_pipelines",
    "d_type",
    "decoder_start_token_id",
    "diversity_penalty",
    "do_sample",
    "dtype",
    "early_stopping",
    "encoder_no_repeat_ngram_size",
    "exponential_decay_length_penalty",
    "finetuning_task",
    "forced_decoder_ids",
    "gradient_checkpointing",
    "init_std",
    "is_decoder",
    "is_encoder_decoder",
    "layerdrop",
    "length_penalty",
    "max_length",
    "min_length",
    "model_max_length",
    "model_parallel",
    "model_type",
    "n_ctx",
    "name_or_path",
    "no_repeat_ngram_size",
    "num_beam_groups",
    "num_beams",
    "onnx_export",
    "precision",
    "prefix",
    "pretraining_tp",
    "problem_type",
    "pruned_heads",
    "quantization_config",
    "remove_invalid_values",
    "repetition_penalty",
    "sampling_rate",
    "scale_embedding",
    "seed",
    "suppress_tokens",
    "task_specific_params",
    "temperature",
    "tf_legacy_loss",
    "tokenizer_class",
    "top_k",
    "top_p",
    "torch_dtype",
    "torchscript",
    "transformers_version",
    "typical_p",
    "unsloth_version",
    "use_bfloat16",
    "use_cache",
};
constexpr std::array harmless_starts{
    "_",          "activation", "ctc_",    "gradient_", "initializer_", "mask_feature_",
    "mask_time_", "num_return", "output_", "return_",   "rope_",        "summary_"};
constexpr std::array harmless_ends{
    "_token_id",    "_token_ids", "_token_index", "dropout",       "drop_rate",
    "eps",          "_act",       "_activation",  "_loss_coef",    "_loss_weight",
    "_coefficient", "_init_std",  "_init_range",  "_dropout_prob", "_loss_coefficient"};
// Keys of classifiers, which matter where the class makes one.
constexpr std::array label_names{"id2label", "label2id", "num_labels"};

bool is_harmless(std::string_view name) {
    const auto is = [&](const char* one) { return name == one; };
    const auto starts = [&](const char* one) { return name.starts_with(one); };
    const auto ends = [&](const char* one) { return name.ends_with(one); };
    return std::ranges::any_of(harmless_names, is) || std::ranges::any_of(label_names, is) ||
           std::ranges::any_of(harmless_starts, starts) || std::ranges::any_of(harmless_ends, ends);
}

// Whether the line says anything of a key, be it that it changes nothing.
bool is_known(const ClassRow& row, const std::string& path) {
    for (const auto* part : {"keys", "aliases", "only", "lengths", "words", "lists", "types"})
        if (row.part(part).contains(path)) return true;
    const auto others = row.row().find("others");
    if (others != row.row().end() &&
        (" " + others->get<std::string>() + " ").find(" " + path + " ") != std::string::npos)
        return true;
    return false;
}

Status known_keys_of(const ClassRow& row, const Json& object, const std::string& prefix) {
    for (const auto& [name, value] : object.items()) {
        const std::string path = prefix + name;
        if (value.is_null() || is_harmless(name)) continue;
        if (value.is_object() && row.part("types").contains(path)) {
            PLIMSOLL_RETURN_IF_ERROR(known_keys_of(row, value, path + "."));
            continue;
        }
        if (!is_known(row, path)) return outside(path, "is no key that the table knows of this class");
    }
    return {};
}

// A key that is not in the table may change anything: files of old versions have some, and other networks.
Status known_keys(const ClassRow& row) { return known_keys_of(row, row.config(), ""); }

// Classes with a classifier are counted with the two labels of the library's default.
Status default_labels(const ClassRow& row) {
    if (!row.row().contains("labels")) return {};
    for (const char* name : label_names) {
        if (row.config().contains(name)) return outside(name, "is given; counted are files without labels");
    }
    return {};
}

// 0 and false where the class has null: some classes take them for null, others for a size.
bool is_nothing(const Json& value) {
    return (value.is_boolean() && !value.get<bool>()) || (value.is_number() && value.get<double>() == 0);
}

// Numbers that expressions use: whole or real, and not negative where the file has them.
Status usable_numbers(const ClassRow& row) {
    for (const auto& [path, known] : row.part("keys").items()) {
        const Json* given = row.in_file(path);
        if (!given || row.part("lists").contains(path)) continue;
        if (given->is_null() != known.is_null() && (given->is_null() || is_nothing(*given)))
            return outside(path, fmt::format("is {}; the class has {}", shown(*given), shown(known)));
        if (given->is_null()) continue;
        if (known.is_boolean() ? !given->is_boolean() && !given->is_number() : known.is_number()) {
            if (given->is_number() && !known.is_boolean() && given->get<double>() >= 0) continue;
            return outside(path, fmt::format("is {}; counted is a size", shown(*given)));
        }
    }
    return {};
}

Status comparisons(const ClassRow& row) {
    if (!row.row().contains("holds")) return {};
    const auto names = row.names();
    for (const Json& one : row.part("holds")) {
        const auto& text = one[0].get_ref<const std::string&>();
        const auto truth = evaluate_comparison(text, names);
        if (!truth.ok() || *truth == one[1].get<bool>()) continue;
        return outside(text, *truth ? "is true of this file and was not where the table was derived"
                                    : "is not true of this file and was where the table was derived");
    }
    return {};
}

}  // namespace

Status check_row(const ClassRow& row) {
    for (const auto check : {nested_types, needed_keys, fixed_values, list_lengths, usable_numbers,
                             layer_lists, known_keys, default_labels, comparisons})
        PLIMSOLL_RETURN_IF_ERROR(check(row));
    return {};
}

}  // namespace plimsoll::formats
