#include "plimsoll/nets/kronecker_spec.h"

#include <gtest/gtest.h>

#include "plimsoll/arch/spec.h"
#include "tests/support/kronecker_mixers.h"

namespace plimsoll::nets {
namespace {

using testing::random_mixer;
using testing::simple_mixer;

const PrimeField field;

template <class Spec>
Result<KroneckerNetSpec> map_text(const char* text) {
    return kronecker_spec(std::get<Spec>(arch::parse_spec(text).value()));
}

std::vector<std::uint64_t> random_vector(std::size_t size) {
    RandomStream stream(3, "tests/x");
    return random_matrix(field, size, 1, stream).data();
}

std::vector<std::uint64_t> run(const KroneckerNetSpec& spec, const std::vector<std::uint64_t>& x) {
    return kronecker_net(field, draw_kronecker_net(field, spec, 7), x);
}

TEST(KroneckerSpec, SimpleMixerIsTheOneOfNets) {
    const auto spec = map_text<arch::MixerSpec>(
        "s-mixer:depth=2,tokens=3,channels=2,activation=square,norm=none,bias=off,skip=off");
    const auto x = random_vector(6);
    EXPECT_EQ(run(*spec, x), run(simple_mixer(3, 2, 2), x));
}

TEST(KroneckerSpec, PermutedSimpleMixerIsTheRandomMixer) {
    const auto spec = map_text<arch::MixerSpec>(
        "s-mixer:depth=1,tokens=3,channels=2,permuted=1,permutation_seed=9,activation=square,norm=none,bias="
        "off,skip=off");
    const auto x = random_vector(6);
    EXPECT_EQ(run(*spec, x), run(random_mixer(3, 2, 1, 9), x));
}

// blocks = C+S with commutations is the s-mixer (the promise of arch's PkPermutations).
TEST(KroneckerSpec, PkWithCommutationsIsTheSimpleMixer) {
    const auto pk =
        map_text<arch::PkSpec>("pk:depth=4,width=6,blocks=2+3,permutations=commutation,activation=square");
    const auto x = random_vector(6);
    EXPECT_EQ(run(*pk, x), run(simple_mixer(3, 2, 2), x));
}

// X + W_2 (W_1 X)^2, then Y + (Y V_1)^2 V_2.
TEST(KroneckerSpec, MixerBlockIsTwoMlpsWithSkips) {
    const auto spec = map_text<arch::MixerSpec>(
        "mixer:depth=1,tokens=3,channels=2,token_hidden=5,channel_hidden=4,activation=square,norm=none,bias="
        "off");
    const auto layers = draw_kronecker_net(field, *spec, 7);
    ASSERT_EQ(layers.size(), 4U);
    EXPECT_EQ(shape(layers[0].weight), (std::pair<std::size_t, std::size_t>{5, 3}));
    const auto x = unvec(random_vector(6), 3, 2);
    const auto token =
        product(field, layers[1].weight, hadamard_power(field, product(field, layers[0].weight, x), 2));
    const auto y = sum(field, x, token);
    const auto channel =
        product(field, hadamard_power(field, product(field, y, transpose(layers[2].weight)), 2),
                transpose(layers[3].weight));
    EXPECT_EQ(unvec(kronecker_net(field, layers, vec(x)), 3, 2), sum(field, y, channel));
}

TEST(KroneckerSpec, PermutedBlocksShuffleEveryMatrix) {
    const auto spec = map_text<arch::MixerSpec>(
        "rp-mixer:depth=2,tokens=3,channels=2,expansion=2,permuted=2,activation=square,norm=none,bias=off,"
        "skip=off");
    ASSERT_TRUE(spec.ok());
    ASSERT_EQ(spec->layers.size(), 8U);
    for (std::size_t k = 0; k < 8; ++k) EXPECT_EQ(spec->layers[k].shuffle == Shuffle::random, k >= 4);
    const auto layers = draw_kronecker_net(field, *spec, 1);
    EXPECT_EQ(layers[4].before.size(), 6U);
    EXPECT_EQ(layers[4].after.size(), 12U);
    EXPECT_TRUE(is_permutation(layers[4].after));
}

TEST(KroneckerSpec, NetsThatAreNoPolynomialsAreRefused) {
    const auto pk = [](const char* text) { return map_text<arch::PkSpec>(text).error().text(); };
    EXPECT_EQ(pk("pk:depth=1,width=4,blocks=2"), "activation: must be square for a polynomial net");
    EXPECT_EQ(pk("pk:depth=1,width=4,blocks=2,activation=square,norm=layer"),
              "norm: must be none for a polynomial net");
    EXPECT_EQ(pk("pk:depth=1,width=4,blocks=2,activation=square,bias=on"),
              "bias: must be off: the analysed nets have none");
    EXPECT_EQ(pk("pk:depth=1,width=4,blocks=2,activation=square,inputs=9"),
              "inputs: must be none: the analysed nets start with their first layer");
    EXPECT_EQ(pk("pk:depth=1,width=4,blocks=2,activation=square,classes=9"),
              "classes: must be none: the analysed nets end with their last layer");
    const auto mixer = [](const std::string& keys) {
        return map_text<arch::MixerSpec>(("s-mixer:depth=1,channels=3," + keys).c_str()).error();
    };
    EXPECT_EQ(mixer("tokens=2").text(), "activation: must be square for a polynomial net");
    EXPECT_EQ(mixer("tokens=2,activation=square").text(), "norm: must be none for a polynomial net");
    EXPECT_EQ(mixer("tokens=2,activation=square,norm=none,bias=off,causal=on").text(),
              "causal: must be off: the analysed mixers have no masks");
    EXPECT_EQ(mixer("tokens=2,activation=square,norm=none,bias=off,classes=4").text(),
              "classes: must be none: the analysed mixers end with their last block");
    EXPECT_EQ(mixer("tokens=2").kind, ErrorKind::unsupported);
}

}  // namespace
}  // namespace plimsoll::nets
