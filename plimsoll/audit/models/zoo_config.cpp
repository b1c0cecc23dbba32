#include "plimsoll/audit/models/zoo_config.h"

#include <array>

#include "plimsoll/base/check.h"
#include "plimsoll/base/text.h"
#include "plimsoll/formats/hf_config/hf_config.h"

namespace plimsoll::audit {
namespace {

using formats::ModelShape;
using Number = ModelShape::Number;

struct ConfigKey {
    const char* key;
    Number ModelShape::* field;
};

// The key of a config.json for each number of a row; those of the zoo's families read all of them.
constexpr std::array config_keys{
    ConfigKey{"num_hidden_layers", &ModelShape::depth},
    ConfigKey{"decoder_layers", &ModelShape::decoder_depth},
    ConfigKey{"hidden_size", &ModelShape::width},
    ConfigKey{"num_attention_heads", &ModelShape::heads},
    ConfigKey{"num_key_value_heads", &ModelShape::kv_heads},
    ConfigKey{"head_dim", &ModelShape::head_dim},
    ConfigKey{"intermediate_size", &ModelShape::ffn},
    ConfigKey{"num_local_experts", &ModelShape::experts},
    ConfigKey{"num_experts_per_tok", &ModelShape::experts_active},
    ConfigKey{"moe_intermediate_size", &ModelShape::expert_ffn},
    ConfigKey{"q_lora_rank", &ModelShape::q_lora_rank},
    ConfigKey{"kv_lora_rank", &ModelShape::kv_lora_rank},
    ConfigKey{"vocab_size", &ModelShape::vocab},
    ConfigKey{"embedding_size", &ModelShape::embedding_rank},
    ConfigKey{"patch_size", &ModelShape::patch_height},
    ConfigKey{"num_channels", &ModelShape::channels},
    ConfigKey{"image_size", &ModelShape::image_height},
    ConfigKey{"tokens_mlp_dim", &ModelShape::token_ffn},
    ConfigKey{"channels_mlp_dim", &ModelShape::channel_ffn},
    ConfigKey{"max_position_embeddings", &ModelShape::context},
    ConfigKey{"num_hidden_groups", &ModelShape::layer_groups},
};

Json value_of(const std::string& text) {
    if (text == "true" || text == "false") return text == "true";
    const auto number = parse_integer(text, "");
    return number.ok() ? Json(*number) : Json(text);
}

Json config_of(const ModelShape& row, std::string_view words) {
    Json config = Json::object();
    for (const auto& [key, field] : config_keys)
        if (row.*field) config[key] = *(row.*field);
    if (row.tied) config["tie_word_embeddings"] = *row.tied;
    for (const auto& word : split(words, ' ')) {
        const auto equals = word.find('=');
        PLIMSOLL_CHECK(equals != std::string::npos, "data/zoo.csv: config: " + word);
        config[word.substr(0, equals)] = value_of(word.substr(equals + 1));
    }
    return config;
}

}  // namespace

ModelShape with_family(const ModelShape& row, std::string_view words) {
    auto read = formats::shape_from_config(config_of(row, words), row.name);
    PLIMSOLL_CHECK(read.ok(), "data/zoo.csv: " + read.error().text());
    ModelShape shape = std::move(read).value();
    shape.family = row.family;
    shape.tokens = row.tokens;
    shape.input_dim = row.input_dim;
    shape.context = row.context;
    shape.assumed.clear();  // class defaults fill only what the row leaves to its family
    return shape;
}

}  // namespace plimsoll::audit
