#include "plimsoll/arch/mixer_keys.h"

#include <cmath>

#include "plimsoll/arch/limits.h"
#include "plimsoll/arch/rules.h"

namespace plimsoll::arch {
namespace {

using MixerDraft = Draft<MixerSpec>;

Result<std::int64_t> tokens_of_image(const MixerDraft& d) {
    if (!d.spec.image.used()) return clash("tokens", "missing; give tokens or patch");
    PLIMSOLL_RETURN_IF_ERROR(check_image(d.spec.image));
    return d.spec.image.patches();
}

// expansion * size; the shorthand is gamma of Hayase & Karakida.
Default<std::int64_t, MixerSpec> expanded(std::int64_t MixerSpec::* size) {
    return {"expansion * input", [size](const MixerDraft& d) -> Result<std::int64_t> {
                const double hidden = d.shorthand("expansion", 4) * static_cast<double>(d.spec.*size);
                if (hidden == std::floor(hidden)) return static_cast<std::int64_t>(hidden);
                return clash("expansion", fmt::format("times {} must be whole", d.spec.*size));
            }};
}

void add_hidden(KeyTable<MixerSpec>& keys) {
    keys.shorthand("expansion", 100, "4",
                   "gamma: hidden sizes are expansion * tokens and expansion * channels");
    keys.integer("token_hidden", &MixerSpec::token_hidden, {1, max_hidden}, expanded(&MixerSpec::tokens),
                 "hidden size of the token MLP");
    keys.integer("channel_hidden", &MixerSpec::channel_hidden, {1, max_hidden},
                 expanded(&MixerSpec::channels), "hidden size of the channel MLP");
}

void add_mixer_ends(KeyTable<MixerSpec>& keys, bool permuted) {
    const Default<bool, MixerSpec> by_vocab{
        "on with vocab and no classes",
        [](const MixerDraft& d) -> Result<bool> { return d.spec.vocab > 0 && d.spec.classes == 0; }};
    const Default<bool, MixerSpec> like_head{
        "vocab_head", [](const MixerDraft& d) -> Result<bool> { return d.spec.vocab_head; }};
    const Default<bool, MixerSpec> with_head{
        "vocab_head, unless permuted",
        [](const MixerDraft& d) -> Result<bool> { return d.spec.vocab_head && d.spec.permuted.empty(); }};
    keys.integer("vocab", &MixerSpec::vocab, {1, max_vocab, true}, 0, "tokens of a token table");
    keys.integer("classes", &MixerSpec::classes, {1, max_classes, true}, 0,
                 "classes of a linear classifier on the mean token");
    keys.flag("vocab_head", &MixerSpec::vocab_head, by_vocab, "next-token head");
    keys.flag("tied", &MixerSpec::tied, like_head, "the next-token head is the token table");
    if (permuted) return;
    keys.flag("causal", &MixerSpec::causal, with_head,
              "token mixing reads earlier tokens only; stored dense, masked");
}

}  // namespace

KeyTable<MixerSpec> mixer_keys(bool simple, bool permuted) {
    KeyTable<MixerSpec> keys;
    const Default<bool, MixerSpec> normed{
        "on unless norm=none", [](const MixerDraft& d) -> Result<bool> { return d.spec.norm != Norm::none; }};
    const Default<bool, MixerSpec> layered{
        "on for norm=layer", [](const MixerDraft& d) -> Result<bool> { return d.spec.norm == Norm::layer; }};
    keys.integer("depth", &MixerSpec::depth, {1, max_listed_depth}, required, "blocks");
    keys.integer("channels", &MixerSpec::channels, {1, max_width}, required, "C");
    add_image_keys<MixerSpec>(keys, &MixerSpec::image, 0);
    keys.integer("tokens", &MixerSpec::tokens, {1, max_width},
                 Default<std::int64_t, MixerSpec>{"patches of the image", tokens_of_image}, "S");
    if (!simple) add_hidden(keys);
    keys.layers(
        "permuted", &MixerSpec::permuted, [](const MixerSpec& s) { return s.depth; }, permuted,
        "blocks with frozen random permutations (RP-Mixer)");
    keys.seed("permutation_seed", &MixerSpec::permutation_seed, "seed of those permutations");
    keys.choice<Activation>("activation", &MixerSpec::activation, activation_names(), Activation::gelu,
                            "phi");
    keys.choice<Norm>("norm", &MixerSpec::norm, norm_names(), Norm::layer,
                      "before each step, over the channels");
    keys.flag("norm_bias", &MixerSpec::norm_bias, layered, "bias of layer norms");
    keys.flag("final_norm", &MixerSpec::final_norm, normed, "norm after the last block");
    keys.flag("skip", &MixerSpec::skip, true, "skip connections");
    keys.flag("bias", &MixerSpec::bias, true, "biases");
    add_mixer_ends(keys, permuted);
    return keys;
}

Status check(const MixerSpec& s) {
    PLIMSOLL_RETURN_IF_ERROR(check_image(s.image));
    if (s.image.used() && s.tokens != s.image.patches()) {
        return clash("tokens", fmt::format("must be the patches of the image, {}, got {}", s.image.patches(),
                                           s.tokens));
    }
    if (s.permutation_seed != 0 && s.permuted.empty()) return clash("permutation_seed", "needs permuted");
    if (s.norm != Norm::layer && s.norm_bias) return clash("norm_bias", "needs norm=layer");
    if (s.norm == Norm::none && s.final_norm) return clash("final_norm", "must be off with norm=none");
    if (s.vocab > 0 && s.image.used())
        return clash("patch", "must be none with vocab; give one kind of input");
    if (s.vocab_head && s.vocab == 0) return clash("vocab_head", "needs vocab");
    if (s.vocab_head && s.classes > 0) return clash("vocab_head", "must be off with classes");
    if (s.tied && !s.vocab_head) return clash("tied", "needs vocab_head");
    if (s.causal && !s.permuted.empty()) return clash("causal", "must be off with permuted blocks");
    if (s.causal && !s.simple && s.token_hidden % s.tokens != 0) {
        return clash("token_hidden", fmt::format("must be a multiple of tokens {} when causal, got {}",
                                                 s.tokens, s.token_hidden));
    }
    return {};
}

}  // namespace plimsoll::arch
