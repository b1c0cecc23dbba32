#include "plimsoll/formats/hf_config/reading_steps.h"

namespace plimsoll::formats {
namespace {

using arch::Count;

Count with_bias(Count in, Count out) { return in * out + out; }

void add_part(ModelShape& shape, std::string_view part, Count count) {
    shape.tensors.own.push_back({std::string(part), count});
}

// How DeBERTa reads positions: relative ones in every layer, absolute ones only where the file wants them.
struct Disentangled {
    bool relative = false, to_positions = false, from_positions = false;
    std::int64_t rows = 0;  // of the table of relative positions
};

// "c2p|p2c" or ["c2p", "p2c"].
bool attends_by(const ConfigReader& reader, std::string_view word) {
    const Json* types = reader.find("pos_att_type");
    if (types == nullptr) return false;
    if (types->is_string()) return types->get_ref<const std::string&>().find(word) != std::string::npos;
    if (!types->is_array()) return false;
    for (const Json& type : *types)
        if (type.is_string() && type.get_ref<const std::string&>() == word) return true;
    return false;
}

// A size where anything below 1, as the usual -1, says that another key decides.
Number above_zero(const ConfigReader& reader, std::string_view key) {
    const Json* value = reader.find(key);
    const auto number = value == nullptr ? std::nullopt : whole_number(*value);
    return number && *number >= 1 && *number <= max_size ? number : std::nullopt;
}

Disentangled read_disentangled(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    if (!reader.flag("position_biased_input").value_or(true)) {
        shape.tensors.position_rows = 0;
        shape.positions = "relative";
    }
    if (const auto types = reader.some({"type_vocab_size"}); types && shape.width)
        add_part(shape, "positions", Count(*types) * Count(*shape.width));
    Disentangled positions;
    positions.relative = reader.flag("relative_attention").value_or(false);
    positions.to_positions = positions.relative && attends_by(reader, "c2p");
    positions.from_positions = positions.relative && attends_by(reader, "p2c");
    const std::int64_t reach =
        above_zero(reader, "max_relative_positions").value_or(shape.context.value_or(512));
    positions.rows = 2 * above_zero(reader, "position_buckets").value_or(reach);
    return positions;
}

}  // namespace

// Queries and values are biased, keys are not; positions have projections of their own, one of them biased.
void read_deberta(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    const Disentangled positions = read_disentangled(reader);
    shape.tensors.key_bias = false;
    if (!shape.width || !shape.depth) return;
    const Count width = *shape.width, depth = *shape.depth;
    if (positions.relative) add_part(shape, "positions", Count(positions.rows) * width);
    if (positions.to_positions) add_part(shape, "position projections", depth * width * width);
    if (positions.from_positions) add_part(shape, "position projections", depth * with_bias(width, width));
}

// The table of relative positions has a norm, a convolution may stand beside the first layer, and positions
// share the projections of queries and keys unless the file says otherwise.
void read_deberta_v2(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    const Disentangled positions = read_disentangled(reader);
    if (!shape.width || !shape.depth) return;
    const Count width = *shape.width, depth = *shape.depth;
    if (positions.relative) add_part(shape, "positions", Count(positions.rows) * width);
    if (reader.text("norm_rel_ebd").value_or("none").find("layer_norm") != std::string::npos)
        add_part(shape, "norms", Count(2) * width);
    const bool shared = reader.flag("share_att_key").value_or(false);
    const int projections = (positions.to_positions ? 1 : 0) + (positions.from_positions ? 1 : 0);
    if (!shared && projections > 0)
        add_part(shape, "position projections", depth * Count(projections) * with_bias(width, width));
    if (const auto kernel = reader.some({"conv_kernel_size"}, max_layers))
        add_part(shape, "convolution", Count(*kernel) * width * width + Count(3) * width);
}

// Layers of the width of their bottleneck, between two maps that leave and enter the stream; the embedding
// reads three neighbours at once. Every norm is a scale and an offset.
void read_mobilebert(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    const std::int64_t inner = reader.stated({"intra_bottleneck_size"}, arch::max_width).value_or(128);
    const std::int64_t nets = reader.stated({"num_feedforward_networks"}, max_layers).value_or(4);
    const bool shared = reader.flag("key_query_shared_bottleneck").value_or(true);
    const bool plain = reader.flag("use_bottleneck").value_or(true) &&
                       reader.flag("trigram_input").value_or(true) &&
                       !reader.flag("use_bottleneck_attention").value_or(false) &&
                       !reader.flag("classifier_activation").value_or(false);
    if (!plain || !shared || !shape.width || !shape.depth || !shape.ffn || !shape.embedding_rank) {
        shape.tensors.no_count = "only the usual bottlenecks of MobileBERT are counted";
        return;
    }
    const Count width = *shape.width, depth = *shape.depth, b = inner, hidden = *shape.ffn;
    shape.tensors.norms_per_layer = 0;
    const Count into = with_bias(width, b) + Count(2) * b, out_of = with_bias(b, width) + Count(2) * width;
    const Count attention = Count(2) * with_bias(b, b) + with_bias(width, b) + with_bias(b, b) + Count(2) * b;
    const Count net = with_bias(b, hidden) + with_bias(hidden, b) + Count(2) * b;
    add_part(shape, "attention", depth * attention);
    add_part(shape, "feed-forward", depth * Count(nets) * net);
    add_part(shape, "bottlenecks", depth * (Count(2) * into + out_of));
    add_part(shape, "two neighbours", Count(2) * Count(*shape.embedding_rank) * width);
}

}  // namespace plimsoll::formats
