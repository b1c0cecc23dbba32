#include "plimsoll/nets/kronecker_spec.h"

#include <algorithm>
#include <array>

namespace plimsoll::nets {
namespace {

// A key that must have one value for the net to be a polynomial in its input alone.
struct Demand {
    const char* key;
    const char* message;
    bool met;
};

template <std::size_t n>
Status check_demands(const std::array<Demand, n>& demands) {
    const auto* unmet = std::find_if(demands.begin(), demands.end(), [](const Demand& d) { return !d.met; });
    if (unmet == demands.end()) return {};
    return unsupported(unmet->key, unmet->message);
}

Shuffle shuffle_of(arch::PkPermutations permutations) {
    switch (permutations) {
        case arch::PkPermutations::none:
            return Shuffle::none;
        case arch::PkPermutations::commutation:
            return Shuffle::commutation;
        case arch::PkPermutations::random:
            break;
    }
    return Shuffle::random;
}

// One step of a block: `copies` of a (size, size) matrix, or of an MLP with `hidden` numbers inside.
void add_step(KroneckerNetSpec& net, std::int64_t copies, std::int64_t size, std::int64_t hidden,
              Shuffle shuffle) {
    using Part = KroneckerShape::Part;
    if (hidden == 0) return net.layers.push_back({.copies = copies, .size = size, .shuffle = shuffle});
    net.layers.push_back({copies, size, shuffle, hidden, Part::first});
    net.layers.push_back({copies, hidden, shuffle, size, Part::second});
}

}  // namespace

Result<KroneckerNetSpec> kronecker_spec(const arch::PkSpec& spec) {
    const arch::FlatNet& net = spec.net;
    PLIMSOLL_RETURN_IF_ERROR(check_demands(std::array<Demand, 5>{
        {{"activation", "must be square for a polynomial net", net.activation == arch::Activation::square},
         {"norm", "must be none for a polynomial net", net.norm == arch::Norm::none},
         {"bias", "must be off: the analysed nets have none", !net.bias},
         {"inputs", "must be none: the analysed nets start with their first layer", net.inputs == 0},
         {"classes", "must be none: the analysed nets end with their last layer", net.classes == 0}}}));
    KroneckerNetSpec result;
    for (std::int64_t layer = 1; layer <= net.depth; ++layer) {
        const std::int64_t copies = arch::pk_blocks(spec, layer);
        result.layers.push_back(
            {.copies = copies, .size = net.width / copies, .shuffle = shuffle_of(spec.permutations)});
    }
    result.permutation_seed = spec.permutation_seed;
    result.skip = net.skip;
    return result;
}

Result<KroneckerNetSpec> kronecker_spec(const arch::MixerSpec& spec) {
    PLIMSOLL_RETURN_IF_ERROR(check_demands(std::array<Demand, 8>{
        {{"activation", "must be square for a polynomial net", spec.activation == arch::Activation::square},
         {"norm", "must be none for a polynomial net", spec.norm == arch::Norm::none},
         {"bias", "must be off: the analysed nets have none", !spec.bias},
         {"causal", "must be off: the analysed mixers have no masks", !spec.causal},
         {"patch", "must be none: the analysed mixers start with their first block", !spec.image.used()},
         {"vocab", "must be none: the analysed mixers read numbers", spec.vocab == 0},
         {"classes", "must be none: the analysed mixers end with their last block", spec.classes == 0},
         {"vocab_head", "must be off: the analysed mixers end with their last block", !spec.vocab_head}}}));
    KroneckerNetSpec result;
    for (std::int64_t block = 1; block <= spec.depth; ++block) {
        const bool permuted =
            std::find(spec.permuted.begin(), spec.permuted.end(), block) != spec.permuted.end();
        add_step(result, spec.channels, spec.tokens, spec.token_hidden,
                 permuted ? Shuffle::random : Shuffle::none);
        add_step(result, spec.tokens, spec.channels, spec.channel_hidden,
                 permuted ? Shuffle::random : Shuffle::conjugated);
    }
    result.permutation_seed = spec.permutation_seed;
    result.skip = spec.skip;
    return result;
}

}  // namespace plimsoll::nets
