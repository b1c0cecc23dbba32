#pragma once

#include <vector>

#include "plimsoll/arch/attention.h"
#include "plimsoll/verify/claim.h"

namespace plimsoll::verify {

// A random attention network and a partition; the output is coordinate 0 at position 0, on side A.
struct AttentionCase {
    std::int64_t depth = 1, width = 1, heads = 1;
    std::int64_t positions = 2;
    std::int64_t head_dim = 0;  // 0: width / heads
    std::int64_t side_a = 0;    // positions on side A; 0: half of them

    [[nodiscard]] std::int64_t head_size() const { return head_dim == 0 ? width / heads : head_dim; }
    [[nodiscard]] std::int64_t left_count() const { return side_a == 0 ? positions / 2 : side_a; }
    [[nodiscard]] std::int64_t right_count() const { return positions - left_count(); }
    [[nodiscard]] bool balanced() const { return 2 * left_count() == positions; }
    // "L=2 d=4 H=2 N=8", with the head size and the sides where they are not the usual ones.
    [[nodiscard]] std::string name() const;
    [[nodiscard]] RankCase question() const;
};

// The networks every bound of attention is tested against, smallest rank first.
std::vector<AttentionCase> attention_cases(Effort effort);

// "0,1,2" for 3.
std::string first_items(std::int64_t count);

// What a bound says of a measured rank: at_most, at_least or equal_to.
using Comparison = Observation (*)(const theory::Integer& bound, const MeasuredRank& rank);

// A claim that compares the rank of attention with a number, on those cases for which there is one.
using AttentionBound = std::function<std::optional<theory::Integer>(const AttentionCase&)>;
std::vector<Trial> attention_trials(const std::vector<AttentionCase>& cases, Comparison compare,
                                    const AttentionBound& bound);
// The same on the cases of the effort that is asked for.
std::function<std::vector<Trial>(Effort)> on_attention(Comparison compare, AttentionBound bound);

// One trial: the rank of `question` compared with `bound`.
Trial rank_trial(std::string name, const RankCase& question, Comparison compare,
                 const theory::Integer& bound);

}  // namespace plimsoll::verify
