#include "plimsoll/data/describe/corpus_report.h"

#include <algorithm>
#include <unordered_map>

#include "plimsoll/data/describe/duplicates.h"
#include "plimsoll/data/describe/text_report.h"

namespace plimsoll::data {
namespace {

template <class T>
TokenReport report_ids(const HostArray<T>& ids) {
    TokenReport report;
    report.count = ids.size();
    report.bits = 8 * sizeof(T);
    if (ids.empty()) return report;
    const auto [smallest, largest] = std::minmax_element(ids.begin(), ids.end());
    report.smallest = *smallest;
    report.largest = *largest;
    std::unordered_map<T, std::uint64_t> counts;
    for (const T id : ids) ++counts[id];
    report.distinct = counts.size();
    std::vector<std::uint64_t> only_counts;
    for (const auto& [id, count] : counts) only_counts.push_back(count);
    std::sort(only_counts.begin(), only_counts.end());  // the sum must not depend on the map's order
    report.entropy_bits_per_token = entropy_bits(only_counts);
    return report;
}

double mean_bytes(const std::vector<std::string>& texts) {
    double total = 0;
    for (const auto& text : texts) total += static_cast<double>(text.size());
    return texts.empty() ? 0 : total / static_cast<double>(texts.size());
}

std::vector<PairSplitReport> report_splits(const SentencePairs& pairs) {
    std::vector<PairSplitReport> splits;
    for (const auto& name : pairs.split_names) splits.push_back({name, 0, {}});
    if (splits.empty()) splits.push_back({"all", 0, {}});
    for (auto& split : splits) split.histogram.resize(pairs.label_names.size());
    for (std::size_t i = 0; i < pairs.labels.size(); ++i) {
        auto& split = splits[pairs.split_of.empty() ? 0 : pairs.split_of[i]];
        ++split.count;
        ++split.histogram[pairs.labels[i]];
    }
    return splits;
}

}  // namespace

TokenReport report_tokens(const Tokens& tokens) {
    return std::visit([](const auto& ids) { return report_ids(ids); }, tokens.ids);
}

PairReport report_pairs(const SentencePairs& pairs) {
    PairReport report;
    report.label_names = pairs.label_names;
    report.splits = report_splits(pairs);
    report.left_out = pairs.left_out;
    report.mean_first_bytes = mean_bytes(pairs.first);
    report.mean_second_bytes = mean_bytes(pairs.second);
    // Sentences of one line hold no line end, so it can part the two.
    std::vector<std::string> both(pairs.first.size());
    for (std::size_t i = 0; i < both.size(); ++i) both[i] = pairs.first[i] + '\n' + pairs.second[i];
    const auto sets = find_duplicates({both.size()}, [&](RecordId record) {
        const std::string& text = both[record.index];
        return std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    });
    for (const auto& set : sets) {
        report.repeated += set.size() - 1;
        const auto differs = [&](RecordId record) {
            return pairs.labels[record.index] != pairs.labels[set.front().index];
        };
        if (std::any_of(set.begin(), set.end(), differs)) ++report.label_conflicts;
    }
    return report;
}

}  // namespace plimsoll::data
