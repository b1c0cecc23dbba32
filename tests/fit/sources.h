#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/base/random.h"

// Sources of symbols about which everything is known.
namespace plimsoll::fit {

using Transitions = std::vector<std::vector<double>>;

inline std::size_t draw(const std::vector<double>& chances, RandomStream& stream) {
    double at = stream.uniform();
    for (std::size_t i = 0; i + 1 < chances.size(); ++i) {
        if (at < chances[i]) return i;
        at -= chances[i];
    }
    return chances.size() - 1;
}

// A Markov chain, after it has forgotten its start.
inline std::vector<std::uint8_t> markov_chain(const Transitions& chances, std::size_t count) {
    RandomStream stream(7, "test/markov");
    std::vector<std::uint8_t> symbols;
    std::size_t state = 0;
    for (std::size_t i = 0; i < count + 1000; ++i) {
        state = draw(chances[state], stream);
        if (i >= 1000) symbols.push_back(static_cast<std::uint8_t>(state));
    }
    return symbols;
}

inline Transitions product(const Transitions& a, const Transitions& b) {
    Transitions result(a.size(), std::vector<double>(a.size()));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < a.size(); ++j)
            for (std::size_t k = 0; k < a.size(); ++k) result[i][j] += a[i][k] * b[k][j];
    return result;
}

inline Transitions power(const Transitions& chances, int exponent) {
    Transitions result = chances;
    for (int i = 1; i < exponent; ++i) result = product(result, chances);
    return result;
}

inline std::vector<double> stationary(const Transitions& chances) { return power(chances, 200)[0]; }

inline std::vector<std::uint8_t> random_symbols(std::size_t count, std::uint64_t below) {
    RandomStream stream(11, "test/random");
    std::vector<std::uint8_t> symbols(count);
    for (auto& symbol : symbols) symbol = static_cast<std::uint8_t>(stream.below(below));
    return symbols;
}

// Not reversible: it goes round more often forwards than backwards.
inline const Transitions three_states{{0.1, 0.7, 0.2}, {0.15, 0.15, 0.7}, {0.5, 0.1, 0.4}};

}  // namespace plimsoll::fit
