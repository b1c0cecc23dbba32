#include "plimsoll/data/synthetic/synthetic_settings.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::data {
namespace {

// "key=value" pieces; the value of "spec", which has commas of its own, reaches to the end.
std::vector<std::string> pieces_of(std::string_view text) {
    constexpr std::string_view last_key = "spec=";
    const std::size_t last = text.starts_with(last_key) ? 0 : text.find(std::string(",").append(last_key));
    std::vector<std::string> pieces = split(text.substr(0, last), ',');
    if (last != std::string_view::npos) {
        pieces.emplace_back(text.substr(last == 0 ? 0 : last + 1));
    }
    return pieces;
}

}  // namespace

Result<SyntheticSettings> SyntheticSettings::parse(std::string_view text, const SyntheticKind& kind) {
    SyntheticSettings settings;
    settings.kind_ = &kind;
    std::vector<std::string> keys;
    for (const auto& setting : kind.settings) keys.push_back(setting.key);
    for (const std::string& piece : pieces_of(text)) {
        if (piece == kind.name) continue;
        const std::size_t equals = piece.find('=');
        const std::string key = piece.substr(0, equals);
        if (equals == std::string::npos || std::ranges::find(keys, key) == keys.end()) {
            return bad_input("synthetic:" + kind.name,
                             fmt::format("no setting '{}'{}", key, suggestion(key, keys)));
        }
        if (!settings.values_.emplace(key, piece.substr(equals + 1)).second) {
            return bad_input("synthetic:" + kind.name, fmt::format("'{}' is given twice", key));
        }
    }
    for (const auto& setting : kind.settings) settings.values_.emplace(setting.key, setting.fallback);
    return settings;
}

Result<std::uint64_t> SyntheticSettings::count(const std::string& key, std::uint64_t least,
                                               std::uint64_t most) const {
    PLIMSOLL_ASSIGN(value, parse_count(text(key), key));
    const auto found = static_cast<std::uint64_t>(value);
    if (found >= least && found <= most) return found;
    return bad_input(key, fmt::format("must be from {} to {}, got {}", least, most, found));
}

Result<bool> SyntheticSettings::flag(const std::string& key) const {
    if (text(key) == "on") return true;
    if (text(key) == "off") return false;
    return bad_input(key, fmt::format("must be on or off, got '{}'", text(key)));
}

std::string SyntheticSettings::full_name() const {
    std::vector<std::string> pieces;
    const bool own_place = kind_->settings.front().key == kind_->name;
    if (!own_place) pieces.push_back(kind_->name);
    for (const auto& setting : kind_->settings) pieces.push_back(setting.key + "=" + text(setting.key));
    return "synthetic:" + join(pieces, ",");
}

}  // namespace plimsoll::data
