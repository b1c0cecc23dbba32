#include "plimsoll/arch/tensor_list.h"

namespace plimsoll::arch {
namespace {

class Lister {
  public:
    explicit Lister(const TransformerSpec& spec) : s_(spec) {}

    std::vector<TensorShape> all() {
        tokens();
        if (s_.stack == Stack::encoder_decoder) {
            stack("encoder.", s_.layer_groups, false);
            stack("decoder.", s_.decoder_depth, true);
        } else {
            stack("", s_.layer_groups, false);
        }
        outputs();
        return out_.take();
    }

  private:
    void norm(const std::string& name, std::int64_t size) { out_.norm(name, s_.norm, s_.norm_bias, size); }

    // The tables that both stacks share.
    void tokens() {
        const std::int64_t row = s_.embedding_rank > 0 ? s_.embedding_rank : s_.width;
        if (s_.vocab > 0) out_.add("tokens.weight", {s_.vocab, row});
        if (s_.embedding_rank > 0) out_.linear("tokens.factor", row, s_.width, s_.factor_bias);
        if (s_.segments > 0) out_.add("segments.weight", {s_.segments, added_width()});
        if (s_.image.used()) out_.linear("patches", s_.image.patch_dim(), s_.width, s_.patch_bias);
        if (s_.extra_tokens > 0) out_.add("extra_tokens", {s_.extra_tokens, s_.width});
    }

    [[nodiscard]] std::int64_t added_width() const {
        return s_.positions_in_rank ? s_.embedding_rank : s_.width;
    }

    void positions(const std::string& stack) {
        if (s_.positions == PositionKind::relative) {
            out_.add(stack + "relative_positions.weight", {s_.position_buckets, s_.heads});
        }
        if (s_.positions != PositionKind::learned) return;
        if (s_.position_rank == 0) {
            out_.add(stack + "positions.weight", {s_.context, added_width()});
        } else {
            out_.add(stack + "positions.weight", {s_.context, s_.position_rank});
            out_.add(stack + "positions.factor.weight", {added_width(), s_.position_rank});
        }
    }

    void stack(const std::string& prefix, std::int64_t layers, bool cross) {
        positions(prefix);
        if (s_.embedding_norm) norm(prefix + "embedding_norm", added_width());
        for (std::int64_t l = 0; l < layers; ++l) {
            layer(fmt::format("{}layers.{}.", prefix, l), l + 1, cross);
        }
        if (s_.final_norm) norm(prefix + "final_norm", s_.width);
    }

    void layer(const std::string& prefix, std::int64_t number, bool cross) {
        sublayer_norms(prefix + "attention", true);
        attention(prefix + "attention.");
        if (cross) {
            sublayer_norms(prefix + "cross_attention", true);
            attention(prefix + "cross_attention.");
        }
        const bool routed = s_.experts > 0 && number > s_.dense_first && number % s_.expert_every == 0;
        if (!routed && s_.ffn == 0) return;
        sublayer_norms(prefix + "ffn", !s_.shared_norm);
        if (routed) {
            experts(prefix + "experts.");
        } else {
            feed_forward(prefix + "ffn.", {}, s_.ffn);
        }
    }

    void sublayer_norms(const std::string& sublayer, bool wanted) {
        if (!wanted) return;
        norm(sublayer + "_norm", s_.width);
        if (s_.norm_order == NormOrder::both) norm(sublayer + "_post_norm", s_.width);
    }

    void attention(const std::string& prefix) {
        if (s_.kv_rank > 0) {
            latent(prefix);
        } else {
            out_.linear(prefix + "query", s_.width, s_.heads * s_.head_dim, s_.qkv_bias);
            out_.linear(prefix + "key", s_.width, s_.kv_heads * s_.head_dim, s_.qkv_bias);
            out_.linear(prefix + "value", s_.width, s_.kv_heads * s_.value_dim, s_.qkv_bias);
            if (s_.qk_norm == QkNorm::head) {
                norm(prefix + "query_norm", s_.head_dim);
                norm(prefix + "key_norm", s_.head_dim);
            } else if (s_.qk_norm == QkNorm::full) {
                norm(prefix + "query_norm", s_.heads * s_.head_dim);
                norm(prefix + "key_norm", s_.kv_heads * s_.head_dim);
            }
        }
        if (s_.sinks) out_.add(prefix + "sinks", {s_.heads});
        out_.linear(prefix + "output", s_.heads * s_.value_dim, s_.width, s_.out_bias);
    }

    void latent(const std::string& prefix) {
        const std::int64_t queries = s_.heads * s_.head_dim;
        if (s_.q_rank > 0) {
            out_.linear(prefix + "query_down", s_.width, s_.q_rank, s_.qkv_bias);
            norm(prefix + "query_latent_norm", s_.q_rank);
            out_.linear(prefix + "query_up", s_.q_rank, queries, false);
        } else {
            out_.linear(prefix + "query", s_.width, queries, false);
        }
        out_.linear(prefix + "kv_down", s_.width, s_.kv_rank + s_.rope_dim, s_.qkv_bias);
        norm(prefix + "kv_latent_norm", s_.kv_rank);
        out_.linear(prefix + "kv_up", s_.kv_rank, s_.heads * (s_.head_dim - s_.rope_dim + s_.value_dim),
                    false);
    }

    // `stacked` is the number of such nets in one tensor, if any.
    void feed_forward(const std::string& prefix, std::vector<std::int64_t> stacked, std::int64_t hidden) {
        if (s_.ffn_matrices == 3) weights(prefix + "gate", stacked, s_.width, hidden);
        weights(prefix + "up", stacked, s_.width, hidden);
        weights(prefix + "down", stacked, hidden, s_.width);
    }

    void weights(const std::string& name, std::vector<std::int64_t> stacked, std::int64_t in,
                 std::int64_t out) {
        auto bias = stacked;
        stacked.insert(stacked.end(), {out, in});
        bias.push_back(out);
        out_.add(name + ".weight", stacked);
        if (s_.ffn_bias) out_.add(name + ".bias", bias);
    }

    void experts(const std::string& prefix) {
        out_.linear(prefix + "router", s_.width, s_.experts, s_.router_bias);
        feed_forward(prefix, {s_.experts}, s_.expert_ffn);
        if (s_.experts_shared > 0) feed_forward(prefix + "shared.", {s_.experts_shared}, s_.shared_ffn);
    }

    void outputs() {
        if (s_.pooler) out_.linear("pooler", s_.width, s_.width, true);
        if (s_.head == HeadKind::classes) out_.linear("head", s_.width, s_.classes, s_.head_bias);
        if (s_.head != HeadKind::vocab) return;
        const std::int64_t row = s_.head_rank > 0 ? s_.head_rank : s_.width;
        if (s_.head_transform) {
            out_.linear("head.transform", s_.width, row, true);
            norm("head.norm", row);
        } else if (s_.head_rank > 0) {
            out_.linear("head.factor", s_.width, row, false);
        }
        if (!s_.tied) out_.add("head.weight", {s_.vocab, row});
        if (s_.head_bias) out_.add("head.bias", {s_.vocab});
    }

    const TransformerSpec& s_;
    TensorList out_;
};

}  // namespace

std::vector<TensorShape> list_tensors(const TransformerSpec& spec) { return Lister(spec).all(); }

}  // namespace plimsoll::arch
