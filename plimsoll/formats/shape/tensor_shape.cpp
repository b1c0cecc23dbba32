#include "plimsoll/formats/shape/tensor_shape.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/formats/hf_config/config_keys.h"
#include "plimsoll/formats/shape/tensor_shape_roles.h"

namespace plimsoll::formats {
namespace {

using Number = ModelShape::Number;

std::int64_t bounded(std::uint64_t size) {
    return size >= 1 && size <= static_cast<std::uint64_t>(max_size) ? static_cast<std::int64_t>(size) : 0;
}

Number known(std::int64_t size) { return size > 0 ? Number(size) : Number(); }

bool ends_in_bias(const TensorInfo& tensor) { return tensor.name.ends_with("bias"); }

// Reads one table; every number found is bounded, every number missing is reported.
class TensorReader {
  public:
    TensorReader(const TensorTable& table, ModelShape& shape) : shape_(shape), stacks_(block_stacks(table)) {
        for (const TensorInfo& tensor : table.tensors) {
            if (!ends_in_bias(tensor)) roles_[role_of(tensor.name)].push_back(&tensor);
        }
    }

    bool read_layers() {
        if (stacks_.empty() || (stacks_.front().depth() < 2 && roles_.at_or_empty(Role::norm).empty()))
            return false;
        settle_kind();
        settle_depth();
        settle_width();
        read_inputs();
        if (shape_.kind == ModelKind::mixer) {
            read_mixing();
        } else {
            read_attention();
            read_feed_forward();
        }
        shape_.tensors.no_count = "the header itself is counted";
        return true;
    }

  private:
    struct RoleMap : std::map<Role, std::vector<const TensorInfo*>> {
        [[nodiscard]] const std::vector<const TensorInfo*>& at_or_empty(Role role) const {
            static const std::vector<const TensorInfo*> none;
            const auto found = find(role);
            return found == end() ? none : found->second;
        }
    };

    [[nodiscard]] bool has(Role role) const { return !roles_.at_or_empty(role).empty(); }

    void skip(std::string part, std::string reason) {
        shape_.not_analysed.push_back({std::move(part), std::move(reason)});
    }
    void assume(std::string key, std::int64_t value, std::string reason) {
        shape_.assumed.push_back({std::move(key), std::to_string(value), std::move(reason)});
    }

    // The first tensor of a role with `axes` axes.
    [[nodiscard]] const TensorInfo* first(Role role, std::size_t axes) const {
        const auto& all = roles_.at_or_empty(role);
        const auto found =
            std::ranges::find_if(all, [&](const auto* tensor) { return tensor->shape.size() == axes; });
        return found == all.end() ? nullptr : *found;
    }

    // The side of a matrix that is not the width; 0 when neither side is.
    [[nodiscard]] std::int64_t other_side(const TensorInfo* tensor) const {
        if (!tensor || !shape_.width || tensor->shape.size() < 2) return 0;
        const std::int64_t out = bounded(tensor->shape[tensor->shape.size() - 2]),
                           in = bounded(tensor->shape.back());
        if (in == *shape_.width) return out;
        return out == *shape_.width ? in : 0;
    }

    [[nodiscard]] const BlockStack* stack_with(std::string_view word) const {
        const auto found = std::ranges::find_if(stacks_, [&](const BlockStack& one) {
            return one.prefix.find(word) != std::string::npos && one.depth() > 0;
        });
        return found == stacks_.end() ? nullptr : &*found;
    }

    // Patches make an encoder unless they feed a language model, whose tokens fill the largest stack.
    [[nodiscard]] bool reads_patches() const {
        const bool language =
            has(Role::token_table) && stacks_.front().prefix.find("vis") == std::string::npos;
        return has(Role::patch_filter) && !language;
    }

    [[nodiscard]] bool attends() const {
        return has(Role::query) || has(Role::fused_qkv) || has(Role::latent_kv);
    }

    void settle_kind() {
        const bool in_encoder = stacks_.front().prefix.find("encoder") != std::string::npos;
        const bool encoder = reads_patches() || has(Role::segment_table) || in_encoder;
        shape_.kind = encoder ? ModelKind::encoder : ModelKind::decoder;
        if (has(Role::cross_query) && stack_with("encoder")) shape_.kind = ModelKind::encoder_decoder;
        if (has(Role::state_space)) shape_.kind = attends() ? ModelKind::hybrid : ModelKind::state_space;
        if (has(Role::token_mixing)) shape_.kind = ModelKind::mixer;
        if (!attends() && !has(Role::state_space) && !has(Role::token_mixing)) {
            shape_.kind = ModelKind::unknown;
            skip("kind", "no tensor is named like attention, a state space or a token mixer");
        }
        if (shape_.kind != ModelKind::decoder) return;
        shape_.assumed.push_back({"kind", "decoder", "no tensor says that it reads both ways"});
    }

