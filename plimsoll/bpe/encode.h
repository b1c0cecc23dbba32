#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/bpe/model.h"

namespace plimsoll::bpe {

// What a pair merges to, and when; null for a pair that does not merge.
struct MergeFact {
    std::uint64_t key = UINT64_MAX;
    std::uint32_t rank = UINT32_MAX, result = 0;
};

// Merges by pair: open addressing, read by all threads.
class MergeTable {
  public:
    explicit MergeTable(const std::vector<BpeMerge>& merges);
    [[nodiscard]] const MergeFact& find(std::uint32_t left, std::uint32_t right) const;

  private:
    std::vector<MergeFact> slots_;
};

// Called now and then on the way through a long text: may empty the ids found so far.
using Pause = std::function<void(std::vector<std::uint32_t>& ids)>;

// Texts to ids and back. Made once, used by many threads, each with a Scratch of its own.
class BpeEncoder {
  public:
    // `unsupported` when a byte has no token.
    static Result<BpeEncoder> make(BpeModel model);
    BpeEncoder(BpeEncoder&&) noexcept;
    ~BpeEncoder();

    // Remembers the pieces a thread has met, in bounded memory.
    class Scratch {
      public:
        Scratch();
        ~Scratch();
        Scratch(Scratch&&) noexcept;

      private:
        friend class BpeEncoder;
        struct State;
        std::unique_ptr<State> state_;
    };

    // Appends the ids of `text`; special tokens are found in it unless `specials_as_text`. With a `pause` no
    // more than some millions of ids are ever held.
    void encode(std::string_view text, bool specials_as_text, Scratch& scratch,
                std::vector<std::uint32_t>& ids, const Pause& pause = nullptr) const;

    // Appends the bytes of the ids; `bad_input` names the first that is no token.
    Status decode(std::span<const std::uint32_t> ids, std::string& bytes) const;

    [[nodiscard]] const BpeModel& model() const { return model_; }

  private:
    explicit BpeEncoder(BpeModel model, const std::array<std::uint32_t, 256>& byte_ids);
    struct Found;
    [[nodiscard]] Found find_special(std::string_view text, std::size_t from) const;
    void encode_ordinary(std::string_view text, Scratch& scratch, std::vector<std::uint32_t>& ids,
                         const Pause& pause) const;

    BpeModel model_;
    std::unique_ptr<class PieceMerger> merger_;
    std::array<bool, 256> starts_special_{};
};

}  // namespace plimsoll::bpe
