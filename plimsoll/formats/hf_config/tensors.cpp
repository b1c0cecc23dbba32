#include <algorithm>
#include <array>

#include "plimsoll/base/format.h"
#include "plimsoll/formats/hf_config/reading_steps.h"

namespace plimsoll::formats {
namespace {

struct BiasKey {
    std::string_view key;
    std::string_view reach;  // q, k, v, o: projections; f: feed-forward; h: head; i: inverted ("no_bias")
};

// Keys that switch biases; later lines win.
constexpr std::array bias_keys{
    BiasKey{"use_bias", "qkvof"},
    BiasKey{"bias", "qkvof"},
    BiasKey{"enable_bias", "qkvof"},
    BiasKey{"no_bias", "iqkvof"},
    BiasKey{"add_bias_linear", "qkvof"},
    BiasKey{"attention_bias", "qkvo"},
    BiasKey{"attention_out_bias", "o"},
    BiasKey{"qkv_bias", "qkv"},
    BiasKey{"use_qkv_bias", "qkv"},
    BiasKey{"add_qkv_bias", "qkv"},
    BiasKey{"mlp_bias", "f"},
    BiasKey{"lm_head_bias", "h"},
};

void set_bias(TensorFacts& facts, std::string_view reach, bool on) {
    const auto reaches = [&](char c) { return reach.find(c) != std::string_view::npos; };
    if (reaches('q')) facts.query_bias = on;
    if (reaches('k')) facts.key_bias = on;
    if (reaches('v')) facts.value_bias = on;
    if (reaches('o')) facts.output_bias = on;
    if (reaches('f')) facts.ffn_bias = on;
    if (reaches('h')) facts.head_bias = on;
}

void read_biases(ConfigReader& reader, const Family& family) {
    for (const BiasKey& one : bias_keys) {
        const auto flag = reader.flag(one.key);
        if (!flag) continue;
        std::string_view reach = one.reach;
        if (one.key == "attention_bias" && family.attention_bias_is_qkv) reach = "qkv";
        if (one.key == "bias" && family.quirk == "internlm") reach = "qkvo";
        if (one.key == "no_bias" && family.quirk == "half-ffn")
            reach = "iof";  // Qwen always biases q, k and v
        set_bias(reader.shape().tensors, reach, reach.front() == 'i' ? !*flag : *flag);
    }
}

void read_norms(ConfigReader& reader, const Family& family) {
    TensorFacts& facts = reader.shape().tensors;
    for (const auto* key : {"use_qk_norm", "qk_layernorm"}) {
        const auto flag = reader.flag(key);
        if (!flag) continue;
        if (!*flag) facts.qk_norm = QueryKeyNorm::none;
        if (*flag && facts.qk_norm == QueryKeyNorm::none) {
            facts.qk_norm = family.quirk == "cohere" ? QueryKeyNorm::full : QueryKeyNorm::head;
        }
    }
}

void read_classifier(ConfigReader& reader, const Family& family) {
    if (!family.classifier) return;
    TensorFacts& facts = reader.shape().tensors;
    const Json* labels = reader.find("id2label");
    const auto stated = reader.stated(keys::classes);
    const Json* classes = reader.find("architectures");
    const bool asked = classes && classes->is_array() && !classes->empty() && (*classes)[0].is_string() &&
                       (*classes)[0].get_ref<const std::string&>().ends_with("ForImageClassification");
    if (labels && labels->is_object() && asked) facts.classes = static_cast<std::int64_t>(labels->size());
    if (stated) facts.classes = *stated;
    if (facts.classes > 0) facts.head_bias = true;
}

}  // namespace

void read_tensors(ConfigReader& reader, const Family& family) {
    ModelShape& shape = reader.shape();
    if (shape.kind != ModelKind::state_space) read_biases(reader, family);
    read_norms(reader, family);
    read_classifier(reader, family);
    if (shape.tensors.segments > 0) {
        const auto segments = reader.some({"type_vocab_size"});
        shape.tensors.segments =
            reader.object().contains("type_vocab_size") ? segments.value_or(0) : segments.value_or(2);
    }
    if (shape.positions == "relative" && shape.tensors.bias_tables == 0) {
        shape.tensors.bias_buckets = reader.some({"relative_attention_num_buckets"}).value_or(0);
        shape.tensors.bias_tables = shape.kind == ModelKind::encoder_decoder ? 2 : 1;
    }
}

}  // namespace plimsoll::formats