    void settle_depth() {
        const BlockStack& main = stacks_.front();
        const BlockStack* encoder = stack_with("encoder");
        const BlockStack* decoder = stack_with("decoder");
        if (main.prefix.find("layer_groups") != std::string::npos) {
            shape_.layer_groups = main.depth();
            skip("depth", "layers share their weights; a header does not say how often they are used");
            return;
        }
        shape_.depth = main.depth();
        assume("depth", *shape_.depth,
               fmt::format("blocks numbered under {}",
                           main.prefix.empty() ? "the root" : printable_name(main.prefix)));
        if (shape_.kind == ModelKind::encoder_decoder && encoder && decoder) {
            shape_.depth = encoder->depth();
            shape_.decoder_depth = decoder->depth();
        }
    }

    // The most frequent length of a norm inside the blocks.
    [[nodiscard]] std::int64_t norm_length() const {
        std::map<std::int64_t, int> votes;
        for (const TensorInfo* tensor : stacks_.front().tensors) {
            if (role_of(tensor->name) == Role::norm && tensor->shape.size() == 1)
                ++votes[bounded(tensor->shape[0])];
        }
        const auto best = std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
        return best == votes.end() ? 0 : best->first;
    }

    void settle_width() {
        shape_.width = known(has(Role::token_mixing) ? 0 : norm_length());
        if (has(Role::token_mixing)) {
            const TensorInfo* patch =
                first(Role::patch_filter, 2) ? first(Role::patch_filter, 2) : first(Role::patch_filter, 4);
            shape_.width = known(patch ? bounded(patch->shape[0]) : norm_length());
        }
        if (const TensorInfo* table = first(Role::token_table, 2); !shape_.width && table) {
            shape_.width = known(bounded(table->shape[1]));
        }
        if (!shape_.width) skip("width", "no norm and no token table shows it");
    }

    void read_inputs() {
        if (const TensorInfo* table = first(Role::token_table, 2)) {
            shape_.vocab = known(bounded(table->shape[0]));
            const auto rank = known(bounded(table->shape[1]));
            if (rank && shape_.width && rank != shape_.width) shape_.embedding_rank = rank;
            if (shape_.kind != ModelKind::encoder) shape_.tied = !has(Role::output_head);
        }
        if (const TensorInfo* positions = first(Role::position_table, 2)) {
            shape_.context = known(bounded(positions->shape[0]));
            shape_.positions = "learned";
        } else if (const TensorInfo* image = first(Role::position_table, 3)) {
            shape_.context = known(bounded(image->shape[1]));
            shape_.positions = "learned";
        }
        read_patch();
        if (!shape_.vocab && !shape_.patch_height && !shape_.input_dim)
            skip("input", "no token table or patch filter found");
    }

    void read_patch() {
        if (const TensorInfo* filter = first(Role::patch_filter, 4)) {
            shape_.channels = known(bounded(filter->shape[1]));
            shape_.patch_height = known(bounded(filter->shape[2]));
            shape_.patch_width = known(bounded(filter->shape[3]));
        } else if (const TensorInfo* video = first(Role::patch_filter, 5)) {
            shape_.channels = known(bounded(video->shape[1]));
            shape_.patch_depth = known(bounded(video->shape[2]));
            shape_.patch_height = known(bounded(video->shape[3]));
            shape_.patch_width = known(bounded(video->shape[4]));
        } else if (const TensorInfo* linear = first(Role::patch_filter, 2)) {
            shape_.input_dim = known(bounded(linear->shape[1]));
        }
    }

    // The number of heads, where some tensor has one entry per head or per head dimension.
    [[nodiscard]] Number heads_shown(std::int64_t attention_dim) {
        if (const TensorInfo* bias = first(Role::relative_bias, 2)) return known(bounded(bias->shape[1]));
        if (const TensorInfo* sinks = first(Role::sinks, 1)) return known(bounded(sinks->shape[0]));
        const TensorInfo* norm = first(Role::query_norm, 1);
        const std::int64_t size = norm ? bounded(norm->shape[0]) : 0;
        if (size > 0 && size < attention_dim && attention_dim % size == 0) return attention_dim / size;
        return {};
    }

