#include "plimsoll/rank/constructions/samples.h"

#include <algorithm>
#include <utility>

#include "plimsoll/base/check.h"
#include "plimsoll/base/random.h"

namespace plimsoll::rank {

SideSamples::SideSamples(const BalancedField& field, std::size_t count, std::uint64_t seed, std::string name)
    : field_(field), count_(count), size_(SIZE_MAX), seed_(seed), name_(std::move(name)) {}

SideSamples SideSamples::all_strings(const BalancedField& field, std::size_t positions, std::size_t vocab) {
    SideSamples result(field, positions * vocab, 0, "");
    result.size_ = strings_up_to(vocab, positions, SIZE_MAX / 2);
    result.vocab_ = vocab;
    return result;
}

void SideSamples::draw(std::size_t index, std::span<double> out) const {
    PLIMSOLL_CHECK(out.size() == count_ && index < size_, "a sample that does not exist");
    if (random()) {
        RandomStream stream(seed_, name_);
        stream.seek(std::uint64_t{index} * count_);
        for (double& x : out) x = field_.random(stream);
        return;
    }
    std::fill(out.begin(), out.end(), 0.0);
    for (std::size_t start = 0; start < count_; start += vocab_, index /= vocab_) {
        out[start + index % vocab_] = 1;
    }
}

std::size_t strings_up_to(std::size_t vocab, std::size_t positions, std::size_t limit) {
    std::size_t count = 1;
    for (std::size_t i = 0; i < positions; ++i) {
        if (count > limit / vocab) return limit + 1;
        count *= vocab;
    }
    return count;
}

}  // namespace plimsoll::rank
