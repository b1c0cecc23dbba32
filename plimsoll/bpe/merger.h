#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "plimsoll/bpe/encode.h"

namespace plimsoll::bpe {

// Applies merges to one piece of text, short ones by search, long ones with a heap, very long ones in
// windows.
class PieceMerger {
  public:
    PieceMerger(const BpeModel& model, const std::array<std::uint32_t, 256>& byte_ids);

    // Appends the ids of `piece`, which is not empty. Between the windows of a very long one `pause`, if
    // there is one, may take the ids away.
    void merge(std::string_view piece, std::vector<std::uint32_t>& ids, const Pause& pause = nullptr) const;

    // Bytes to the right that the tokens at a place can depend on; UINT64_MAX when there is no bound.
    [[nodiscard]] std::uint64_t reach() const { return reach_; }
    // The same ids with windows of `window` bytes; for tests, which want small ones.
    void merge_in_windows(std::string_view piece, std::uint64_t window, std::vector<std::uint32_t>& ids,
                          const Pause& pause = nullptr) const;

  private:
    void merge_short(std::string_view piece, std::vector<std::uint32_t>& ids) const;
    void merge_long(std::string_view piece, std::vector<std::uint32_t>& ids) const;
    [[nodiscard]] std::uint64_t reach_of(const BpeModel& model) const;

    std::vector<std::size_t> lengths_;  // of the tokens, in bytes
    std::array<std::uint32_t, 256> byte_ids_;
    MergeTable merges_;
    std::unordered_map<std::string_view, std::uint32_t> whole_;  // of models with whole pieces first
    std::uint64_t reach_ = 0;
};

}  // namespace plimsoll::bpe