    void read_attention() {
        if (shape_.kind == ModelKind::state_space) return;
        const std::int64_t fused = other_side(first(Role::fused_qkv, 2));
        std::int64_t queries = other_side(first(Role::query, 2));
        if (queries == 0 && fused > 0 && fused % 3 == 0) queries = fused / 3;
        const bool indirect = fused > 0 || has(Role::latent_kv);
        const std::int64_t out = other_side(first(Role::attention_output, 2));
        if (indirect && out > 0) queries = out;
        shape_.attention_dim = known(queries);
        if (const TensorInfo* latent = first(Role::latent_kv, 2))
            shape_.kv_lora_rank = known(bounded(latent->shape[1]));
        if (const TensorInfo* latent = first(Role::latent_query, 2))
            shape_.q_lora_rank = known(bounded(latent->shape[1]));
        shape_.heads = heads_shown(queries);
        if (!shape_.heads || queries == 0 || queries % *shape_.heads != 0) {
            shape_.heads.reset();
            skip("heads", "a safetensors header does not hold it; give the config.json as well");
            return;
        }
        shape_.head_dim = queries / *shape_.heads;
        const std::int64_t key = other_side(first(Role::key, 2));
        shape_.kv_heads =
            key > 0 && key % *shape_.head_dim == 0 ? Number(key / *shape_.head_dim) : shape_.heads;
    }

    void read_feed_forward() {
        const bool gated = has(Role::ffn_gate) || has(Role::ffn_gate_up);
        std::int64_t hidden = other_side(first(Role::ffn_in, 2));
        if (hidden == 0) hidden = other_side(first(Role::ffn_gate_up, 2)) / 2;
        if (hidden == 0) hidden = other_side(first(Role::ffn_out, 2));
        const TensorInfo* stacked = first(Role::ffn_in, 3) ? first(Role::ffn_in, 3) : first(Role::ffn_out, 3);
        const std::int64_t numbered = stacks_.front().experts;
        if (numbered > 1 || stacked) {
            shape_.experts = numbered > 1 ? Number(numbered) : known(bounded(stacked->shape[0]));
            shape_.expert_ffn = known(stacked ? other_side(stacked) : hidden);
        }
        if (!shape_.experts) shape_.ffn = known(hidden);
        if (hidden > 0 || shape_.experts) shape_.ffn_matrices = gated ? 3 : 2;
    }

    // Tokens from the square-ish matrices over tokens: fc1 is hidden x tokens, so the smaller side counts
    // tokens.
    void read_mixing() {
        for (const TensorInfo* tensor : roles_.at_or_empty(Role::token_mixing)) {
            if (tensor->shape.size() != 2 || tensor->name.find("fc1") == std::string::npos) continue;
            shape_.tokens = known(bounded(tensor->shape[1]));
            shape_.token_ffn = known(bounded(tensor->shape[0]));
        }
        for (const TensorInfo* tensor : roles_.at_or_empty(Role::channel_mixing)) {
            if (tensor->shape.size() != 2 || tensor->name.find("fc1") == std::string::npos) continue;
            if (bounded(tensor->shape[1]) == shape_.width.value_or(0))
                shape_.channel_ffn = known(bounded(tensor->shape[0]));
        }
        if (!shape_.tokens) skip("tokens", "no token-mixing matrix was recognised");
    }

    ModelShape& shape_;
    std::vector<BlockStack> stacks_;
    RoleMap roles_;
};

// A chain of matrices, each fed by the one before: a plain MLP.
bool read_mlp(const TensorTable& table, ModelShape& shape) {
    std::vector<const TensorInfo*> matrices;
    for (const TensorInfo& tensor : table.tensors) {
        const Role role = role_of(tensor.name);
        const bool layer =
            role == Role::other || role == Role::ffn_in || role == Role::ffn_out || role == Role::output_head;
        if (tensor.shape.size() > 2 || !layer) return false;
        if (tensor.shape.size() == 2) matrices.push_back(&tensor);
    }
    if (matrices.empty() || matrices.size() > 10'000) return false;
    std::ranges::sort(matrices, {}, [](const auto* one) { return one->name; });
    std::int64_t widest = 0;
    for (std::size_t i = 1; i < matrices.size(); ++i) {
        if (matrices[i]->shape[1] != matrices[i - 1]->shape[0]) return false;
        widest = std::max(widest, bounded(matrices[i]->shape[1]));
    }
    shape.kind = ModelKind::mlp;
    shape.depth = static_cast<std::int64_t>(matrices.size());
    shape.width = known(widest);
    shape.input_dim = known(bounded(matrices.front()->shape[1]));
    shape.tensors.classes = bounded(matrices.back()->shape[0]);
    shape.tensors.no_count = "the header itself is counted";
    if (!shape.width)
        shape.not_analysed.push_back({"width", "one layer: there is nothing between input and output"});
    return true;
}

}  // namespace

Result<ModelShape> shape_from_tensors(const TensorTable& table, std::string_view name) {
    if (table.tensors.empty()) return unsupported(std::string(name), "holds no tensors");
    ModelShape shape;
    shape.name = std::string(name);
    shape.family = "by its tensors";
    if (read_mlp(table, shape)) return shape;
    if (TensorReader(table, shape).read_layers()) return shape;
    shape.tensors.no_count = "the header itself is counted";
    shape.not_analysed.push_back(
        {"depth and width", "no repeated blocks and no chain of matrices were recognised"});
    return shape;
}

}  // namespace plimsoll::formats
