#include "plimsoll/arch/flat_nets_keys.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/arch/limits.h"
#include "plimsoll/arch/rules.h"

namespace plimsoll::arch {
namespace {

template <class S>
auto flat_field(auto FlatNet::* member) {
    return [member](S& s) -> auto& { return s.net.*member; };
}

// Whether layers have skip connections and biases when nobody says.
struct FlatDefaults {
    bool skip = false, bias = false;
};

template <class S>
void add_flat_net(KeyTable<S>& keys, FlatDefaults usual = {}) {
    const Default<bool, S> layered{"on for norm=layer", [](const Draft<S>& d) -> Result<bool> {
                                       return d.spec.net.norm == Norm::layer;
                                   }};
    keys.integer("depth", flat_field<S>(&FlatNet::depth), {1, max_depth}, required, "layers");
    keys.integer("width", flat_field<S>(&FlatNet::width), {1, max_flat_width}, required,
                 "m, numbers in every layer");
    keys.integer("inputs", flat_field<S>(&FlatNet::inputs), {1, max_hidden, true}, 0,
                 "numbers in the input, mapped to width densely");
    keys.integer("classes", flat_field<S>(&FlatNet::classes), {1, max_classes, true}, 0,
                 "outputs of a dense last layer");
    keys.template choice<Activation>("activation", flat_field<S>(&FlatNet::activation), activation_names(),
                                     Activation::relu, "phi");
    keys.template choice<Norm>("norm", flat_field<S>(&FlatNet::norm), norm_names(), Norm::none,
                               "before each layer");
    keys.flag("norm_bias", flat_field<S>(&FlatNet::norm_bias), layered, "bias of layer norms");
    keys.flag("skip", flat_field<S>(&FlatNet::skip), usual.skip, "skip connections");
    keys.flag("bias", flat_field<S>(&FlatNet::bias), usual.bias, "biases");
}

Status check_flat_net(const FlatNet& net) {
    if (net.norm != Norm::layer && net.norm_bias) return clash("norm_bias", "needs norm=layer");
    return {};
}

// Entries of one matrix, masked or not; at most max_flat_width squared.
std::int64_t cells(const SwMlpSpec& s) { return s.net.width * (s.hidden == 0 ? s.net.width : s.hidden); }

Result<std::int64_t> connections_of(const Draft<SwMlpSpec>& d) {
    const double density = d.shorthand("density", 0);
    if (density == 0) return clash("connections", "missing; give connections or density");
    const auto wanted = std::llround(density * static_cast<double>(cells(d.spec)));
    if (wanted < 1) return clash("density", "leaves no connection");
    return std::min<std::int64_t>(wanted, cells(d.spec));
}

}  // namespace

KeyTable<PkSpec> pk_keys() {
    using S = PkSpec;
    KeyTable<S> keys;
    add_flat_net(keys);
    keys.list("blocks", &S::blocks, {1, max_flat_width}, "",
              "k of layer 1, 2, .., repeated; each divides width");
    keys.choice<PkPermutations>("permutations", &S::permutations, {"none", "commutation", "random"},
                                PkPermutations::random, "J_1 and J_2");
    keys.seed("permutation_seed", &S::permutation_seed, "seed of permutations=random");
    return keys;
}

Status check(const PkSpec& s) {
    PLIMSOLL_RETURN_IF_ERROR(check_flat_net(s.net));
    if (s.blocks.empty()) return clash("blocks", "must name at least one number of blocks");
    PLIMSOLL_RETURN_IF_ERROR(at_most("blocks", std::ssize(s.blocks), "depth", s.net.depth));
    for (const auto k : s.blocks) PLIMSOLL_RETURN_IF_ERROR(divides("blocks", k, "width", s.net.width));
    if (s.permutation_seed != 0 && s.permutations != PkPermutations::random) {
        return clash("permutation_seed", "needs permutations=random");
    }
    return {};
}

KeyTable<SwMlpSpec> sw_mlp_keys() {
    using S = SwMlpSpec;
    KeyTable<S> keys;
    add_flat_net(keys);
    keys.integer("hidden", &S::hidden, {1, max_flat_width, true}, 0,
                 "hidden width of W2 phi(W1 x); none: one matrix per layer");
    keys.shorthand("density", 1, "none",
                   "p: connections are the nearest whole number to p * cells of a matrix");
    keys.integer("connections", &S::connections, {1, max_connections}, {"density * cells", connections_of},
                 "non-zeros of every matrix");
    keys.seed("mask_seed", &S::mask_seed, "seed of the static mask");
    return keys;
}

Status check(const SwMlpSpec& s) {
    PLIMSOLL_RETURN_IF_ERROR(check_flat_net(s.net));
    return at_most("connections", s.connections, "the cells of a matrix", cells(s));
}

KeyTable<MonarchSpec> monarch_keys() {
    using S = MonarchSpec;
    KeyTable<S> keys;
    add_flat_net(keys);
    keys.integer("hidden", &S::hidden, {1, max_flat_width, true}, 0,
                 "hidden width of W2 phi(W1 x); none: one matrix per layer");
    keys.integer("blocks", &S::blocks, {1, max_flat_width}, 4, "blocks of the first factor");
    keys.integer("second_blocks", &S::second_blocks, {1, max_flat_width},
                 {"blocks", [](const Draft<S>& d) -> Result<std::int64_t> { return d.spec.blocks; }},
                 "blocks of the second factor");
    keys.flag("tied_blocks", &S::tied_blocks, false, "all blocks of a factor are one matrix");
    return keys;
}

KeyTable<MlpSpec> mlp_keys() {
    using S = MlpSpec;
    KeyTable<S> keys;
    add_flat_net(keys, {.skip = true, .bias = true});
    keys.integer(
        "hidden", &S::hidden, {1, max_hidden, true},
        {"2 * width", [](const Draft<S>& d) -> Result<std::int64_t> { return 2 * d.spec.net.width; }},
        "hidden width of W2 phi(W1 x); none: one matrix per layer");
    keys.list("categories", &S::categories, {1, max_categories}, "none",
              "rows of the table of each column of categories");
    return keys;
}

Status check(const MlpSpec& s) {
    if (s.net.width > max_width)
        return clash("width",
                     fmt::format("must be 1..{} in a dense network, got {}", max_width, s.net.width));
    return check_flat_net(s.net);
}

Status check(const MonarchSpec& s) {
    PLIMSOLL_RETURN_IF_ERROR(check_flat_net(s.net));
    PLIMSOLL_RETURN_IF_ERROR(divides("blocks", s.blocks, "width", s.net.width));
    PLIMSOLL_RETURN_IF_ERROR(divides("second_blocks", s.second_blocks, "width", s.net.width));
    if (s.hidden == 0) return {};
    PLIMSOLL_RETURN_IF_ERROR(divides("blocks", s.blocks, "hidden", s.hidden));
    return divides("second_blocks", s.second_blocks, "hidden", s.hidden);
}

}  // namespace plimsoll::arch
