#include "plimsoll/model/frozen.h"

#include <algorithm>
#include <numeric>

#include "plimsoll/base/check.h"
#include "plimsoll/base/format.h"

namespace plimsoll::model {
namespace {

using Cells = std::vector<std::int64_t>;

// Draws until `count` different cells have come up.
Cells draw_distinct(std::int64_t cells, std::int64_t count, RandomStream& stream) {
    Cells drawn;
    while (std::ssize(drawn) < count) {
        const std::int64_t missing = count - std::ssize(drawn);
        for (std::int64_t k = 0; k < missing; ++k) {
            drawn.push_back(static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(cells))));
        }
        std::sort(drawn.begin(), drawn.end());
        drawn.erase(std::unique(drawn.begin(), drawn.end()), drawn.end());
    }
    return drawn;
}

// The cells that are not in the sorted list.
Cells others(std::int64_t cells, const Cells& sorted) {
    Cells result;
    auto next = sorted.begin();
    for (std::int64_t cell = 0; cell < cells; ++cell) {
        if (next != sorted.end() && *next == cell) {
            ++next;
        } else {
            result.push_back(cell);
        }
    }
    return result;
}

}  // namespace

Images random_images(std::int64_t size, RandomStream& stream) {
    Images images(static_cast<std::size_t>(size));
    std::iota(images.begin(), images.end(), std::int64_t{0});
    for (std::size_t left = images.size(); left > 1; --left) {
        std::swap(images[left - 1], images[stream.below(left)]);
    }
    return images;
}

Images inverse_images(const Images& images) {
    Images result(images.size());
    for (std::size_t k = 0; k < images.size(); ++k) {
        result[static_cast<std::size_t>(images[k])] = static_cast<std::int64_t>(k);
    }
    return result;
}

Shuffle random_shuffle(std::uint64_t seed, std::int64_t number, std::int64_t in, std::int64_t out) {
    RandomStream stream(seed, fmt::format("nets/kronecker/layer{}", number));
    Shuffle shuffle;
    shuffle.before = random_images(in, stream);
    shuffle.after = random_images(out, stream);
    return shuffle;
}

std::vector<std::int64_t> random_cells(std::int64_t cells, std::int64_t count, RandomStream& stream) {
    PLIMSOLL_CHECK(count >= 0 && count <= cells, "more connections than cells");
    if (count <= cells / 2) return draw_distinct(cells, count, stream);
    return others(cells, draw_distinct(cells, cells - count, stream));
}

}  // namespace plimsoll::model
