#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/formats/hf_config/reading_steps.h"

namespace plimsoll::formats {
namespace {

// Layers i (from 0) with experts: those with i % period == offset.
std::int64_t every(std::int64_t depth, std::int64_t period, std::int64_t offset) {
    return depth <= offset ? 0 : (depth - offset + period - 1) / period;
}

// Layers with experts by the key that says so, or nothing.
Number layers_by_period(ConfigReader& reader, std::int64_t depth) {
    if (const auto period = reader.size({"expert_layer_period"}, max_layers)) {
        return every(depth, *period, reader.some({"expert_layer_offset"}, max_layers).value_or(0));
    }
    if (const auto step = reader.size({"decoder_sparse_step", "interleave_moe_layer_step"}, max_layers)) {
        return depth / *step;
    }
    for (const auto* key : {"moe_layers"}) {
        if (const auto list = reader.list(key); !list.empty()) return static_cast<std::int64_t>(list.size());
    }
    return {};
}

// A list with one 0 or 1 per layer.
Number layers_by_flags(const ConfigReader& reader, std::int64_t depth) {
    for (const auto* key : {"moe_layer_freq", "mlp_layer_types", "moe_layers_enum"}) {
        const Json* list = reader.find(key);
        if (!list || !list->is_array() || static_cast<std::int64_t>(list->size()) != depth) continue;
        return std::ranges::count_if(*list, [](const Json& one) {
            return one == 1 || (one.is_string() && one.get_ref<const std::string&>() == "sparse");
        });
    }
    return {};
}

void read_layers(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    const std::int64_t depth = shape.depth.value_or(0);
    shape.dense_layers = reader.some(keys::dense_layers, max_layers);
    if (shape.dense_layers) shape.dense_layers = std::min(*shape.dense_layers, depth);
    Number routed = layers_by_flags(reader, depth);
    if (!routed) routed = layers_by_period(reader, depth);
    if (!routed) routed = depth - shape.dense_layers.value_or(0);
    const auto plain = reader.list("mlp_only_layers");
    *routed = std::max<std::int64_t>(0, *routed - static_cast<std::int64_t>(plain.size()));
    shape.expert_layers = routed;
}

void read_shared(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    shape.shared_experts = reader.some(keys::shared_experts, arch::max_experts);
    shape.shared_expert_ffn = reader.some(keys::shared_expert_ffn, arch::max_hidden);
    if (shape.shared_expert_ffn && !shape.shared_experts) shape.shared_experts = 1;
}

}  // namespace

void read_experts(ConfigReader& reader, const Family&) {
    ModelShape& shape = reader.shape();
    const auto experts = reader.some(keys::experts, arch::max_experts);
    if (!experts || *experts < 2 || shape.kind == ModelKind::state_space) return;
    shape.experts = experts;
    shape.experts_active = reader.some(keys::experts_active, arch::max_experts);
    shape.expert_ffn = reader.some(keys::expert_ffn, arch::max_hidden);
    if (!shape.expert_ffn) shape.expert_ffn = shape.ffn;
    read_shared(reader);
    read_layers(reader);
}

}  // namespace plimsoll::formats
