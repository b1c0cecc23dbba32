#include "plimsoll/run/splits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"
#include "plimsoll/base/text.h"

namespace plimsoll::run {
namespace {

struct RoleWord {
    std::string_view word;
    SplitRole role;
};
constexpr std::array role_words{
    RoleWord{"train", SplitRole::train},      RoleWord{"training", SplitRole::train},
    RoleWord{"valid", SplitRole::validation}, RoleWord{"validation", SplitRole::validation},
    RoleWord{"val", SplitRole::validation},   RoleWord{"dev", SplitRole::validation},
    RoleWord{"trial", SplitRole::validation}, RoleWord{"test", SplitRole::test},
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

std::vector<std::string> letter_words(std::string_view name) {
    std::string letters = lower(name);
    for (char& c : letters)
        if (!is_letter(c)) c = ' ';
    return split(letters, ' ');
}

using Splits = std::vector<std::size_t>;

Splits with_role(std::span<const std::string> names, SplitRole role) {
    Splits found;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (split_role(names[i]) == role) found.push_back(i);
    return found;
}

// The splits called so, or, when there is none, those for what the word says.
Splits called(std::span<const std::string> names, std::string_view wanted) {
    Splits found;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (lower(names[i]) == lower(wanted)) found.push_back(i);
    const SplitRole role = split_role(wanted);
    const bool plain = std::ranges::any_of(role_words, [&](const auto& row) { return row.word == wanted; });
    return found.empty() && plain ? with_role(names, role) : found;
}

Splits all_rows(std::size_t count) {
    Splits all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}
Splits all_of(std::span<const std::string> names) { return all_rows(names.size()); }

Splits without(Splits from, const Splits& taken) {
    std::erase_if(from, [&](std::size_t i) { return std::ranges::find(taken, i) != taken.end(); });
    return from;
}

std::string splits_title(std::span<const std::string> names, const Splits& splits) {
    std::vector<std::string> words;
    for (const std::size_t i : splits)
        if (std::ranges::find(words, names[i]) == words.end()) words.push_back(names[i]);
    return join(words, " + ");
}

// What to train on when nobody says more; empty when the names do not tell.
Splits training_splits(std::span<const std::string> names) {
    Splits train = with_role(names, SplitRole::train);
    if (train.empty() && !with_role(names, SplitRole::test).empty())
        train = with_role(names, SplitRole::validation);
    return train;
}

SetParts cut_in_two(std::span<const std::string> names, const Splits& splits, double fraction) {
    const double percent = 100 * fraction;
    const std::string of = names.size() > 1 ? " of " + splits_title(names, splits) : "";
    return {{splits, Cut::without_end, fmt::format("first {:.4g} %{}", 100 - percent, of)},
            {splits, Cut::end, fmt::format("last {:.4g} %{}", percent, of)}};
}

Error no_split(std::span<const std::string> names, std::string_view wanted, std::vector<std::string> also) {
    also.insert(also.end(), names.begin(), names.end());
    std::vector<std::string> unique;
    for (auto& name : also)
        if (std::ranges::find(unique, name) == unique.end()) unique.push_back(name);
    return bad_input("split", fmt::format("there is no '{}' (one of: {})", wanted, join(unique, ", ")));
}

// The numbers 0 to count - 1 in an order that depends on seed and name alone.
Splits shuffled(std::size_t count, std::int64_t seed, const std::string& name) {
    Splits order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    RandomStream stream(static_cast<std::uint64_t>(seed), name);
    for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[stream.below(i)]);
    return order;
}

// How many of a class are held out: the share, one at least and not all, where that can be.
std::size_t held_of_class(std::size_t count, double fraction) {
    if (count < 2) return 0;
    const auto share = static_cast<std::size_t>(std::lround(static_cast<double>(count) * fraction));
    return std::clamp<std::size_t>(share, 1, count - 1);
}

// Which examples are drawn: the share of each class.
std::vector<bool> drawn_rows(const std::vector<std::uint16_t>& labels, const DataSettings& settings) {
    std::map<std::uint16_t, Splits> rows;
    for (std::size_t i = 0; i < labels.size(); ++i) rows[labels[i]].push_back(i);
    std::vector<bool> drawn(labels.size());
    for (const auto& [label, members] : rows) {
        const auto order =
            shuffled(members.size(), settings.split_seed, fmt::format("data/split/class/{}", label));
        for (std::size_t i = 0; i < held_of_class(members.size(), settings.validation_fraction); ++i)
            drawn[members[order[i]]] = true;
    }
    return drawn;
}

// Which files are drawn: in a random order, each that still fits into the share; none below half of it.
std::vector<bool> drawn_files(std::span<const std::uint64_t> bytes, const DataSettings& settings) {
    const auto total = static_cast<double>(std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0}));
    const double share = total * settings.validation_fraction;
    double held = 0;
    std::vector<bool> drawn(bytes.size());
    for (const std::size_t i : shuffled(bytes.size(), settings.split_seed, "data/split/files")) {
        const auto size = static_cast<double>(bytes[i]);
        if (size == 0 || held + size > share) continue;
        drawn[i] = true;
        held += size;
    }
    return 2 * held < share ? std::vector<bool>(bytes.size()) : drawn;
}

}  // namespace

