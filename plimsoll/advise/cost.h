#pragma once

#include "plimsoll/advise/advice_request.h"

namespace plimsoll::advise {

// How the token table is stored.
enum class TableRank { full, half, given };

// Counts networks of one request in closed form, equal to arch::count (tests/advise/advise_cost_test.cpp).
class CostModel {
  public:
    // `free_heads`: where no head size divides a width, one more head than fits; Llama's block only.
    CostModel(const AdviceRequest& request, Block block, TableRank table, bool free_heads = false);

    // The network of that depth and width, heads and feed-forward filled in.
    [[nodiscard]] Layout layout(std::int64_t depth, std::int64_t width) const;
    [[nodiscard]] std::int64_t parameters(const Layout& layout) const;
    // Forward FLOPs per token of tokens, per image of patches, per input otherwise.
    [[nodiscard]] double forward_flops(const Layout& layout) const;
    [[nodiscard]] double kv_bytes_per_token(const Layout& layout) const;
    [[nodiscard]] arch::ArchSpec spec(const Layout& layout) const;

    // A multiple of `multiple_of` whose heads the block can have.
    [[nodiscard]] bool allowed(std::int64_t width) const;
    // The widest allowed network of that depth within the budget; 0 when there is none.
    [[nodiscard]] std::int64_t widest(std::int64_t depth, std::int64_t budget) const;
    // The widest allowed width up to `limit`; 0 when there is none.
    [[nodiscard]] std::int64_t allowed_up_to(std::int64_t limit) const;
    // Tokens S of a mixer of that many channels.
    [[nodiscard]] std::int64_t tokens(std::int64_t width) const;

    [[nodiscard]] const AdviceRequest& request() const { return request_; }
    [[nodiscard]] Block block() const { return block_; }
    [[nodiscard]] TableRank table() const { return table_; }

  private:
    [[nodiscard]] std::int64_t head_dim_for(std::int64_t width) const;
    [[nodiscard]] std::int64_t rank_for(std::int64_t width) const;

    AdviceRequest request_;
    Block block_;
    TableRank table_;
    bool free_heads_;
};

// Hidden units by width, of a GPT-2 block and of both MLPs of a mixer.
constexpr std::int64_t mlp_expansion = 4;

// Bytes of one cached value.
constexpr double kv_value_bytes = 2;

}  // namespace plimsoll::advise
