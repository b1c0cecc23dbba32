#include "plimsoll/theory/papers/counterexample.h"

#include <algorithm>
#include <map>

#include "plimsoll/base/check.h"

namespace plimsoll::theory {
namespace {

using Exponents = std::map<std::pair<std::int64_t, std::int64_t>, Integer>;  // (s, t) with s <= t

void add(Exponents& into, const Exponents& other) {
    for (const auto& [entry, count] : other) into[entry] += count;
}

}  // namespace

// Layer l maps coordinate h to x_h G_{st} of the layer below, so e_h <- e_h + e_s + e_t + 1_{st}.
Integer monomial_separation_rank(const MonomialNetwork& network, std::int64_t coordinate) {
    const std::int64_t d = network.width;
    PLIMSOLL_CHECK(d >= 1 && coordinate >= 0 && coordinate < d, "the coordinate must lie in the width");
    std::vector<Exponents> current(static_cast<std::size_t>(d));
    for (const auto& [a, b] : network.shifts) {
        std::vector<Exponents> next(current.size());
        for (std::int64_t h = 0; h < d; ++h) {
            const std::int64_t s = (h + a % d + d) % d, t = (h + b % d + d) % d;
            Exponents& exponents = next[static_cast<std::size_t>(h)];
            for (const auto source : {h, s, t}) add(exponents, current[static_cast<std::size_t>(source)]);
            exponents[std::minmax(s, t)] += 1;
        }
        current = std::move(next);
    }
    Integer product = 1;
    for (const auto& [entry, count] : current[static_cast<std::size_t>(coordinate)]) product *= count + 1;
    return product;
}

}  // namespace plimsoll::theory
