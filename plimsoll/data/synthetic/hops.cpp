#include <algorithm>
#include <numeric>

#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"
#include "plimsoll/data/synthetic/synthetic_settings.h"

namespace plimsoll::data {
namespace {

struct HopsShape {
    std::uint64_t hops, symbols;
    bool mixed;

    // symbols pairs "a b" for "a points at b", the number of hops when mixed, the start.
    [[nodiscard]] std::size_t length() const { return 2 * symbols + (mixed ? 2 : 1); }
    [[nodiscard]] std::uint64_t vocabulary() const { return symbols + (mixed ? hops : 0); }
};

std::vector<std::uint16_t> shuffled_symbols(std::uint64_t symbols, RandomStream& stream) {
    std::vector<std::uint16_t> order(symbols);
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[stream.below(i)]);
    return order;
}

// All symbols on one circle, so that no number of hops below their count comes back to the start.
std::vector<std::uint16_t> circle(std::uint64_t symbols, RandomStream& stream) {
    const auto order = shuffled_symbols(symbols, stream);
    std::vector<std::uint16_t> target(symbols);
    for (std::size_t i = 0; i < symbols; ++i) target[order[i]] = order[(i + 1) % symbols];
    return target;
}

// Appends one example; returns its label.
std::uint16_t add_example(const HopsShape& shape, RandomStream& stream, std::vector<std::uint16_t>& tokens) {
    const auto target = circle(shape.symbols, stream);
    for (const std::uint16_t from : shuffled_symbols(shape.symbols, stream)) {
        tokens.push_back(from);
        tokens.push_back(target[from]);
    }
    const std::uint64_t hops = shape.mixed ? 1 + stream.below(shape.hops) : shape.hops;
    if (shape.mixed) tokens.push_back(static_cast<std::uint16_t>(shape.symbols + hops - 1));
    auto at = static_cast<std::uint16_t>(stream.below(shape.symbols));
    tokens.push_back(at);
    for (std::uint64_t hop = 0; hop < hops; ++hop) at = target[at];
    return at;
}

Result<HopsShape> shape_of(const SyntheticSettings& settings) {
    constexpr std::uint64_t most_symbols = 4096;
    PLIMSOLL_ASSIGN(symbols, settings.count("symbols", 2, most_symbols));
    PLIMSOLL_ASSIGN(hops, settings.count("hops", 1, symbols - 1));
    PLIMSOLL_ASSIGN(mixed, settings.flag("mixed"));
    return HopsShape{hops, symbols, mixed};
}

}  // namespace

Result<Synthetic> make_hops(const SyntheticSettings& settings, const ProgressCallback& progress) {
    constexpr std::uint64_t most_examples = 100'000'000;
    PLIMSOLL_ASSIGN(shape, shape_of(settings));
    PLIMSOLL_ASSIGN(count, settings.count("count", 1, most_examples));
    PLIMSOLL_ASSIGN(test, settings.count("test", 0, most_examples));
    PLIMSOLL_ASSIGN(seed, settings.count("seed", 0, INT64_MAX));
    LabelledSequences set{.length = shape.length(),
                          .vocabulary = static_cast<std::uint32_t>(shape.vocabulary()),
                          .classes = static_cast<std::uint16_t>(shape.symbols),
                          .test_count = test};
    std::vector<std::uint16_t> tokens;
    tokens.reserve((count + test) * set.length);
    for (std::uint64_t i = 0; i < count + test; ++i) {
        RandomStream stream(seed, fmt::format("data/hops/{}", i));
        set.labels.push_back(add_example(shape, stream, tokens));
        if (progress && i % 1024 == 0) progress(i, count + test);
    }
    set.tokens = HostArray(std::move(tokens));
    Synthetic result{.name = settings.full_name(), .dataset = std::move(set)};
    result.known = {
        {"look-ups one after the other", std::to_string(shape.hops)},
        {"accuracy of a guess", fmt::format("{:.2f} %", 100.0 / static_cast<double>(shape.symbols - 1))}};
    return result;
}

}  // namespace plimsoll::data
