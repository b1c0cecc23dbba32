#include "plimsoll/verify/mixer_cases.h"

#include <algorithm>
#include <iterator>

#include "plimsoll/base/format.h"

namespace plimsoll::verify {
namespace {

const std::vector<MixerCase> small_mixer_cases = {
    {1, 2, 1, "columns"}, {1, 2, 2, "columns"}, {1, 4, 2, "columns"},    {2, 2, 1, "rows"},
    {2, 2, 1, "columns"}, {2, 2, 2, "columns"}, {2, 2, 2, "rows"},       {2, 2, 3, "columns"},
    {2, 2, 3, "rows"},    {2, 2, 4, "columns"}, {2, 4, 2, "rows"},       {2, 4, 3, "columns"},
    {4, 2, 2, "rows"},    {4, 2, 3, "columns"}, {2, 2, 4, "rows"},       {2, 4, 3, "rows"},
    {4, 2, 3, "rows"},    {2, 4, 4, "columns"}, {2, 2, 3, "rows", true}, {2, 4, 3, "rows", true},
    {2, 6, 3, "rows"},    {2, 2, 5, "rows"},    {4, 4, 3, "columns"},    {4, 4, 3, "rows"},
};

const std::vector<MixerCase> middle_mixer_cases = {
    {2, 4, 4, "rows"},    {4, 2, 4, "rows"},    {2, 2, 6, "rows"},
    {2, 6, 4, "columns"}, {2, 8, 4, "columns"}, {2, 6, 4, "rows"},
};

const std::vector<MixerCase> large_mixer_cases = {{2, 4, 5, "rows"}, {4, 4, 4, "rows"}};

// Side A of every balanced partition that has entry 0, as lists.
std::vector<std::string> halves(std::size_t entries) {
    std::vector<std::string> lists;
    std::vector<bool> chosen(entries - 1, false);
    std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(entries / 2 - 1), true);
    do {
        std::string list = "0";
        for (std::size_t k = 0; k < chosen.size(); ++k) list += chosen[k] ? fmt::format(",{}", k + 1) : "";
        lists.push_back(list);
    } while (std::prev_permutation(chosen.begin(), chosen.end()));
    return lists;
}

Result<Observation> sup_and_inf(const MixerCase& c, Measurements& measurements) {
    std::size_t sup = 0, inf = SIZE_MAX, count = 0;
    for (const auto& left : halves(static_cast<std::size_t>(c.rows * c.cols))) {
        RankCase question = c.question();
        question.left = left;
        PLIMSOLL_ASSIGN(measured, measurements.rank(question));
        sup = std::max(sup, measured.rank), inf = std::min(inf, measured.rank), ++count;
    }
    return checked("inf < sup", fmt::format("inf {}, sup {} of {} partitions", inf, sup, count), inf < sup);
}

}  // namespace

std::string MixerCase::name() const {
    return fmt::format("{}x{} p={} {}{}", rows, cols, depth, partition, residual ? ", residual" : "");
}

RankCase MixerCase::question() const {
    RankCase question{.spec = fmt::format("square-mixer:rows={},cols={},depth={}", rows, cols, depth),
                      .partition = partition};
    for (std::int64_t layer = 1; residual && layer <= depth; ++layer)
        question.spec += fmt::format("{}{}", layer == 1 ? ",residual=" : "+", layer);
    return question;
}

std::vector<MixerCase> mixer_cases(Effort effort) {
    auto cases = small_mixer_cases;
    if (effort >= Effort::normal)
        std::copy(middle_mixer_cases.begin(), middle_mixer_cases.end(), std::back_inserter(cases));
    if (effort == Effort::deep)
        std::copy(large_mixer_cases.begin(), large_mixer_cases.end(), std::back_inserter(cases));
    return cases;
}

std::vector<Trial> mixer_trials(const std::vector<MixerCase>& cases, Comparison compare,
                                const MixerBound& bound) {
    std::vector<Trial> trials;
    for (const MixerCase& c : cases) {
        if (const auto value = bound(c))
            trials.push_back(rank_trial(c.name(), c.question(), compare, *value));
    }
    return trials;
}

std::vector<Trial> sup_inf_trials(Effort effort) {
    std::vector<MixerCase> cases = {{2, 2, 1, "all"}, {2, 2, 2, "all"}, {2, 2, 3, "all"}, {2, 3, 2, "all"},
                                    {3, 2, 2, "all"}, {2, 3, 3, "all"}, {3, 2, 3, "all"}, {2, 4, 2, "all"}};
    if (effort >= Effort::normal) cases.push_back({2, 4, 3, "all"});
    if (effort == Effort::deep) cases.push_back({2, 4, 4, "all"});
    std::vector<Trial> trials;
    for (const MixerCase& c : cases) {
        trials.push_back(
            {c.name(), c.question().command(), [=](Measurements& m) { return sup_and_inf(c, m); }});
    }
    return trials;
}

std::function<std::vector<Trial>(Effort)> on_mixers(Comparison compare, MixerBound bound) {
    return [=](Effort effort) { return mixer_trials(mixer_cases(effort), compare, bound); };
}

}  // namespace plimsoll::verify
