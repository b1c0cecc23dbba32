#include "plimsoll/run/splits.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>

#include "plimsoll/base/format.h"
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

Splits all_of(std::span<const std::string> names) {
    Splits all(names.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}

Splits without(Splits from, const Splits& taken) {
    std::erase_if(from, [&](std::size_t i) { return std::ranges::find(taken, i) != taken.end(); });
    return from;
}

std::string splits_title(std::span<const std::string> names, const Splits& splits) {
    std::vector<std::string> words;
    for (const std::size_t i : splits) words.push_back(names[i]);
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
