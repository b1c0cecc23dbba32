#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/formats/tensor_table.h"

// What a tensor is for, by its name, and which blocks of a model repeat.
namespace plimsoll::formats {

enum class Role {
    other,
    token_table,
    position_table,
    segment_table,
    patch_filter,
    output_head,
    norm,
    query,
    key,
    value,
    fused_qkv,
    latent_query,  // from the query latent of MLA to the heads
    latent_kv,     // from the key and value latent of MLA to the heads
    attention_output,
    query_norm,
    cross_query,
    ffn_in,
    ffn_gate,
    ffn_gate_up,
    ffn_out,
    router,
    token_mixing,
    channel_mixing,
    state_space,
    relative_bias,
    sinks,
};

// The role that a tensor's name tells; `other` when it tells none.
Role role_of(std::string_view name);

// A run of blocks numbered under one prefix: "model.layers" with 0, 1, 2 ...
struct BlockStack {
    std::string prefix;
    std::set<std::int64_t> numbers;
    std::int64_t inner =
        1;  // alike blocks inside each block, where blocks are nested (mixers.0.mixer_layers.1)
    std::uint64_t elements = 0;
    std::vector<const TensorInfo*> tensors;  // of all blocks
    std::int64_t experts = 0;                // numbered experts inside a block

    [[nodiscard]] std::int64_t depth() const { return static_cast<std::int64_t>(numbers.size()) * inner; }
};

// The stacks of a table, largest first.
std::vector<BlockStack> block_stacks(const TensorTable& table);

}  // namespace plimsoll::formats
