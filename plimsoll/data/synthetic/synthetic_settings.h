#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "plimsoll/data/synthetic/synthetic.h"

namespace plimsoll::data {

// The settings of one set: what the name gave, and the kind's fallbacks for the rest.
class SyntheticSettings {
  public:
    // Reads "kind,key=value", or "kind=3,key=value" for a kind with a setting of its own name.
    static Result<SyntheticSettings> parse(std::string_view text, const SyntheticKind& kind);

    // A count from `least` to `most`.
    [[nodiscard]] Result<std::uint64_t> count(const std::string& key, std::uint64_t least,
                                              std::uint64_t most) const;
    [[nodiscard]] Result<bool> flag(const std::string& key) const;  // "on" or "off"
    [[nodiscard]] const std::string& text(const std::string& key) const { return values_.at(key); }

    // "synthetic:hops=3,symbols=16,...": every setting, in the order of the kind.
    [[nodiscard]] std::string full_name() const;

  private:
    const SyntheticKind* kind_ = nullptr;
    std::map<std::string, std::string> values_;
};

Result<Synthetic> make_grammar(const SyntheticSettings& settings, const ProgressCallback& progress);
Result<Synthetic> make_shuffled(const SyntheticSettings& settings, const ProgressCallback& progress);
Result<Synthetic> make_hops(const SyntheticSettings& settings, const ProgressCallback& progress);
Result<Synthetic> make_teacher(const SyntheticSettings& settings, const ProgressCallback& progress);

}  // namespace plimsoll::data
