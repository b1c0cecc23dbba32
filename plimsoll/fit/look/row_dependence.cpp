#include "plimsoll/fit/look/row_dependence.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/format.h"

namespace plimsoll::fit {
namespace {

constexpr std::size_t window_symbols = 16;

std::string distances_sentence(const Dependence& dependence) {
    const auto& first = dependence.by_distance.front();
    const auto& last = dependence.by_distance.back();
    if (dependence.reach == 0) {
        return fmt::format(
            "Measured: {} tell nothing about one another at distances {:.0f} to {:.0f} (less than {:.2g} "
            "bits, the noise).",
            dependence.of, first.distance, last.distance, first.noise);
    }
    std::string text =
        fmt::format("Measured: {} {:.0f} apart share {:.3g} bits", dependence.of, first.distance, first.bits);
    for (const auto& point : dependence.by_distance)
        if (point.distance == dependence.reach && point.distance != first.distance)
            text += fmt::format(", {:.0f} apart {:.2g}", point.distance, point.bits);
    const std::string rest =
        dependence.reach < last.distance
            ? fmt::format("; further apart nothing is above the noise of {:.2g}.", last.noise)
            : fmt::format("; the noise is {:.2g}, and further was not looked.", last.noise);
    return text + rest;
}

std::string splits_sentence(const Dependence& dependence, std::string_view window) {
    const auto& halves = dependence.splits[0];
    const auto& turns = dependence.splits[1];
    const double factor = std::exp2(turns.bits - halves.bits);
    const std::string compared =
        turns.bits <= turns.noise && halves.bits <= halves.noise
            ? "neither is above noise"
            : fmt::format("the bound of the separation rank is {:.2g} times as high interleaved", factor);
    return fmt::format("Measured: across {}, at least {:.3g} bits left/right and {:.3g} interleaved; {}.",
                       window, halves.bits, turns.bits, compared);
}

}  // namespace

void describe(Dependence& dependence, std::string_view window) {
    dependence.reach = reach_of(dependence.by_distance);
    dependence.sentences.clear();
    if (!dependence.by_distance.empty()) dependence.sentences.push_back(distances_sentence(dependence));
    if (dependence.splits.size() == 2) dependence.sentences.push_back(splits_sentence(dependence, window));
}

Dependence dependence_of_row(std::span<const std::uint8_t> symbols, std::string of, std::uint64_t seed) {
    Dependence result{.of = std::move(of), .window = window_symbols};
    result.by_distance = row_dependence(symbols, seed);
    const SymbolRows windows = windows_of(symbols, window_symbols, seed);
    if (windows.count() > 1)
        for (const Split& split : row_splits(window_symbols))
            result.splits.push_back(split_dependence(windows, split, seed));
    describe(result, fmt::format("a window of {} {}", window_symbols, result.of));
    return result;
}

Dependence dependence_of_row(std::span<const std::uint32_t> ids, std::string of, std::uint64_t seed) {
    constexpr std::size_t most_ids = std::size_t{1} << 25U, most_classes = 256;
    return dependence_of_row(coarse_symbols(ids.first(std::min(ids.size(), most_ids)), most_classes),
                             std::move(of), seed);
}

std::vector<std::uint8_t> sampled_bytes(const TextPieces& pieces, std::size_t most) {
    constexpr std::size_t stretch = std::size_t{1} << 20U;
    const std::size_t all = bytes_of(pieces);
    const std::size_t every = all <= most ? 1 : (all + most - 1) / most;  // of so many stretches one is taken
    std::vector<std::uint8_t> sample;
    std::size_t at = 0;
    for (const auto piece : pieces) {
        for (std::size_t i = 0; i < piece.size();) {
            const std::size_t end = std::min(piece.size(), i + stretch - at % stretch);
            if (at / stretch % every == 0)
                for (const char byte : piece.substr(i, end - i))
                    sample.push_back(static_cast<std::uint8_t>(byte));
            at += end - i;
            i = end;
        }
    }
    return sample;
}

}  // namespace plimsoll::fit
