#include "tests/support/random_spec.h"

#include <cstdlib>
#include <map>
#include <stdexcept>

#include "plimsoll/base/random.h"
#include "plimsoll/base/text.h"

namespace plimsoll::testing {
namespace {

using Choices = std::vector<std::string>;

// Values to draw for the keys that are not on|off, by family where the families differ.
const std::map<std::string, Choices>& common_values() {
    static const std::map<std::string, Choices> values{
        {"depth", {"1", "2", "3", "4", "6"}},
        {"width", {"8", "12", "16", "24", "48"}},
        {"heads", {"1", "2", "4"}},
        {"head_dim", {"1", "3", "4", "8"}},
        {"vocab", {"3", "17", "50"}},
        {"embedding", {"none", "vocab", "conv"}},
        {"embedding_rank", {"1", "2", "3", "20"}},
        {"position_rank", {"1", "2", "3"}},
        {"context", {"5", "16", "33"}},
        {"patch", {"2", "4"}},
        {"patch_width", {"1", "2", "4"}},
        {"image", {"4", "8", "16"}},
        {"image_width", {"4", "8", "16"}},
        {"image_channels", {"1", "3"}},
        {"classes", {"2", "10"}},
        {"stack", {"decoder", "encoder", "encoder-decoder"}},
        {"style", {"gpt2", "modern"}},
        {"decoder_depth", {"1", "2", "5"}},
        {"layer_groups", {"1", "2"}},
        {"order", {"interleaved", "attention-first", "parallel"}},
        {"kv_heads", {"1", "2"}},
        {"kv_rank", {"2", "5"}},
        {"q_rank", {"3", "7"}},
        {"rope_dim", {"1", "2"}},
        {"value_dim", {"1", "5"}},
        {"attention", {"softmax", "linear"}},
        {"qk_norm", {"none", "head", "full"}},
        {"ffn", {"none", "7", "32"}},
        {"ffn_matrices", {"2", "3"}},
        {"activation", {"gelu", "relu", "silu", "tanh", "square", "identity"}},
        {"experts", {"2", "4"}},
        {"experts_active", {"1", "2", "3"}},
        {"experts_shared", {"1", "2"}},
        {"expert_ffn", {"3", "9"}},
        {"shared_ffn", {"4", "5"}},
        {"dense_first", {"1", "2"}},
        {"expert_every", {"2", "3"}},
        {"norm", {"none", "layer", "rms"}},
        {"norm_order", {"pre", "post", "both"}},
        {"segments", {"2"}},
        {"extra_tokens", {"none", "1", "5"}},
        {"position_buckets", {"4", "32"}},
        {"head", {"none", "vocab", "classes"}},
        {"head_rank", {"2", "3", "20"}},
        {"rows", {"1", "2", "3"}},
        {"cols", {"1", "2"}},
        {"residual", {"all", "none", "1", "1+2"}},
        {"odd", {"none", "0", "1+0", "3+2+1+0", "1+2+0"}},
        {"even", {"none", "0", "1+0", "0+2+1+3"}},
        {"skip", {"none", "0", "1+0", "1+2+3+0"}},
        {"channels", {"4", "8", "16"}},
        {"tokens", {"2", "4", "8", "16"}},
        {"expansion", {"0.5", "1", "2"}},
        {"token_hidden", {"3", "8", "16"}},
        {"channel_hidden", {"5", "8"}},
        {"permuted", {"all", "1", "1+2"}},
        {"permutation_seed", {"1", "77"}},
        {"inputs", {"5", "10"}},
        {"hidden", {"8", "24", "none"}},
        {"categories", {"3", "2+5"}},
        {"density", {"0.1", "0.5", "1"}},
        {"connections", {"1", "20", "64"}},
        {"mask_seed", {"3"}},
        {"blocks", {"1", "2", "4"}},
        {"second_blocks", {"1", "2", "8"}},
        {"region", {"1", "2"}},
        {"bottleneck", {"2", "3"}},
        {"cross_region", {"none", "2"}},
    };
    return values;
}

Choices values_of(const std::string& family, const std::string& key) {
    if (key == "positions" && family == "attention") return {"none", "ranked", "free"};
    if (key == "positions") return {"none", "learned", "sinusoidal", "rope", "alibi", "relative"};
    if (key == "permutations" && family == "pk") return {"none", "commutation", "random"};
    if (key == "permutations") return {"none", "random", "given"};
    if (key == "blocks" && family == "pk") return {"1", "2", "4", "2+4", "1+8+2"};
    if (key == "residual" && family == "attention") return {"on", "off"};
    if (key == "skip" && family != "square-mixer") return {"on", "off"};
    const auto found = common_values().find(key);
    return found == common_values().end() ? Choices{"on", "off"} : found->second;
}

std::string pick(RandomStream& random, const Choices& choices) {
    return choices[random.below(choices.size())];
}

// Keys that must be there, or that open the way for others and would otherwise be rare.
bool wanted(RandomStream& random, const arch::KeyInfo& key, std::uint64_t rarity) {
    if (key.fallback.empty()) return true;
    if (key.name == "vocab" || key.name == "context") return random.below(2) == 0;
    if (key.name == "density" || key.name == "connections" || key.name == "tokens")
        return random.below(2) == 0;
    if (key.name == "stack" || key.name == "order" || key.name == "tied") return random.below(3) == 0;
    if (key.name == "experts" || key.name == "kv_rank" || key.name == "patch") return random.below(4) == 0;
    return random.below(rarity) == 0;
}

std::string draw_text(const arch::FamilyInfo& family, RandomStream& random) {
    const std::uint64_t rarity = 3 + random.below(12);
    Choices pairs;
    for (const auto& key : family.keys) {
        if (!wanted(random, key, rarity)) continue;
        pairs.push_back(key.name + "=" + pick(random, values_of(family.name, key.name)));
    }
    return family.name + ":" + join(pairs, ",");
}

const std::vector<arch::FamilyInfo>& all_families() {
    static const std::vector<arch::FamilyInfo> families = arch::families();
    return families;
}

const arch::FamilyInfo& find(std::string_view name) {
    for (const auto& family : all_families()) {
        if (family.name == name) return family;
    }
    throw std::runtime_error("no family " + std::string(name));
}

}  // namespace

// Contradictory draws are thrown away: parse_spec is the judge, and its own tests say what it refuses.
arch::ArchSpec random_spec(std::string_view family, std::uint64_t seed) {
    RandomStream random(seed, family);
    for (int attempt = 0; attempt < 100'000; ++attempt) {
        const auto spec = arch::parse_spec(draw_text(find(family), random));
        if (spec.ok()) return *spec;
    }
    throw std::runtime_error("no valid draw for " + std::string(family));
}

std::vector<std::string> family_names() {
    std::vector<std::string> names;
    for (const auto& family : all_families()) names.push_back(family.name);
    return names;
}

int test_scale() {
    const char* scale = std::getenv("PLIMSOLL_TEST_SCALE");
    return scale == nullptr ? 1 : std::max(1, std::atoi(scale));
}

}  // namespace plimsoll::testing
