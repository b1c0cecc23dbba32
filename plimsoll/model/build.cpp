#include <ATen/Context.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/model/builder.h"
#include "plimsoll/model/init.h"
#include "plimsoll/model/torch_compat.h"

namespace plimsoll::model {
namespace {

// Before the first product of any program that builds a network.
[[maybe_unused]] const bool tiles_are_off = without_tiles();

// Something a family may ask for that is not built, and why.
struct Refusal {
    bool asked;
    const char* key;
    const char* message;
};

Status first_refusal(std::initializer_list<Refusal> refusals) {
    for (const Refusal& refusal : refusals) {
        if (refusal.asked) return unsupported(refusal.key, refusal.message);
    }
    return {};
}

Status check_family(const arch::TransformerSpec& s) {
    const bool linear = s.attention == arch::AttentionKind::linear;
    const bool parallel = s.order == arch::LayerOrder::parallel;
    const bool biased =
        s.positions == arch::PositionKind::alibi || s.positions == arch::PositionKind::relative;
    const bool relative = s.positions == arch::PositionKind::relative;
    const std::int64_t least_buckets = s.stack == arch::Stack::decoder ? 2 : 4;
    return first_refusal(
        {{s.stack == arch::Stack::encoder_decoder, "stack",
          "an encoder-decoder cannot be trained here; a decoder or an encoder can"},
         {s.experts > 0, "experts", "routed experts cannot be trained here; they can be counted and audited"},
         {s.kv_rank > 0, "kv_rank", "latent attention (MLA) cannot be trained here; kv_heads can"},
         {s.sinks, "sinks", "attention sinks cannot be trained here"},
         {linear && biased, "positions",
          "attention=linear has no scores for a bias to weigh; use learned, sinusoidal, rope or none"},
         {relative && s.position_buckets < least_buckets, "position_buckets",
          "too few to tell distances apart; a decoder needs 2, an encoder 4"},
         {parallel && s.norm_order == arch::NormOrder::post, "norm_order",
          "post is not defined for order=parallel; use pre or both"},
         {s.shared_norm && s.norm_order == arch::NormOrder::both, "shared_norm",
          "is not defined with norm_order=both"}});
}

Status check_family(const arch::SwMlpSpec& s) {
    constexpr std::int64_t limit = std::int64_t{1} << 31;
    return first_refusal({{s.connections >= limit, "connections", "must be below 2^31 to be trained here"}});
}

template <class Spec>
Status check_family(const Spec&) {
    return {};
}

Status check_options(const arch::ArchSpec& spec, const BuildOptions& options) {
    if (!(options.dropout >= 0 && options.dropout < 1)) {
        return bad_input("dropout", fmt::format("must be at least 0 and below 1, got {}", options.dropout));
    }
    if (options.dropout > 0 && arch::is_analysed(spec)) {
        return unsupported("dropout", fmt::format("{} is a polynomial of its input and has no dropout",
                                                  arch::family_name(spec)));
    }
    if (options.init_seeds.empty()) return bad_input("init_seeds", "must have one seed for each run");
    if (options.dtype != torch::kFloat && options.dtype != torch::kDouble) {
        return unsupported("dtype", "parameters are float or double; bfloat16 is for the products alone");
    }
    if (options.device.is_cuda() && !at::globalContext().hasCUDA()) {
        return unsupported("device", "this build or machine has no CUDA; use cpu");
    }
    return {};
}

Built build_family(const arch::AttentionSpec& s, Builder& b) { return build_attention(s, b); }
Built build_family(const arch::TransformerSpec& s, Builder& b) { return build_transformer(s, b); }
Built build_family(const arch::SquareMixerSpec& s, Builder& b) { return build_square_mixer(s, b); }
Built build_family(const arch::SquareMlpSpec& s, Builder& b) { return build_square_mlp(s, b); }
Built build_family(const arch::MixerSpec& s, Builder& b) { return build_mixer(s, b); }
Built build_family(const arch::PkSpec& s, Builder& b) { return build_pk(s, b); }
Built build_family(const arch::SwMlpSpec& s, Builder& b) { return build_sw_mlp(s, b); }
Built build_family(const arch::MonarchSpec& s, Builder& b) { return build_monarch(s, b); }
Built build_family(const arch::S2MlpSpec& s, Builder& b) { return build_s2_mlp(s, b); }
Built build_family(const arch::VipSpec& s, Builder& b) { return build_vip(s, b); }
Built build_family(const arch::HireMlpSpec& s, Builder& b) { return build_hire_mlp(s, b); }
Built build_family(const arch::MlpSpec& s, Builder& b) { return build_mlp(s, b); }

std::unique_ptr<Network> build_checked(const arch::ArchSpec& spec, const BuildOptions& options,
                                       const std::string& init) {
    Builder builder(spec, options, init);
    Built network = std::visit([&](const auto& s) { return build_family(s, builder); }, spec);
    const auto unused = builder.unused();
    PLIMSOLL_CHECK(unused.empty(), "parameters without a use: " + join(unused, ", "));
    network->take(spec, builder);
    return network;
}

}  // namespace

Result<std::unique_ptr<Network>> build(const arch::ArchSpec& spec, const BuildOptions& options) {
    PLIMSOLL_RETURN_IF_ERROR(arch::validate(spec));
    PLIMSOLL_RETURN_IF_ERROR(check_options(spec, options));
    PLIMSOLL_RETURN_IF_ERROR(std::visit([](const auto& s) { return check_family(s); }, spec));
    PLIMSOLL_ASSIGN(init, resolve_initialisation(options.init, spec));
    try {
        return build_checked(spec, options, init);
    } catch (const c10::Error& error) {  // almost always: not enough memory
        return unsupported(arch::family_name(spec), error.what_without_backtrace());
    }
}

}  // namespace plimsoll::model
