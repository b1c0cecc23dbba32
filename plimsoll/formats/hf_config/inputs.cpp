#include "plimsoll/base/format.h"
#include "plimsoll/formats/hf_config/reading_steps.h"

namespace plimsoll::formats {
namespace {

void read_vocabulary(ConfigReader& reader, const Family& family) {
    ModelShape& shape = reader.shape();
    const bool patches = reader.find("patch_size") && !reader.find("vocab_size");
    if (!patches) shape.vocab = reader.size(keys::vocab);
    if (const auto step = reader.stated({"pad_vocab_size_multiple"}, max_layers); step && shape.vocab) {
        shape.vocab = (*shape.vocab + *step - 1) / *step * *step;
    }
    const auto rank = reader.size(keys::embedding_rank);
    if (rank && rank != shape.width) shape.embedding_rank = rank;
    const auto out = reader.size({"output_embedding_size"});
    if (out && out != shape.width) shape.output_rank = out;
    if (!shape.vocab) return;
    shape.tied = reader.flag("tie_word_embeddings");
    if (!shape.tied) shape.tied = reader.flag("tie_embeddings");
    if (!shape.tied && family.tied) {
        shape.tied = family.tied;
        reader.assume("tie_word_embeddings", *family.tied ? "true" : "false",
                      "the default of " + shape.family);
    }
    if (!shape.tied && shape.kind != ModelKind::encoder) {
        shape.tied = true;
        reader.assume("tie_word_embeddings", "true", "the library's default for a file that does not say");
    }
}

void read_patches(ConfigReader& reader, const Family& family) {
    ModelShape& shape = reader.shape();
    if (shape.vocab && !reader.find("patch_size")) return;
    const auto patch = reader.pair(keys::patch_size);
    if (!patch) return;
    shape.patch_height = patch->first;
    shape.patch_width = patch->second;
    const auto list = reader.list("patch_size");
    if (list.size() == 3 && list[0] >= 1) shape.patch_depth = list[0];
    if (const auto depth = reader.size({"temporal_patch_size", "tubelet_size"}); depth && list.size() != 3) {
        shape.patch_depth = depth;
    }
    if (const auto tube = reader.list("tubelet_size"); tube.size() == 3) {
        shape.patch_depth = tube[0], shape.patch_height = tube[1], shape.patch_width = tube[2];
    }
    shape.channels = reader.size(keys::channels, 1'000'000);
    if (!shape.channels) {
        shape.channels = 3;
        reader.assume("channels", 3, "the file does not say; colour images");
    }
    if (const auto image = reader.pair(keys::image_size)) {
        shape.image_height = image->first;
        shape.image_width = image->second;
    }
    (void)family;
}

void read_signal(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    if (const auto mel = reader.size({"num_mel_bins", "input_feat_per_channel"}, max_layers))
        shape.input_dim = mel;
    if (const auto conv = reader.list("conv_dim"); !conv.empty() && conv.back() > 0)
        shape.input_dim = conv.back();
    if (const auto patch = reader.size({"patch_length"}, max_layers)) shape.input_dim = patch;
}

// Positions of a patched image: one per patch and one per extra token.
std::int64_t patch_positions(const ModelShape& shape) {
    if (!shape.image_height || !shape.patch_height) return 0;
    return (*shape.image_height / *shape.patch_height) * (*shape.image_width / *shape.patch_width) +
           shape.tensors.extra_tokens;
}

std::string positions_by_keys(ConfigReader& reader) {
    if (reader.find("rope_theta") || reader.find("rope_scaling") || reader.find("rotary_dim") ||
        reader.find("rope_parameters") || reader.find("rotary_pct") || reader.find("rotary_emb_base")) {
        return "rotary";
    }
    if (reader.flag("alibi").value_or(false) || reader.flag("use_alibi").value_or(false)) return "alibi";
    if (reader.find("relative_attention_num_buckets")) return "relative";
    return {};
}

void read_positions(ConfigReader& reader, const Family& family) {
    ModelShape& shape = reader.shape();
    shape.context = reader.size(keys::context);
    if (!shape.context && shape.image_height) {
        if (const auto positions = patch_positions(shape)) shape.context = positions;
    }
    shape.positions = family.positions;
    const auto kind = reader.text("position_embedding_type").value_or("");
    if (kind == "rotary" || kind == "rope") shape.positions = "rotary";
    if (kind == "alibi") shape.positions = "alibi";
    if (shape.positions.empty()) shape.positions = positions_by_keys(reader);
    if (shape.positions != "learned" || !shape.context) return;
    shape.tensors.position_rows =
        shape.patch_height ? patch_positions(shape) : *shape.context + family.position_offset;
    if (shape.kind == ModelKind::encoder_decoder) {
        const auto source = reader.stated({"max_source_positions", "max_encoder_position_embeddings"});
        const auto target = reader.stated({"max_target_positions", "max_decoder_position_embeddings"});
        shape.tensors.position_rows =
            source.value_or(*shape.context) + target.value_or(*shape.context) + 2 * family.position_offset;
    }
}

}  // namespace

void read_inputs(ConfigReader& reader, const Family& family) {
    read_vocabulary(reader, family);
    read_patches(reader, family);
    read_signal(reader);
    read_positions(reader, family);
    ModelShape& shape = reader.shape();
    if (!shape.vocab && !shape.patch_height && !shape.input_dim) {
        reader.skip("input", "no key of the file gives a vocabulary, a patch or a feature size");
    }
}

}  // namespace plimsoll::formats
