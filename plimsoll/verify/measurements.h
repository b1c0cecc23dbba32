#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "plimsoll/base/result.h"
#include "plimsoll/rank/constructions/random_network.h"

namespace plimsoll::verify {

// A separation rank to be measured, in the words of `plimsoll rank`.
struct RankCase {
    std::string spec;                // "attention:depth=2,width=2,heads=1"
    std::int64_t positions = 0;      // attention only
    std::string partition = "half";  // a word; ignored when `left` is given
    std::string left{};              // side A, "0,1,2"
    rank::OutputIndex output{};
    rank::Inputs inputs = rank::Inputs::numbers;
    std::string piece{};  // "j=7": the graded piece alone; empty: the whole rank

    // "plimsoll rank SPEC --positions 4 ...": the flags that differ from their defaults.
    [[nodiscard]] std::string command() const;
};

// A rank over F_p of a network with random weights; it is a lower bound for almost all real weights.
struct MeasuredRank {
    std::size_t rank = 0;
    bool exact = true;  // false: stopped by a limit, the rank may be larger
};

// Ranks, each measured once: several claims look at the same networks.
class Measurements {
  public:
    struct Limits {
        std::optional<std::size_t> max_size{};  // rows and columns of a matrix
        std::uint64_t max_bytes = std::uint64_t{6} << 30;
        int threads = 0;  // 0: all the machine has
    };

    explicit Measurements(const Limits& limits) : limits_(limits) {}

    Result<MeasuredRank> rank(const RankCase& question);

  private:
    [[nodiscard]] Result<MeasuredRank> measure(const RankCase& question) const;

    Limits limits_;
    std::map<std::string, MeasuredRank> known_;
};

}  // namespace plimsoll::verify