SplitRole split_role(std::string_view name) {
    for (const auto& word : letter_words(name))
        for (const auto& row : role_words)
            if (row.word == word) return row.role;
    return SplitRole::other;
}

Result<SetParts> parts_of(std::span<const std::string> names, const DataSettings& settings) {
    const bool given = settings.validation != "auto";
    Splits train = training_splits(names);
    const bool told = !train.empty();
    if (!told) train = all_of(names);
    Splits held;
    if (given) {
        held = called(names, settings.validation);
        if (held.empty()) {
            Error error = no_split(names, settings.validation, {"auto"});
            error.where = "data.validation";
            return error;
        }
    } else if (told) {
        for (const SplitRole role : {SplitRole::test, SplitRole::validation}) {
            const Splits found = without(with_role(names, role), train);
            if (!found.empty()) held = found;
        }
    }
    const Splits rest = without(train, held);
    if (held.empty() || rest.empty()) return cut_in_two(names, train, settings.validation_fraction);
    return SetParts{{rest, Cut::whole, splits_title(names, rest)},
                    {held, Cut::whole, splits_title(names, held)}};
}

Result<SetParts> labelled_parts_of(std::span<const std::string> names, const DataSettings& settings) {
    PLIMSOLL_ASSIGN(parts, parts_of(names, settings));
    const bool cut = parts.held_out.cut == Cut::end;
    if (!cut || settings.split_seed == 0 || settings.validation != "auto") return parts;
    const double percent = 100 * settings.validation_fraction;
    parts.train.cut = Cut::without_drawn;
    parts.train.name = fmt::format("{:.4g} % of each class", 100 - percent);
    parts.held_out.cut = Cut::drawn;
    parts.held_out.name =
        fmt::format("{:.4g} % of each class, drawn with seed {}", percent, settings.split_seed);
    return parts;
}

std::vector<std::string> text_splits(std::span<const std::string> files) {
    std::vector<std::string> names;
    for (const auto& file : files) {
        const std::filesystem::path path(file);
        const bool by_name = split_role(path.filename().string()) != SplitRole::other;
        names.push_back((by_name ? path : path.parent_path()).filename().string());
    }
    const auto has = [&](SplitRole role) { return std::ranges::count(names, role, split_role); };
    const bool all_known = has(SplitRole::other) == 0 && has(SplitRole::train) > 0 &&
                           has(SplitRole::train) < static_cast<std::ptrdiff_t>(names.size());
    return all_known ? names : std::vector<std::string>{"all"};
}

