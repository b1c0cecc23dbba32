#include <algorithm>
#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/formats/hf_config/reading_steps.h"

namespace plimsoll::formats {
namespace {

bool names_attention(const Json& layer) {
    if (!layer.is_string()) return false;
    const auto& text = layer.get_ref<const std::string&>();
    return text.find("attention") != std::string::npos && text.find("linear") == std::string::npos;
}

// Layers with attention of a hybrid, by whichever key says so.
ModelShape::Number attention_layers(ConfigReader& reader) {
    const std::int64_t depth = reader.shape().depth.value_or(0);
    if (const auto list = reader.list("attn_layer_indices"); !list.empty()) {
        return static_cast<std::int64_t>(list.size());
    }
    for (const auto* key : {"layers_block_type", "layer_types", "layer_type_list"}) {
        const Json* list = reader.find(key);
        if (!list || !list->is_array() || list->empty()) continue;
        return std::ranges::count_if(*list, names_attention);
    }
    if (const auto pattern = reader.text("hybrid_override_pattern")) return std::ranges::count(*pattern, '*');
    if (const auto period = reader.size({"attn_layer_period", "full_attention_interval"}, max_layers)) {
        const auto offset = reader.some({"attn_layer_offset"}, max_layers).value_or(0);
        return depth <= offset ? 0 : (depth - offset + *period - 1) / *period;
    }
    return {};
}

void read_step_rank(ConfigReader& reader, StateSpaceSizes& sizes) {
    const auto stated = reader.text("time_step_rank") || reader.text("mamba_dt_rank")
                            ? ModelShape::Number{}
                            : reader.stated({"time_step_rank", "mamba_dt_rank", "dt_rank"});
    const std::int64_t width = reader.shape().width.value_or(0);
    sizes.step_rank = stated.value_or((width + 15) / 16);
    if (!stated) reader.assume("time_step_rank", sizes.step_rank, "width / 16, rounded up");
}

void read_sizes_of_states(ConfigReader& reader, StateSpaceSizes& sizes) {
    const std::int64_t width = reader.shape().width.value_or(0);
    const double expand = reader.ratio({"expand", "mamba_expand"}).value_or(2.0);
    sizes.inner = static_cast<std::int64_t>(std::min(expand * static_cast<double>(width), 1e9));
    sizes.conv_kernel = reader.size(keys::conv_kernel, 1'000'000).value_or(4);
    sizes.conv_bias = reader.flag("use_conv_bias").value_or(reader.flag("mamba_conv_bias").value_or(true));
    sizes.projection_bias = reader.flag("mamba_proj_bias").value_or(reader.flag("use_bias").value_or(false));
    if (sizes.version == 1) read_step_rank(reader, sizes);
    if (sizes.version != 2) return;
    sizes.groups = reader.size({"n_groups", "mamba_n_groups", "ngroups"}, max_layers).value_or(1);
    const auto head = reader.size({"mamba_d_head", "mamba_head_dim", "head_dim", "headdim"});
    sizes.heads = head && *head > 0 ? sizes.inner / *head : 0;
    if (const auto heads = reader.stated({"mamba_n_heads", "mamba_num_heads"})) sizes.heads = *heads;
}

}  // namespace

void read_states(ConfigReader& reader, const Family& family) {
    ModelShape& shape = reader.shape();
    if (shape.kind != ModelKind::state_space && shape.kind != ModelKind::hybrid) return;
    shape.state_size = reader.size(keys::state_size);
    if (family.quirk.starts_with("mamba")) {
        shape.state_space.version = family.quirk.substr(0, 6) == "mamba2" ? 2 : 1;
        shape.state_space.inner_norms = family.quirk == "mamba1-norms";
        read_sizes_of_states(reader, shape.state_space);
    }
    if (shape.kind != ModelKind::hybrid) return;
    shape.attention_layers = attention_layers(reader);
    if (!shape.attention_layers) {
        reader.skip("attention layers", "the file does not say which layers of the hybrid attend");
        return;
    }
    shape.attention_layers = std::min(*shape.attention_layers, shape.depth.value_or(0));
}

}  // namespace plimsoll::formats
