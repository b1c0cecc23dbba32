#pragma once

#include <cstdint>
#include <string_view>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"

namespace plimsoll::formats {

// A Transformer decoder to be written as a stock Hugging Face config.
struct EmitShape {
    std::int64_t depth = 0, width = 0, heads = 0;
    std::int64_t kv_heads = 0;  // 0: as many as heads
    std::int64_t head_dim = 0;  // 0: width / heads
    std::int64_t ffn = 0;       // hidden width
    std::int64_t ffn_matrices = 2;
    std::int64_t vocab = 0, context = 0;
    std::int64_t embedding_rank = 0;  // 0: not factorised
    bool tied = true;

    bool operator==(const EmitShape&) const = default;
};

// The config.json of the stock class that fits: GPT-2 (plain feed-forward, heads that fill the width), Llama
// (gated feed-forward, any head size, few key heads), OPT (factorised embedding). An `unsupported` error says
// what no stock class can do; shape_from_config() of the result gives the same numbers back.
Result<Json> config_for(const EmitShape& shape);

// The config.json of one class, for a shape that fits it and leaves no field at "0: as usual". Qwen 3 is
// Llama with norms of queries and keys, which an EmitShape does not have: config_for() never chooses it.
Json gpt2_config(const EmitShape& shape);
Json llama_config(const EmitShape& shape);
Json qwen3_config(const EmitShape& shape);
Json opt_config(const EmitShape& shape);

}  // namespace plimsoll::formats
