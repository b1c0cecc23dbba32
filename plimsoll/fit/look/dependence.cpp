#include "plimsoll/fit/look/dependence.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "plimsoll/base/check.h"
#include "plimsoll/fit/look/shuffles.h"

namespace plimsoll::fit {
namespace {

constexpr std::size_t most_pairs = std::size_t{1} << 20U;
constexpr std::size_t most_distance = 4096;
constexpr std::size_t shuffled_block = 64;

double x_log2_x(double x) { return x > 0 ? x * std::log2(x) : 0; }

// Places of a row, in order: all below `end`, or so many spread over them, one at random in each stretch.
std::vector<std::size_t> spread_places(std::size_t end, std::size_t most, RandomStream& stream) {
    const std::size_t count = std::min(end, most);
    std::vector<std::size_t> places(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t from = i * end / count, to = (i + 1) * end / count;
        places[i] = from + stream.below(to - from);
    }
    return places;
}

struct CoarseRow {
    std::vector<std::uint8_t> symbols;
    std::size_t classes;
};

double information_at(const CoarseRow& row, std::span<const std::size_t> places, std::size_t distance) {
    PairCounts counts(row.classes, row.classes);
    for (const std::size_t place : places) counts.add(row.symbols[place], row.symbols[place + distance]);
    return counts.bits();
}

// Each block of neighbours is paired with a block from anywhere: neighbouring pairs stay as alike as they
// are.
double information_of_blocks(const CoarseRow& row, std::span<const std::size_t> places,
                             RandomStream& stream) {
    const auto& symbols = row.symbols;
    const std::size_t block = std::min(shuffled_block, symbols.size() / 4);
    PairCounts counts(row.classes, row.classes);
    std::size_t current = SIZE_MAX, start = 0;
    for (const std::size_t place : places) {
        if (place / block != current) {
            current = place / block;
            start = stream.below(symbols.size() - block);
        }
        counts.add(symbols[place], symbols[start + place % block]);
    }
    return counts.bits();
}

double information_of_places(const SymbolRows& rows, std::span<const PositionPair> places,
                             std::span<const std::uint32_t> partner) {
    double sum = 0;
    for (const PositionPair& pair : places) {
        PairCounts counts(rows.classes, rows.classes);
        for (std::size_t i = 0; i < rows.count(); ++i)
            counts.add(rows.at(i, pair.first), rows.at(partner[i], pair.second));
        sum += counts.bits();
    }
    return sum / static_cast<double>(places.size());
}

}  // namespace

PairCounts::PairCounts(std::size_t left, std::size_t right)
    : left_(left), right_(right), counts_(left * right) {}

double PairCounts::bits() const {
    if (total_ == 0) return 0;
    std::vector<double> rows(left_), cols(right_);
    double sum = 0, cells = 0;
    for (std::size_t i = 0; i < left_; ++i) {
        for (std::size_t j = 0; j < right_; ++j) {
            const double count = counts_[i * right_ + j];
            rows[i] += count;
            cols[j] += count;
            sum += x_log2_x(count);
            cells += count > 0 ? 1 : 0;
        }
    }
    double used = 0;
    for (const auto* side : {&rows, &cols}) {
        for (const double count : *side) {
            sum -= x_log2_x(count);
            used += count > 0 ? 1 : 0;
        }
    }
    const auto total = static_cast<double>(total_);
    const double bias = (cells - used + 1) / (2 * total * std::log(2.0));
    return (sum + x_log2_x(total)) / total - bias;
}

std::vector<std::uint8_t> coarse_symbols(std::span<const std::uint32_t> symbols, std::size_t classes) {
    PLIMSOLL_CHECK(classes >= 1 && classes <= 256, "classes must fit a byte");
    if (symbols.empty()) return {};
    std::vector<std::size_t> count(*std::ranges::max_element(symbols) + std::size_t{1});
    std::vector<std::uint32_t> ranked;  // in the order in which they are first seen
    for (const std::uint32_t symbol : symbols)
        if (count[symbol]++ == 0) ranked.push_back(symbol);
    std::ranges::stable_sort(ranked, std::greater{}, [&](std::uint32_t symbol) { return count[symbol]; });
    std::vector<std::uint8_t> class_of(count.size());
    for (std::size_t i = 0; i < ranked.size(); ++i)
        class_of[ranked[i]] = static_cast<std::uint8_t>(std::min(i, classes - 1));
    std::vector<std::uint8_t> coarse;
    coarse.reserve(symbols.size());
    for (const std::uint32_t symbol : symbols) coarse.push_back(class_of[symbol]);
    return coarse;
}

std::size_t countable_classes(std::size_t pairs, std::size_t most) {
    std::size_t classes = 2;
    while (classes < most && 8 * (classes + 1) * (classes + 1) <= pairs) ++classes;
    return classes;
}

std::vector<DependencePoint> row_dependence(std::span<const std::uint8_t> symbols, std::uint64_t seed) {
    const std::size_t furthest = std::min(most_distance, symbols.size() / 16);
    if (furthest == 0) return {};
    RandomStream stream(seed, "fit/dependence/places");
    const auto places = spread_places(symbols.size() - furthest, most_pairs, stream);
    const std::size_t classes = countable_classes(places.size(), 256);
    const CoarseRow row{coarse_symbols(std::vector<std::uint32_t>(symbols.begin(), symbols.end()), classes),
                        classes};
    const ShuffleLevel level =
        shuffle_level([&](RandomStream& shuffle) { return information_of_blocks(row, places, shuffle); },
                      seed, "fit/dependence/blocks");
    std::vector<DependencePoint> points;
    for (std::size_t distance = 1; distance <= furthest; distance *= 2) {
        const double bits = information_at(row, places, distance);
        points.push_back({static_cast<double>(distance), std::max(0.0, bits - level.bias), level.noise});
    }
    return points;
}

DependencePoint place_dependence(const SymbolRows& rows, std::span<const PositionPair> places,
                                 double distance, std::uint64_t seed) {
    PLIMSOLL_CHECK(!places.empty() && rows.count() > 0, "nothing to count");
    std::vector<std::uint32_t> same(rows.count());
    std::iota(same.begin(), same.end(), 0U);
    const ShuffleLevel level = shuffle_level(
        [&](RandomStream& shuffle) {
            return information_of_places(rows, places, random_order(rows.count(), shuffle));
        },
        seed, "fit/dependence/rows");
    return {distance, std::max(0.0, information_of_places(rows, places, same) - level.bias), level.noise};
}

double reach_of(std::span<const DependencePoint> points) {
    double reach = 0;
    for (const auto& point : points)
        if (point.bits > point.noise) reach = std::max(reach, point.distance);
    return reach;
}

}  // namespace plimsoll::fit
