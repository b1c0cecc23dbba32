#include "plimsoll/verify/attention_cases.h"

#include <iterator>
#include <optional>
#include <utility>

#include "plimsoll/base/format.h"

namespace plimsoll::verify {
namespace {

// Ranks up to 1000.
const std::vector<AttentionCase> small_attention_cases = {
    {.depth = 1, .width = 1, .positions = 2},
    {.depth = 1, .width = 2, .positions = 4},
    {.depth = 1, .width = 2, .heads = 2, .positions = 4},
    {.depth = 1, .width = 3, .positions = 6},
    {.depth = 1, .width = 4, .heads = 2, .positions = 8},
    {.depth = 1, .width = 5, .positions = 10},
    {.depth = 1, .width = 6, .heads = 3, .positions = 4},
    {.depth = 1, .width = 8, .heads = 4, .positions = 16},
    {.depth = 1, .width = 9, .heads = 3, .positions = 6},
    {.depth = 1, .width = 12, .heads = 4, .positions = 8},
    {.depth = 2, .width = 1, .positions = 4},
    {.depth = 2, .width = 2, .positions = 2},
    {.depth = 2, .width = 2, .heads = 2, .positions = 4},
    {.depth = 2, .width = 2, .positions = 4},
    {.depth = 2, .width = 2, .positions = 8},
    {.depth = 2, .width = 3, .positions = 2},
    {.depth = 2, .width = 3, .heads = 3, .positions = 6},
    {.depth = 2, .width = 4, .positions = 8, .head_dim = 2},
    {.depth = 2, .width = 3, .positions = 4, .side_a = 1},
    {.depth = 2, .width = 3, .positions = 4, .side_a = 3},
    {.depth = 2, .width = 3, .positions = 6},
    {.depth = 2, .width = 4, .positions = 2},
    {.depth = 2, .width = 4, .heads = 4, .positions = 8},
    {.depth = 3, .width = 2, .positions = 2},
    {.depth = 2, .width = 4, .heads = 2, .positions = 8},
    {.depth = 2, .width = 4, .heads = 2, .positions = 8, .head_dim = 4},
    {.depth = 2, .width = 4, .positions = 6, .side_a = 2},
    {.depth = 2, .width = 4, .positions = 8},
    {.depth = 3, .width = 2, .heads = 2, .positions = 4},
    {.depth = 2, .width = 5, .positions = 10},
    {.depth = 2, .width = 6, .heads = 6, .positions = 8},
    {.depth = 3, .width = 2, .positions = 4},
    {.depth = 3, .width = 2, .positions = 6},
    {.depth = 2, .width = 6, .heads = 2, .positions = 8},
    {.depth = 2, .width = 6, .positions = 8},
    {.depth = 3, .width = 3, .positions = 2},
    {.depth = 3, .width = 3, .heads = 2, .positions = 6, .head_dim = 1},
    {.depth = 2, .width = 8, .heads = 2, .positions = 8},
    {.depth = 2, .width = 10, .heads = 2, .positions = 2},
};

// Ranks up to 5000.
const std::vector<AttentionCase> middle_attention_cases = {
    {.depth = 2, .width = 8, .positions = 16},
    {.depth = 2, .width = 9, .heads = 3, .positions = 8},
    {.depth = 2, .width = 10, .heads = 5, .positions = 8},
    {.depth = 2, .width = 10, .positions = 4},
    {.depth = 3, .width = 3, .heads = 3, .positions = 6},
    {.depth = 3, .width = 4, .heads = 2, .positions = 2},
    {.depth = 3, .width = 3, .positions = 4},
    {.depth = 3, .width = 3, .positions = 6, .side_a = 2},
    {.depth = 3, .width = 3, .positions = 6},
    {.depth = 2, .width = 12, .heads = 3, .positions = 8},
    {.depth = 4, .width = 2, .heads = 2, .positions = 4},
};

const std::vector<AttentionCase> large_attention_cases = {
    {.depth = 3, .width = 5, .positions = 2},
    {.depth = 3, .width = 4, .positions = 4},
    {.depth = 3, .width = 4, .heads = 2, .positions = 8},
    {.depth = 3, .width = 4, .positions = 8},
};

}  // namespace

std::string first_items(std::int64_t count) {
    std::string list;
    for (std::int64_t k = 0; k < count; ++k) list += fmt::format("{}{}", k == 0 ? "" : ",", k);
    return list;
}

std::string AttentionCase::name() const {
    std::string text = fmt::format("L={} d={} H={} N={}", depth, width, heads, positions);
    if (head_dim != 0) text += fmt::format(" d_a={}", head_dim);
    if (!balanced()) text += fmt::format(" |A|={}", left_count());
    return text;
}

RankCase AttentionCase::question() const {
    RankCase question{.spec = fmt::format("attention:depth={},width={},heads={}", depth, width, heads),
                      .positions = positions};
    if (head_dim != 0) question.spec += fmt::format(",head_dim={}", head_dim);
    if (!balanced()) question.left = first_items(left_count());
    return question;
}

std::vector<AttentionCase> attention_cases(Effort effort) {
    auto cases = small_attention_cases;
    if (effort >= Effort::normal)
        std::copy(middle_attention_cases.begin(), middle_attention_cases.end(), std::back_inserter(cases));
    if (effort == Effort::deep)
        std::copy(large_attention_cases.begin(), large_attention_cases.end(), std::back_inserter(cases));
    return cases;
}

Trial rank_trial(std::string name, const RankCase& question, Comparison compare,
                 const theory::Integer& bound) {
    // `plimsoll rank` measures whole networks: a piece is seen again by the claim's own command.
    return {std::move(name), question.piece.empty() ? question.command() : "",
            [=](Measurements& measurements) -> Result<Observation> {
                PLIMSOLL_ASSIGN(measured, measurements.rank(question));
                return compare(bound, measured);
            }};
}

std::vector<Trial> attention_trials(const std::vector<AttentionCase>& cases, Comparison compare,
                                    const AttentionBound& bound) {
    std::vector<Trial> trials;
    for (const AttentionCase& c : cases) {
        if (const auto value = bound(c))
            trials.push_back(rank_trial(c.name(), c.question(), compare, *value));
    }
    return trials;
}

std::function<std::vector<Trial>(Effort)> on_attention(Comparison compare, AttentionBound bound) {
    return [=](Effort effort) { return attention_trials(attention_cases(effort), compare, bound); };
}

}  // namespace plimsoll::verify
