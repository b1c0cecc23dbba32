#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plimsoll/rank/balanced_field.h"

namespace plimsoll::rank {

// The samples of one side: sample s is a pure function of seed, name and s, so that nothing is stored and any
// thread may ask for any sample.
class SideSamples {
  public:
    // `count` residues per sample, uniform over the field.
    SideSamples(const BalancedField& field, std::size_t count, std::uint64_t seed, std::string name);
    // Every string of `positions` tokens once, position by position as one-hot vectors of `vocab` numbers.
    static SideSamples all_strings(const BalancedField& field, std::size_t positions, std::size_t vocab);

    // Numbers per sample.
    [[nodiscard]] std::size_t count() const { return count_; }
    // How many samples there are; SIZE_MAX when they never end.
    [[nodiscard]] std::size_t size() const { return size_; }
    // Whether samples are drawn at random.
    [[nodiscard]] bool random() const { return vocab_ == 0; }
    // Writes sample `index` as balanced residues.
    void draw(std::size_t index, std::span<double> out) const;

  private:
    BalancedField field_;
    std::size_t count_;
    std::size_t size_;
    std::size_t vocab_ = 0;  // 0: random residues
    std::uint64_t seed_ = 0;
    std::string name_;
};

// vocab^positions, at most `limit` (then `limit` + 1 is returned).
std::size_t strings_up_to(std::size_t vocab, std::size_t positions, std::size_t limit);

}  // namespace plimsoll::rank
