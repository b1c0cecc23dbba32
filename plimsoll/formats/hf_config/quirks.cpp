#include <algorithm>
#include <array>
#include <numeric>

#include "plimsoll/base/format.h"
#include "plimsoll/formats/hf_config/reading_steps.h"

// Rules that hold for one family alone: each a short function, found by the name in the table of families.
namespace plimsoll::formats {
namespace {

using arch::Count;

void add_own(ModelShape& shape, std::string_view part, Count count) {
    shape.tensors.own.push_back({std::string(part), count});
}

void opt(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    const bool removed = reader.flag("_remove_final_layer_norm").value_or(false);
    const bool before = reader.flag("do_layer_norm_before").value_or(true);
    if (!before || removed) shape.tensors.final_norm = false;
    shape.tensors.post_norm = !before;
    if (!reader.flag("layer_norm_elementwise_affine").value_or(true)) shape.tensors.norm_vectors = 0;
}

void falcon(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    const bool two = reader.flag("new_decoder_architecture").value_or(false) &&
                     reader.stated({"num_ln_in_parallel_attn"}).value_or(2) != 1;
    const bool parallel = reader.flag("parallel_attn").value_or(true);
    if (two || !parallel) shape.tensors.norms_per_layer = 2;
    shape.tensors.parallel = two || parallel;
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
    const Count width = *shape.width, bins = *shape.input_dim;
    add_own(shape, "conv stem", Count(3) * bins * width + Count(3) * width * width + Count(2) * width);
}

void chatglm(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    if (!reader.flag("multi_query_attention").value_or(false)) shape.kv_heads = shape.heads;
    if (!reader.flag("rmsnorm").value_or(true)) shape.tensors.norm_vectors = 2;
}

// The feed-forward size of an OpenELM layer: a multiple of the divisor, never a tenth below what was asked
// for.
std::int64_t rounded_size(double wanted, std::int64_t divisor) {
    auto size = static_cast<std::int64_t>(wanted + static_cast<double>(divisor) / 2) / divisor * divisor;
    if (static_cast<double>(size) < 0.9 * wanted) size += divisor;
    return std::max(size, divisor);
}

// OpenELM: heads and feed-forward sizes differ from layer to layer.
void openelm(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    const auto queries = reader.list("num_query_heads"), few = reader.list("num_kv_heads");
    const Json* factors = reader.find("ffn_multipliers");
    shape.tensors.no_count = "its layers differ and the file does not list all of them";
    if (!factors || !factors->is_array() || factors->size() != queries.size() || few.size() != queries.size())
        return;
    if (!shape.width || !shape.head_dim || queries.empty()) return;
    const Count width = *shape.width, dim = *shape.head_dim;
    const std::int64_t divisor = reader.stated({"ffn_dim_divisor"}).value_or(256);
    Count attention, ffn;
    std::int64_t largest = 0;
    for (std::size_t i = 0; i < queries.size(); ++i) {
        const Json& factor = (*factors)[i];
        const double wanted =
            factor.is_number() ? factor.get<double>() * static_cast<double>(*shape.width) : 0;
        if (!(wanted >= 1 && wanted <= 1e9) || queries[i] < 1 || few[i] < 1) return;
        const std::int64_t size = rounded_size(wanted, divisor);
        attention += Count(2) * (Count(queries[i]) + Count(few[i])) * dim * width + Count(2) * dim;
        ffn += Count(3) * Count(size) * width;
        largest = std::max(largest, size);
    }
    shape.ffn = largest;
    reader.assume("ffn", largest, "the largest layer: width times the largest of ffn_multipliers");
    if (const auto shared = reader.flag("share_input_output_layers")) shape.tied = shared;
    add_own(shape, "attention", attention), add_own(shape, "feed-forward", ffn);
    shape.tensors.no_count.clear();
}

// Wav2Vec2 and its kin: convolutions over the wave, a projection, a convolution for positions.
void speech(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    shape.vocab.reset();  // letters of an output layer that only some checkpoints have
    shape.tied.reset();
    const auto dims = reader.list("conv_dim"), kernels = reader.list("conv_kernel");
    const auto rows = reader.size({"num_conv_pos_embeddings"}),
               groups = reader.size({"num_conv_pos_embedding_groups"});
    if (dims.empty() || dims.size() != kernels.size() || !rows || !groups || !shape.width ||
        *groups > *shape.width) {
        shape.tensors.no_count = "the file does not give its convolutions";
        return;
    }
    const bool bias = reader.flag("conv_bias").value_or(false);
    const bool every = reader.text("feat_extract_norm").value_or("group") == "layer";
    Count stem, in = 1;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (dims[i] < 1 || kernels[i] < 1) return;
        const Count out = dims[i], vectors = (bias ? 1 : 0) + (every || i == 0 ? 2 : 0);
        stem += in * out * Count(kernels[i]) + vectors * out;
        in = out;
    }
    const Count width = *shape.width, taps = *rows;
    add_own(shape, "conv stem", stem);
    add_own(shape, "projection", Count(2) * in + in * width + Count(2) * width);  // and the mask vector
    add_own(shape, "positions", Count(*shape.width / *groups) * width * taps + width + taps);
}

// DINOv2: a scale per sublayer and channel, a mask vector.
void layer_scale(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    if (!shape.width || !shape.depth) return;
    add_own(shape, "layer scale", Count(2) * Count(*shape.width) * Count(*shape.depth));
    add_own(shape, "mask token", *shape.width);
    if (reader.flag("use_swiglu_ffn").value_or(false)) {
        shape.ffn_matrices = 3;
        if (shape.ffn) shape.ffn = (*shape.ffn * 2 / 3 + 7) / 8 * 8;
        reader.assume("ffn", shape.ffn.value_or(0),
                      "two thirds of the ratio times width, a multiple of 8 (use_swiglu_ffn)");
    }
    if (const auto more = reader.some({"num_register_tokens"}))
        add_own(shape, "registers", Count(*more) * Count(*shape.width));
}

// XLNet: a fifth projection for relative positions, three bias tables, a segment table, a mask vector.
void xlnet(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    if (!shape.width || !shape.depth || !shape.heads || !shape.head_dim) return;
    const Count inner = Count(*shape.heads) * Count(*shape.head_dim);
    add_own(shape, "relative attention",
            Count(*shape.depth) * (Count(*shape.width) * inner + Count(5) * inner));
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
    if (inner && *inner > 1 && shape.layer_groups)
        shape.layer_groups = std::min(*shape.layer_groups * *inner, *shape.depth);
}

void stablelm(ConfigReader& reader) {
    if (reader.flag("use_parallel_residual").value_or(false)) reader.shape().tensors.norms_per_layer = 1;
}

void mpt(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    if (reader.flag("learned_pos_emb").value_or(true) && !reader.flag("alibi").value_or(true))
        shape.positions = "learned";
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
        if (reader.flag("use_lang_emb").value_or(true))
            add_own(shape, "languages", Count(*languages) * Count(*shape.width));
    }
}

