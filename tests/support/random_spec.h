#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/arch/spec.h"

namespace plimsoll::testing {

// A small valid spec of `family`, a pure function of the two; every key of the family appears for some seed.
arch::ArchSpec random_spec(std::string_view family, std::uint64_t seed);

// The names of all families.
std::vector<std::string> family_names();

// Calls `body(spec)` for `draws` specs of every family (times PLIMSOLL_TEST_SCALE) and adds the spec's text
// to the failures of the body.
template <class Body>
void for_random_specs(int draws, Body body);

// PLIMSOLL_TEST_SCALE, 1 when it is not set.
int test_scale();

}  // namespace plimsoll::testing

#include <gtest/gtest.h>

namespace plimsoll::testing {

template <class Body>
void for_random_specs(int draws, Body body) {
    for (const auto& family : family_names()) {
        for (int seed = 0; seed < draws * test_scale(); ++seed) {
            const arch::ArchSpec spec = random_spec(family, static_cast<std::uint64_t>(seed));
            const ::testing::ScopedTrace trace(__FILE__, __LINE__,
                                               arch::to_text(spec) + " seed " + std::to_string(seed));
            body(spec);
            if (::testing::Test::HasFailure()) return;
        }
    }
}

}  // namespace plimsoll::testing
