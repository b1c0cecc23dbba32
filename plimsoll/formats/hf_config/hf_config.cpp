#include "plimsoll/formats/hf_config/hf_config.h"

#include <algorithm>
#include <array>

#include "plimsoll/base/format.h"
#include "plimsoll/formats/class_counts/class_counts.h"
#include "plimsoll/formats/hf_config/reading_steps.h"

namespace plimsoll::formats {
namespace {

// Where the language model, or the one network worth analysing, lies inside a config of several.
constexpr std::array inner_keys{
    "text_config",
    "text_config_dict",
    "llm_config",
    "language_config",
    "language_model_config",
    "thinker_config",
    "lm_config",
    "text_model_config",
    "text_cfg",
    "model_cfg",
    "model_args",
    "llm",
    "model_config",
    "decoder_config",
    "decoder",
    "text_encoder",
    "generator",
    "transformer",
    "encoder",
    "backbone_config",
    "backbone",
    "vision_config",
    "vision_cfg",
    "audio_config",
    "config",
    "hparams",
    "model",
    "net",
    "network",
    "talker_config",
};

// A number written as text: it is a wrong size, where a word is no size at all.
bool is_number_text(const Json& value) {
    if (!value.is_string()) return false;
    const auto& text = value.get_ref<const std::string&>();
    return !text.empty() && text.find_first_not_of("+-.0123456789eE") == std::string::npos;
}

bool holds_any(const Json& object, const Keys& keys) {
    return std::ranges::any_of(keys, [&](std::string_view key) {
        const auto found = object.find(key);
        if (found == object.end() || found->is_null() || found->is_object()) return false;
        return !found->is_string() || is_number_text(*found);
    });
}

bool holds_sizes(const Json& object) {
    const bool deep =
        holds_any(object, keys::depth) || holds_any(object, {"block_sizes", "attn_layers", "depths"});
    const bool wide =
        holds_any(object, keys::width) || holds_any(object, {"hidden_sizes", "embed_dims", "d_kv"});
    return deep && wide;
}

std::string type_in(const Json& object) { return name_in(object, "model_type"); }

// A part of the config that describes a network: with sizes, or with a type whose class has defaults.
bool is_network(const Json& part) {
    if (!part.is_object()) return false;
    return holds_sizes(part) || (!default_line(type_in(part)).empty());
}

struct Located {
    const Json* object;
    std::string path;        // "text_config"
    std::string outer_type;  // model_type of what is around it
};

Located locate(const Json& config, int levels) {
    const Located here{&config, {}, type_in(config)};
    if (levels == 0 || holds_sizes(config)) return here;
    for (const auto* key : inner_keys) {
        const auto found = config.find(key);
        if (found == config.end() || !found->is_object() || found->empty()) continue;
        Located inner = locate(*found, levels - 1);
        if (!is_network(*inner.object)) continue;
        inner.path = inner.path.empty() ? key : std::string(key) + "." + inner.path;
        if (inner.outer_type.empty()) inner.outer_type = here.outer_type;
        return inner;
    }
    return here;
}

std::string sizes_in_words(const Json& part) {
    ModelShape scratch;
    ConfigReader reader(part, {}, scratch);
    const auto depth = reader.stated(keys::depth, max_layers), width = reader.stated(keys::width);
    std::string words = type_in(part);
    if (depth && width)
        words += fmt::format("{}{} layers of width {}", words.empty() ? "" : ", ", *depth, *width);
    return words.empty() ? "a network of its own" : words;
}

// Every other network of the config, so that nothing is left out in silence.
void list_others(const Json& config, std::string_view path, ModelShape& shape) {
    const std::string analysed(path.substr(0, path.find('.')));
    for (const auto& [key, value] : config.items()) {
        if (key == analysed || !value.is_object() || !is_network(value)) continue;
        shape.not_analysed.push_back(
            {printable_name(key),
             fmt::format("{}; only {} was analysed", sizes_in_words(value),
                         path.empty() ? std::string("the part at the top of the file") : std::string(path))});
    }
}

// Keys of the parts that families keep in small objects of their own, brought up.
Json flattened(const Json& object) {
    Json flat = object;
    for (const auto* part :
         {"attn_config", "ffn_config", "ssm_cfg", "attention_config", "mlp_config", "patches"}) {
        const auto found = object.find(part);
        if (found == object.end() || !found->is_object() || found->size() > 256) continue;
        for (const auto& [key, value] : found->items()) {
            if (!flat.contains(key)) flat[key] = value;
        }
    }
    if (const auto patches = object.find("patches"); patches != object.end() && patches->is_object()) {
        if (const auto size = patches->find("size"); size != patches->end()) flat["patch_size"] = *size;
    }
    return flat;
}

struct Foreign {
    const char* key;
    const char* what;
};

// Files that lie beside a config.json and are none.
constexpr std::array foreign_files{
    Foreign{"peft_type", "is the config of an adapter; audit the model it was trained on"},
    Foreign{"weight_map", "is the index of a sharded model; audit the folder it lies in"},
    Foreign{"tokenizer_class", "is the config of a tokenizer; audit the config.json beside it"},
    Foreign{"added_tokens", "is a tokenizer; audit the config.json beside it"},
    Foreign{"image_processor_type", "is the config of a preprocessor; audit the config.json beside it"},
    Foreign{"feature_extractor_type", "is the config of a preprocessor; audit the config.json beside it"},
    Foreign{"_diffusers_version",
            "holds no size of a network; audit the config.json of one part of the pipeline"},
    Foreign{"max_new_tokens", "is a generation config; audit the config.json beside it"},
    Foreign{"bos_token_id", "is a generation config; audit the config.json beside it"},
};

bool looks_like_model(const Json& config) {
    const Located found = locate(config, 4);
    if (is_network(*found.object) || !type_in(config).empty()) return true;
    for (const auto* key : {"architectures", "architecture", "_class_name", "block_out_channels"}) {
        if (config.contains(key))
            return !(config.contains("_diffusers_version") && config.contains("scheduler"));
    }
    const auto sizes = {&keys::width, &keys::depth, &keys::heads, &keys::vocab};
    return std::ranges::count_if(sizes, [&](const Keys* keys) { return holds_any(config, *keys); }) >= 2;
}

Status refuse_foreign(const Json& config, std::string_view name) {
    if (!config.is_object())
        return unsupported(std::string(name),
                           "is JSON but not an object, so it is not the config of a model");
    if (looks_like_model(config)) return {};
    for (const Foreign& one : foreign_files) {
        if (config.contains(one.key)) return unsupported(std::string(name), one.what);
    }
    return unsupported(std::string(name),
                       "no key of it describes a network (no model_type, no layers, no width)");
}

void settle_kind(ConfigReader& reader, const Family& family) {
    ModelShape& shape = reader.shape();
    shape.kind = family.listed ? family.kind : kind_by_architecture(reader);
    if (shape.kind == ModelKind::unknown) shape.kind = kind_by_keys(reader);
    if (!family.listed && shape.kind != ModelKind::unknown) {
        reader.assume("kind", name_of(shape.kind), "the family is not known here; read from its keys");
    }
    shape.tensors = family.tensors;
    if (shape.kind == ModelKind::encoder || shape.kind == ModelKind::mixer) shape.tensors.head = false;
}

void fill(ConfigReader& reader, const Family& family) {
    settle_kind(reader, family);
    if (note_stages(reader)) {
        reader.shape().kind = ModelKind::unknown;
        reader.shape().tensors.no_count = "its stages differ in size";
        return;
    }
    read_sizes(reader, family);
    read_experts(reader, family);
    read_inputs(reader, family);
    read_states(reader, family);
    read_mixer(reader, family);
    read_tensors(reader, family);
    read_quirks(reader, family);
}

// The count of the whole file by the table of classes.
void read_class(const Json& config, ModelShape& shape) {
    const auto classes = config.find("architectures");
    if (classes != config.end() && classes->is_array() && !classes->empty() && classes->front().is_string())
        shape.class_named = printable_name(classes->front().get_ref<const std::string&>());
    const auto counted = count_by_class(config);
    if (!counted) return;
    if (counted->ok()) {
        shape.by_class = **counted;
    } else {
        shape.why_not_by_class = counted->error().text();
    }
}

}  // namespace

Result<ModelShape> shape_from_config(const Json& config, std::string_view name) {
    PLIMSOLL_RETURN_IF_ERROR(refuse_foreign(config, name));
    const Located found = locate(config, 4);
    ModelShape shape;
    shape.name = std::string(name);
    const Json flat = flattened(*found.object);
    ConfigReader scout(flat, {}, shape);
    const Family family = identify(scout, found.path.empty() ? std::string() : found.outer_type);
    shape.family = family.type.empty() ? "unknown" : family.type;
    const std::string_view defaults = default_line(family.type);
    ConfigReader reader(flat, [defaults](std::string_view key) { return default_in(defaults, key); }, shape);
    fill(reader, family);
    if (const auto& problem = reader.problem())
        return bad_input(std::string(name),
                         found.path.empty() ? problem->text() : found.path + "." + problem->text());
    shape.part = found.path;
    list_others(config, found.path, shape);
    read_class(config, shape);
    return shape;
}

}  // namespace plimsoll::formats