// A learned slope for each side of the activation, in each layer.
void apertus(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    if (shape.depth) add_own(shape, "activation", Count(2) * Count(*shape.depth));
}

// Norms inside attention and feed-forward.
void bitnet(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    if (!shape.depth || !shape.width || !shape.ffn) return;
    add_own(shape, "norms", Count(*shape.depth) * (Count(*shape.width) + Count(*shape.ffn)));
}

// LayoutLM: tables for the left, upper, right and lower edge of a word.
void layout(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    const auto rows = reader.size({"max_2d_position_embeddings"});
    if (shape.width) add_own(shape, "positions", Count(4) * Count(rows.value_or(1024)) * Count(*shape.width));
}

void mpnet(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    const auto rows = reader.size({"relative_attention_num_buckets"});
    if (shape.heads) add_own(shape, "positions", Count(rows.value_or(32)) * Count(*shape.heads));
}

// A table of sines and cosines that the file stores.
void roformer(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    if (shape.context && shape.head_dim)
        add_own(shape, "positions", Count(*shape.context) * Count(*shape.head_dim));
}

// SigLIP: one query attends to all patches, then a feed-forward layer.
void pooling_head(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    if (!shape.width || !shape.ffn) return;
    const Count w = *shape.width, f = *shape.ffn;
    add_own(shape, "head", w + Count(4) * (w * w + w) + Count(2) * w + Count(2) * w * f + f + w);
}

void text_projection(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    if (!shape.width) return;
    const std::int64_t out = reader.stated({"projection_size"}).value_or(*shape.width);
    add_own(shape, "head", Count(*shape.width) * Count(out) + Count(out));
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
    Quirk{"apertus", apertus},
    Quirk{"bitnet", bitnet},
    Quirk{"layout", layout},
    Quirk{"mpnet", mpnet},
    Quirk{"roformer", roformer},
    Quirk{"pooling-head", pooling_head},
    Quirk{"text-projection", text_projection},
    Quirk{"deberta", read_deberta},
    Quirk{"deberta-v2", read_deberta_v2},
    Quirk{"mobilebert", read_mobilebert},
};

}  // namespace

void read_quirks(ConfigReader& reader, const Family& family) {
    const auto found = std::ranges::find(quirks, family.quirk, &Quirk::name);
    if (found != quirks.end()) found->apply(reader);
}

}  // namespace plimsoll::formats
