#include "plimsoll/nets/jet_ring.h"

#include <gtest/gtest.h>

#include "plimsoll/nets/matrix.h"

namespace plimsoll::nets {
namespace {

const PrimeField jet_field;
const JetRing jets(jet_field);

Jet random_jet(RandomStream& stream) {
    return {jet_field.random(stream), jet_field.random(stream), jet_field.random(stream),
            jet_field.random(stream)};
}

TEST(JetRing, ProductIsCommutativeAssociativeAndDistributive) {
    RandomStream stream(51, "tests/jets");
    for (int draw = 0; draw < 20; ++draw) {
        const Jet a = random_jet(stream), b = random_jet(stream), c = random_jet(stream);
        EXPECT_EQ(jets.multiply(a, b), jets.multiply(b, a));
        EXPECT_EQ(jets.multiply(jets.multiply(a, b), c), jets.multiply(a, jets.multiply(b, c)));
        EXPECT_EQ(jets.multiply(a, jets.add(b, c)), jets.add(jets.multiply(a, b), jets.multiply(a, c)));
        EXPECT_EQ(jets.add(jets.subtract(a, b), b), a);
    }
}

// (x + s + t)^n has derivative n x^(n-1) and second derivative n (n-1) x^(n-2).
TEST(JetRing, CoefficientsAreDerivatives) {
    const Jet x{5, 1, 1, 0};
    const Jet cube = power(jets, x, 3);
    EXPECT_EQ(cube, (Jet{125, 75, 75, 30}));
}

TEST(JetRing, ConstantsHaveNoDerivative) {
    RandomStream stream(52, "tests/jets");
    const Jet a = jets.random(stream);
    EXPECT_EQ(jets.multiply(a, jets.from_integer(-1)), (Jet{jet_field.subtract(0, a.constant)}));
}

}  // namespace
}  // namespace plimsoll::nets