std::vector<std::string> text_splits(std::span<const std::string> files, std::span<const std::uint64_t> bytes,
                                     const DataSettings& settings) {
    auto names = text_splits(files);
    const bool said = names.size() == files.size() && names != std::vector<std::string>{"all"};
    if (said || settings.split_seed == 0 || settings.validation != "auto") return names;
    const auto drawn = drawn_files(bytes, settings);
    const auto count = std::ranges::count(drawn, true);
    if (count == 0) return names;
    names.clear();
    for (const bool held : drawn)
        names.push_back(held
                            ? fmt::format("validation ({} of {} files)", count, files.size())
                            : fmt::format("train ({} of {} files)", std::ssize(files) - count, files.size()));
    return names;
}

std::vector<std::size_t> rows_of(const std::vector<std::uint16_t>& labels, Cut cut,
                                 const DataSettings& settings) {
    Splits rows = all_rows(labels.size());
    const std::size_t last = last_examples(rows.size(), settings.validation_fraction);
    if (cut == Cut::without_end) rows.resize(rows.size() - last);
    if (cut == Cut::end) rows.erase(rows.begin(), rows.end() - static_cast<std::ptrdiff_t>(last));
    if (cut != Cut::drawn && cut != Cut::without_drawn) return rows;
    const auto drawn = drawn_rows(labels, settings);
    std::erase_if(rows, [&](std::size_t i) { return drawn[i] != (cut == Cut::drawn); });
    return rows;
}

std::vector<std::size_t> rows_of_part(const std::vector<std::uint16_t>& labels,
                                      const std::vector<std::uint16_t>& split_of, const SetPart& part,
                                      const DataSettings& settings) {
    Splits rows;
    std::vector<std::uint16_t> own;
    for (std::size_t i = 0; i < labels.size(); ++i)
        if (std::ranges::find(part.splits, split_of[i]) != part.splits.end()) {
            rows.push_back(i);
            own.push_back(labels[i]);
        }
    Splits chosen;
    for (const std::size_t place : rows_of(own, part.cut, settings)) chosen.push_back(rows[place]);
    return chosen;
}

Status check_held_out(const std::vector<std::uint16_t>& train, const std::vector<std::uint16_t>& held_out,
                      const std::vector<std::string>& names) {
    const std::set<std::uint16_t> trained(train.begin(), train.end()), held(held_out.begin(), held_out.end());
    Splits without;
    std::ranges::set_difference(trained, held, std::back_inserter(without));
    if (without.empty() || held.empty()) return {};
    const std::size_t first = without.front();
    return bad_input(
        "data.validation",
        fmt::format("the part held out has no example of {} of the {} classes trained on ('{}'{}), "
                    "so its accuracy says nothing about them; with data.validation = \"auto\" a set "
                    "without splits holds out a share of each class",
                    without.size(), trained.size(),
                    first < names.size() ? names[first] : std::to_string(first),
                    without.size() > 1 ? " first" : ""));
}

std::size_t last_tokens_begin(std::size_t total, double fraction) {
    return static_cast<std::size_t>((1 - fraction) * static_cast<double>(total));
}

std::size_t last_examples(std::size_t total, double fraction) {
    const auto share = static_cast<std::size_t>(static_cast<double>(total) * fraction);
    return std::min(total, std::max<std::size_t>(1, share));
}

Result<SetPart> part_named(std::span<const std::string> names, const SetParts& parts,
                           std::string_view wanted) {
    if (wanted == "train") return parts.train;
    if (wanted == "all") return SetPart{all_of(names), Cut::whole, "all"};
    Splits found = called(names, wanted);
    if (wanted == "validation") found = without(found, parts.train.splits);
    if (!found.empty()) return SetPart{found, Cut::whole, splits_title(names, found)};
    if (wanted == "validation") return parts.held_out;
    return no_split(names, wanted, {"train", "validation", "all"});
}

}  // namespace plimsoll::run
