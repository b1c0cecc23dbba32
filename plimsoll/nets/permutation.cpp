#include "plimsoll/nets/permutation.h"

#include <numeric>
#include <utility>

namespace plimsoll::nets {

Permutation identity_permutation(std::size_t size) {
    Permutation images(size);
    std::iota(images.begin(), images.end(), std::size_t{0});
    return images;
}

Permutation random_permutation(std::size_t size, RandomStream& stream) {
    Permutation images = identity_permutation(size);
    for (std::size_t left = size; left > 1; --left) std::swap(images[left - 1], images[stream.below(left)]);
    return images;
}

Permutation inverse(const Permutation& images) {
    Permutation result(images.size());
    for (std::size_t k = 0; k < images.size(); ++k) result[images[k]] = k;
    return result;
}

bool is_permutation(const Permutation& images) {
    std::vector<bool> taken(images.size(), false);
    for (const std::size_t image : images) {
        if (image >= images.size() || taken[image]) return false;
        taken[image] = true;
    }
    return true;
}

Permutation commutation(std::size_t rows, std::size_t cols) {
    Permutation images(rows * cols);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < cols; ++j) images[i + rows * j] = j + cols * i;
    }
    return images;
}

}  // namespace plimsoll::nets
