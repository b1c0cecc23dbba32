#include <algorithm>
#include <array>
#include <numeric>

#include "plimsoll/base/format.h"
#include "plimsoll/formats/hf_config_parts.h"

// Rules that hold for one family alone: each a short function, found by the name in the table of families.
namespace plimsoll::formats {
namespace {

void add_own(ModelShape& shape, std::string_view part, std::int64_t count) {
    if (count > 0) shape.tensors.own.push_back({std::string(part), count});
}

void opt(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    const bool removed = reader.flag("_remove_final_layer_norm").value_or(false);
    if (!reader.flag("do_layer_norm_before").value_or(true) || removed) shape.tensors.final_norm = false;
    if (!reader.flag("layer_norm_elementwise_affine").value_or(true)) shape.tensors.norm_vectors = 0;
}

void falcon(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    const bool two = reader.flag("new_decoder_architecture").value_or(false) &&
                     reader.stated({"num_ln_in_parallel_attn"}).value_or(2) != 1;
    if (two || !reader.flag("parallel_attn").value_or(true)) shape.tensors.norms_per_layer = 2;
    if (reader.flag("alibi").value_or(false)) shape.positions = "alibi";
}

// Qwen (the first) gives the sum of its two input matrices.
void half_ffn(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    if (!shape.ffn || *shape.ffn < 2) return;
    shape.ffn = *shape.ffn / 2;
    reader.assume("ffn", *shape.ffn, "half of the file's number, which counts gate and input together");
}

// The first OLMo files call the rows of the token table embedding_size.
void olmo_first(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    if (reader.find("mlp_hidden_size")) half_ffn(reader);
    shape.embedding_rank.reset();
    if (const auto rows = reader.stated({"embedding_size"})) shape.vocab = rows;
    if (const auto tied = reader.flag("weight_tying")) shape.tied = tied;
}

void esm(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    if (!shape.vocab) {
        shape.vocab = 33;
        reader.assume("vocab_size", 33, "null in the file; the alphabet of ESM");
    }
    const auto kind = reader.text("position_embedding_type").value_or("absolute");
    if (kind != "rotary" && shape.context) {
        shape.positions = "learned";
        shape.tensors.position_rows = *shape.context;
    }
    if (reader.flag("emb_layer_norm_before").value_or(false)) shape.tensors.embedding_norm = true;
}

// Two convolutions of width 3 before the encoder.
void whisper(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    if (!shape.width || !shape.input_dim) return;
    add_own(shape, "conv stem", 3 * *shape.input_dim * *shape.width + *shape.width +
                                    3 * *shape.width * *shape.width + *shape.width);
}

void chatglm(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    if (!reader.flag("multi_query_attention").value_or(false)) shape.kv_heads = shape.heads;
    if (!reader.flag("rmsnorm").value_or(true)) shape.tensors.norm_vectors = 2;
}

// OpenELM: heads and feed-forward sizes differ from layer to layer.
void openelm(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    const auto queries = reader.list("num_query_heads"), keys_values = reader.list("num_kv_heads");
    const Json* factors = reader.find("ffn_multipliers");
    const std::int64_t divisor = reader.stated({"ffn_dim_divisor"}).value_or(256);
    if (!factors || !factors->is_array() || factors->size() != queries.size() || keys_values.size() != queries.size() ||
        !shape.width || !shape.head_dim || queries.empty()) {
        shape.tensors.no_count = "its layers differ and the file does not list all of them";
        return;
    }
    std::int64_t attention = 0, ffn = 0, largest = 0;
    for (std::size_t i = 0; i < queries.size(); ++i) {
        attention += (2 * queries[i] + 2 * keys_values[i]) * *shape.head_dim * *shape.width + 2 * *shape.head_dim;
        const double wide = (*factors)[i].is_number() ? (*factors)[i].get<double>() * static_cast<double>(*shape.width) : 0;
        if (wide < 1 || wide > 1e9) return;
        auto rounded = static_cast<std::int64_t>(wide + static_cast<double>(divisor) / 2) / divisor * divisor;
        if (static_cast<double>(rounded) < 0.9 * wide) rounded += divisor;
        largest = std::max(largest, rounded);
        ffn += 3 * rounded * *shape.width;
    }
    shape.ffn = largest;
    reader.assume("ffn", largest, "the largest layer: width times the largest of ffn_multipliers");
    if (const auto shared = reader.flag("share_input_output_layers")) shape.tied = shared;
    add_own(shape, "attention", attention), add_own(shape, "feed-forward", ffn);
}

// Wav2Vec2 and its kin: convolutions over the wave, a projection, a convolution for positions.
void speech(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    const auto dims = reader.list("conv_dim"), kernels = reader.list("conv_kernel");
    const auto rows = reader.size({"num_conv_pos_embeddings"}), groups = reader.size({"num_conv_pos_embedding_groups"});
    if (dims.empty() || dims.size() != kernels.size() || !rows || !groups || !shape.width || *groups > *shape.width) {
        shape.tensors.no_count = "the file does not give its convolutions";
        return;
    }
    const bool bias = reader.flag("conv_bias").value_or(false);
    const bool every = reader.text("feat_extract_norm").value_or("group") == "layer";
    std::int64_t stem = 0, in = 1;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (dims[i] < 1 || kernels[i] < 1 || dims[i] > max_layers || kernels[i] > max_layers) return;
        stem += in * dims[i] * kernels[i] + (bias ? dims[i] : 0) + (every || i == 0 ? 2 * dims[i] : 0);
        in = dims[i];
    }
    add_own(shape, "conv stem", stem);
    add_own(shape, "projection", 2 * in + in * *shape.width + *shape.width + *shape.width);  // and the mask vector
    add_own(shape, "positions", *shape.width / *groups * *shape.width * *rows + *shape.width + *rows);
}

// DINOv2: a scale per sublayer and channel, a mask vector.
void layer_scale(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    if (!shape.width || !shape.depth) return;
    add_own(shape, "layer scale", 2 * *shape.width * *shape.depth);
    add_own(shape, "mask token", *shape.width);
    if (reader.flag("use_swiglu_ffn").value_or(false)) {
        shape.ffn_matrices = 3;
        if (shape.ffn) shape.ffn = (*shape.ffn * 2 / 3 + 7) / 8 * 8;
        reader.assume("ffn", shape.ffn.value_or(0), "two thirds of the ratio times width, a multiple of 8 (use_swiglu_ffn)");
    }
    if (const auto more = reader.some({"num_register_tokens"})) add_own(shape, "registers", *more * *shape.width);
}

// XLNet: a fifth projection for relative positions, three bias tables, a segment table, a mask vector.
void xlnet(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    if (!shape.width || !shape.depth || !shape.heads || !shape.head_dim) return;
    const std::int64_t inner = *shape.heads * *shape.head_dim;
    add_own(shape, "relative attention", *shape.depth * (*shape.width * inner + 5 * inner));
    add_own(shape, "mask token", *shape.width);
}

// Patched time series: one linear layer per patch, positions, batch or layer norms.
void patch_series(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    shape.tensors.no_count = "its heads depend on the task";
    const auto context = reader.size({"context_length"}), patch = reader.size({"patch_length"});
    const auto stride = reader.size({"patch_stride"});
    if (context && patch && stride && *context >= *patch) shape.tokens = (*context - *patch) / *stride + 1;
}

void gpt_bigcode(ConfigReader& reader) {
    if (reader.flag("multi_query").value_or(true) && reader.shape().heads) reader.shape().kv_heads = 1;
}

void albert(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    const auto inner = reader.size({"inner_group_num"}, max_layers);
    if (inner && *inner > 1 && shape.layer_groups) shape.layer_groups = std::min(*shape.layer_groups * *inner, *shape.depth);
}

void stablelm(ConfigReader& reader) {
    if (reader.flag("use_parallel_residual").value_or(false)) reader.shape().tensors.norms_per_layer = 1;
}

void mpt(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    if (reader.flag("learned_pos_emb").value_or(true) && !reader.flag("alibi").value_or(true)) shape.positions = "learned";
    shape.tensors.norm_vectors = 1;
}

// Llama 4 norms queries and keys without weights.
void llama4(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    shape.tensors.qk_norm = QueryKeyNorm::none;
    if (!shape.experts) return;
    shape.expert_ffn = reader.stated({"intermediate_size"});
    shape.shared_experts = 1;
    shape.ffn = reader.size({"intermediate_size_mlp"});
    if (const auto list = reader.list("moe_layers"); !list.empty()) {
        shape.expert_layers = static_cast<std::int64_t>(list.size());
    }
}

void unshared_bias(ConfigReader& reader) {  // UMT5: a table of relative positions in every layer
    ModelShape& shape = reader.shape();
    shape.tensors.bias_tables = shape.depth.value_or(0) + shape.decoder_depth.value_or(0);
}

void xlm(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    if (shape.width && *shape.width <= max_size / 4) shape.ffn = 4 * *shape.width;
    if (const auto languages = reader.some({"n_langs"}); languages && *languages > 1 && shape.width) {
        if (reader.flag("use_lang_emb").value_or(true)) add_own(shape, "languages", *languages * *shape.width);
    }
}

struct Quirk {
    std::string_view name;
    void (*apply)(ConfigReader&);
};

constexpr std::array quirks{
    Quirk{"opt", opt},
    Quirk{"falcon", falcon},
    Quirk{"half-ffn", half_ffn},
    Quirk{"olmo-first", olmo_first},
    Quirk{"esm", esm},
    Quirk{"whisper", whisper},
    Quirk{"chatglm", chatglm},
    Quirk{"openelm", openelm},
    Quirk{"speech", speech},
    Quirk{"layer-scale", layer_scale},
    Quirk{"xlnet", xlnet},
    Quirk{"patch-series", patch_series},
    Quirk{"gpt_bigcode", gpt_bigcode},
    Quirk{"albert", albert},
    Quirk{"stablelm", stablelm},
    Quirk{"mpt", mpt},
    Quirk{"llama4", llama4},
    Quirk{"unshared-bias", unshared_bias},
    Quirk{"xlm", xlm},
};

}  // namespace

void read_quirks(ConfigReader& reader, const Family& family) {
    const auto found = std::ranges::find(quirks, family.quirk, &Quirk::name);
    if (found != quirks.end()) found->apply(reader);
}

}  // namespace plimsoll::formats
