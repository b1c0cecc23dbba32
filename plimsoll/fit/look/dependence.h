#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

// How the parts of an input depend on one another; docs/FIT_METHOD.md, "Looking at the data", says what is
// measured and what it proves about separation rank.
namespace plimsoll::fit {

// Mutual information of two symbols so far apart, in bits, with its bias taken off; `noise` is what
// independent ones of the same frequencies stay below (four deviations of sixteen shuffles).
struct DependencePoint {
    double distance = 0, bits = 0, noise = 0;
    bool operator==(const DependencePoint&) const = default;
};

// log2(1 + sum of squared canonical correlations) of the two halves of a window: at most log2 of the
// separation rank that the distribution of the data has across this split.
struct SplitDependence {
    std::string split;  // "left/right", "interleaved"
    double bits = 0, noise = 0;
    bool operator==(const SplitDependence&) const = default;
};

struct Dependence {
    std::string of;  // "bytes", "pixels", "tokens"
    std::vector<DependencePoint> by_distance;
    std::int64_t window = 0;  // units of a window that the splits divide
    std::vector<SplitDependence> splits;
    double reach = 0;  // the largest distance at which dependence is above noise; 0: at none
    std::vector<std::string> sentences;
    bool operator==(const Dependence&) const = default;
};

// How often pairs of symbols occur.
class PairCounts {
  public:
    PairCounts(std::size_t left, std::size_t right);
    void add(std::size_t left, std::size_t right) {
        ++counts_[left * right_ + right];
        ++total_;
    }
    // Mutual information in bits: of the counts as they are, less Miller and Madow's bias.
    [[nodiscard]] double bits() const;

  private:
    std::size_t left_, right_, total_ = 0;
    std::vector<std::uint32_t> counts_;
};

// The symbols with the most frequent `classes` - 1 of them kept apart and the others together; among equally
// frequent ones the first seen. The names of the symbols do not matter, but memory grows with the largest.
std::vector<std::uint8_t> coarse_symbols(std::span<const std::uint32_t> symbols, std::size_t classes);

// The most classes, 2 to `most`, of which each pair would be met 8 times if all were alike: with fewer the
// bias cannot be corrected.
std::size_t countable_classes(std::size_t pairs, std::size_t most);

// Examples of one length, one after the other; symbols are below `classes`.
struct SymbolRows {
    std::vector<std::uint8_t> symbols;
    std::size_t length = 0, classes = 0;
    [[nodiscard]] std::size_t count() const { return length == 0 ? 0 : symbols.size() / length; }
    [[nodiscard]] std::uint8_t at(std::size_t row, std::size_t place) const {
        return symbols[row * length + place];
    }
};

// Two places of an example.
struct PositionPair {
    std::size_t first = 0, second = 0;
};

// At distances 1, 2, 4, ... of one long row (symbols below 256), wherever in it: at most a million pairs a
// distance.
std::vector<DependencePoint> row_dependence(std::span<const std::uint8_t> symbols, std::uint64_t seed);

// At one distance of many examples: the mean over the pairs of places, each by itself, so that what a place
// always shows is no dependence.
DependencePoint place_dependence(const SymbolRows& rows, std::span<const PositionPair> places,
                                 double distance, std::uint64_t seed);

// The window's places of the two halves.
struct Split {
    std::string name;
    std::vector<std::size_t> first, second;
};
// Places 0 .. length - 1 (even): the first half against the second, and every other place against the rest.
std::vector<Split> row_splits(std::size_t length);

// Windows of `length` symbols from places all over a long row, with so few classes that the canonical
// correlations of the halves can be told from noise.
SymbolRows windows_of(std::span<const std::uint8_t> symbols, std::size_t length, std::uint64_t seed);

// Classes, 2 to 8, so that (places / 2 * (classes - 1))^2 is at most a quarter of `count` where that can be.
std::size_t classes_for(std::size_t count, std::size_t places);

// The canonical correlations of sums of functions of single symbols, adjusted for chance as R^2 is.
SplitDependence split_dependence(const SymbolRows& windows, const Split& split, std::uint64_t seed);

// The largest distance above noise.
double reach_of(std::span<const DependencePoint> points);

}  // namespace plimsoll::fit
