#include "plimsoll/rank/partition.h"

#include <algorithm>
#include <array>
#include <functional>

#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"
#include "plimsoll/base/text.h"

namespace plimsoll::rank {
namespace {

using ItemList = std::vector<std::size_t>;

Error partition_error(std::string message) { return bad_input("partition", std::move(message)); }

Partition partition_of(std::string name, const SplitShape& shape, const ItemList& left) {
    Partition result{std::move(name), std::vector<bool>(shape.items(), false)};
    for (const std::size_t item : left) result.left[item] = true;
    return result;
}

Status check_even(std::string_view word, std::size_t count, std::string_view what) {
    if (count >= 2 && count % 2 == 0) return {};
    return partition_error(fmt::format("{} needs an even number of {}, got {}", word, what, count));
}

Result<std::vector<Partition>> half(const SplitShape& shape) {
    PLIMSOLL_RETURN_IF_ERROR(check_even("half", shape.items(), shape.plural()));
    ItemList left(shape.items() / 2);
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
    return std::vector{partition_of("half", shape, left)};
}

Result<std::vector<Partition>> interleaved(const SplitShape& shape) {
    PLIMSOLL_RETURN_IF_ERROR(check_even("interleaved", shape.items(), shape.plural()));
    ItemList left(shape.items() / 2);
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = 2 * i;
    return std::vector{partition_of("interleaved", shape, left)};
}

Status check_is_mixer(std::string_view word, const SplitShape& shape) {
    if (!shape.by_position) return {};
    return partition_error(
        fmt::format("{} is for mixers; attention is split by positions (half, interleaved, ..)", word));
}

Result<std::vector<Partition>> rows(const SplitShape& shape) {
    PLIMSOLL_RETURN_IF_ERROR(check_is_mixer("rows", shape));
    PLIMSOLL_RETURN_IF_ERROR(check_even("rows", shape.rows, "rows"));
    ItemList left(shape.items() / 2);
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
    return std::vector{partition_of("rows", shape, left)};
}

Result<std::vector<Partition>> columns(const SplitShape& shape) {
    PLIMSOLL_RETURN_IF_ERROR(check_is_mixer("columns", shape));
    PLIMSOLL_RETURN_IF_ERROR(check_even("columns", shape.cols, "columns"));
    ItemList left;
    for (std::size_t i = 0; i < shape.items(); ++i) {
        if (2 * (i % shape.cols) < shape.cols) left.push_back(i);
    }
    return std::vector{partition_of("columns", shape, left)};
}

// Half of the items, item 0 among them, each such half equally likely.
ItemList random_half(std::size_t items, RandomStream& stream) {
    ItemList rest(items - 1);
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = i + 1;
    for (std::size_t i = 0; i + 1 < items / 2; ++i) {
        std::swap(rest[i], rest[i + stream.below(rest.size() - i)]);
    }
    rest.resize(items / 2 - 1);
    rest.push_back(0);
    return rest;
}

Result<std::vector<Partition>> random(std::string_view count, const SplitShape& shape, std::uint64_t seed) {
    PLIMSOLL_ASSIGN(wanted, parse_integer(count, "partition random"));
    if (wanted < 1 || wanted > static_cast<std::int64_t>(max_partitions)) {
        return partition_error(
            fmt::format("random:{} must ask for 1 to {} partitions", wanted, max_partitions));
    }
    PLIMSOLL_RETURN_IF_ERROR(check_even("random", shape.items(), shape.plural()));
    RandomStream stream(seed, "rank/partitions");
    std::vector<Partition> result;
    for (std::int64_t k = 1; k <= wanted; ++k) {
        result.push_back(
            partition_of(fmt::format("random:{}", k), shape, random_half(shape.items(), stream)));
    }
    return result;
}

void extend(std::vector<Partition>& all, ItemList& chosen, const SplitShape& shape) {
    if (2 * chosen.size() == shape.items()) {
        all.push_back(partition_of(fmt::format("{}", fmt::join(chosen, ",")), shape, chosen));
        return;
    }
    for (std::size_t next = chosen.back() + 1; next < shape.items(); ++next) {
        chosen.push_back(next);
        extend(all, chosen, shape);
        chosen.pop_back();
    }
}

Result<std::vector<Partition>> all(const SplitShape& shape) {
    PLIMSOLL_RETURN_IF_ERROR(check_even("all", shape.items(), shape.plural()));
    if (balanced_partitions(shape.items()) > max_partitions) {
        return partition_error(
            fmt::format("all stands for {} partitions of {} {}, more than {}; try random:K",
                        balanced_partitions(shape.items()), shape.items(), shape.plural(), max_partitions));
    }
    std::vector<Partition> result;
    ItemList chosen{0};
    extend(result, chosen, shape);
    return result;
}

Result<std::size_t> parse_item(std::string_view text, const SplitShape& shape) {
    PLIMSOLL_ASSIGN(item, parse_integer(trim(text), "left"));
    if (item >= 0 && static_cast<std::size_t>(item) < shape.items()) return static_cast<std::size_t>(item);
    return bad_input("left", fmt::format("there is no {} {}; {} are counted from 0 to {}", shape.item(), item,
                                         shape.plural(), shape.items() - 1));
}

}  // namespace

std::size_t Partition::left_count() const {
    return static_cast<std::size_t>(std::count(left.begin(), left.end(), true));
}

std::vector<std::size_t> Partition::left_items() const {
    ItemList items;
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (left[i]) items.push_back(i);
    }
    return items;
}

std::uint64_t balanced_partitions(std::size_t items) {
    if (items < 2 || items % 2 != 0) return 0;
    unsigned __int128 count = 1;  // binom(items - 1, k), whole after every step
    for (std::size_t k = 1; k < items / 2; ++k) {
        count = count * (items - k) / k;
        if (count > (std::uint64_t{1} << 62)) return std::uint64_t{1} << 63;
    }
    return static_cast<std::uint64_t>(count);
}

Result<std::vector<Partition>> parse_partitions(std::string_view word, const SplitShape& shape,
                                                std::uint64_t seed) {
    using Maker = Result<std::vector<Partition>> (*)(const SplitShape&);
    static constexpr std::array<std::pair<std::string_view, Maker>, 5> makers{
        {{"half", half}, {"interleaved", interleaved}, {"rows", rows}, {"columns", columns}, {"all", all}}};
    for (const auto& [name, make] : makers) {
        if (word == name) return make(shape);
    }
    constexpr std::string_view random_prefix = "random:";
    if (word.starts_with(random_prefix)) return random(word.substr(random_prefix.size()), shape, seed);
    const std::vector<std::string> names{"half", "interleaved", "rows", "columns", "random:K", "all"};
    return partition_error(fmt::format("unknown partition '{}'{}", word, suggestion(word, names)));
}

Result<Partition> partition_with_left(std::string_view list, const SplitShape& shape) {
    ItemList left;
    for (const std::string& text : split(list, ',')) {
        PLIMSOLL_ASSIGN(item, parse_item(text, shape));
        if (std::find(left.begin(), left.end(), item) != left.end()) {
            return bad_input("left", fmt::format("names {} {} twice", shape.item(), item));
        }
        left.push_back(item);
    }
    if (left.empty()) return bad_input("left", "side A is empty");
    if (left.size() == shape.items()) return bad_input("left", "side B is empty");
    std::sort(left.begin(), left.end());
    return partition_of(fmt::format("{}", fmt::join(left, ",")), shape, left);
}

}  // namespace plimsoll::rank
