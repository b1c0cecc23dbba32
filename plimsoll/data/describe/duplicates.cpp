#include "plimsoll/data/describe/duplicates.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

namespace plimsoll::data {
namespace {

using Bytes = std::span<const std::uint8_t>;

// A quick 64-bit hash; collisions cost a comparison and nothing else.
std::uint64_t hash_of(Bytes bytes) {
    std::uint64_t hash = 0x9e3779b97f4a7c15U ^ bytes.size();
    std::size_t at = 0;
    for (std::uint64_t word; at + sizeof word <= bytes.size(); at += sizeof word) {
        std::memcpy(&word, bytes.data() + at, sizeof word);
        hash = std::rotl(hash ^ (word * 0xff51afd7ed558ccdU), 29) * 0xc4ceb9fe1a85ec53U;
    }
    for (; at < bytes.size(); ++at) hash = (hash ^ bytes[at]) * 0x100000001b3U;
    return hash ^ (hash >> 32);
}

struct Hashed {
    std::uint64_t hash;
    RecordId record;
    auto operator<=>(const Hashed&) const = default;
};

// Splits records of one hash into sets that are really equal.
void add_equal(std::span<const Hashed> same_hash, const std::function<Bytes(RecordId)>& bytes_of,
               std::vector<EqualRecords>& sets) {
    std::vector<EqualRecords> found;
    for (const auto& [hash, record] : same_hash) {
        const Bytes bytes = bytes_of(record);
        const auto equal = [&](const EqualRecords& set) {
            return std::ranges::equal(bytes_of(set.front()), bytes);
        };
        const auto at = std::find_if(found.begin(), found.end(), equal);
        if (at == found.end()) {
            found.push_back({record});
        } else {
            at->push_back(record);
        }
    }
    for (auto& set : found)
        if (set.size() > 1) sets.push_back(std::move(set));
}

}  // namespace

std::vector<EqualRecords> find_duplicates(const std::vector<std::size_t>& group_sizes,
                                          const std::function<Bytes(RecordId)>& bytes_of,
                                          const ProgressCallback& progress) {
    std::size_t total = 0;
    for (const auto size : group_sizes) total += size;
    std::vector<Hashed> records;
    records.reserve(total);
    for (std::size_t group = 0; group < group_sizes.size(); ++group) {
        for (std::size_t i = 0; i < group_sizes[group]; ++i) {
            records.push_back({hash_of(bytes_of({group, i})), {group, i}});
            if (progress && records.size() % 4096 == 0) progress(records.size(), total);
        }
    }
    std::sort(records.begin(), records.end());
    std::vector<EqualRecords> sets;
    for (std::size_t begin = 0, end = 0; begin < records.size(); begin = end) {
        while (end < records.size() && records[end].hash == records[begin].hash) ++end;
        if (end - begin > 1) add_equal(std::span(records).subspan(begin, end - begin), bytes_of, sets);
    }
    std::sort(sets.begin(), sets.end());
    return sets;
}

std::vector<Overlap> overlaps(const std::vector<EqualRecords>& sets, std::size_t groups) {
    std::vector<Overlap> table(groups * groups);
    for (const auto& set : sets) {
        std::vector<std::optional<RecordId>> first_of(groups);
        for (const auto& record : set) {
            for (std::size_t earlier = 0; earlier <= record.group; ++earlier) {
                if (!first_of[earlier]) continue;
                Overlap& overlap = table[earlier * groups + record.group];
                if (overlap.records++ == 0) overlap = {earlier, record.group, 1, *first_of[earlier], record};
            }
            if (!first_of[record.group]) first_of[record.group] = record;
        }
    }
    std::erase_if(table, [](const Overlap& overlap) { return overlap.records == 0; });
    return table;
}

}  // namespace plimsoll::data
