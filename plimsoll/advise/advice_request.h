#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/advise/compute.h"
#include "plimsoll/arch/spec.h"

namespace plimsoll::advise {

enum class AdviceFamily { transformer, mixer };

// The block that parameters are counted with.
enum class Block {
    gpt2,   // layer norms, biases, learned positions, 4x feed-forward
    llama,  // RMS norms, no biases, rotary positions, gated 8/3 feed-forward; head_dim is free
};

constexpr std::int64_t max_budget = 100'000'000'000'000;
// The deepest network that is looked at, and the depth up to which "the best at this budget" is meant. The
// capacities in doubles overflow near 320 layers.
constexpr std::int64_t deepest_scanned = 256;

// What --by latency or memory may cost: shapes this near to the best are compared by it, in percent of loss.
constexpr double traded_percent = 0.5;

// What ties between shapes are broken by.
enum class TieBreak {
    flops,    // the least compute for its size, which is the widest
    latency,  // the fewest layers: they run one after the other
    memory,   // the fewest cached bytes a token
};

// What somebody wants advice for.
struct AdviceRequest {
    std::int64_t parameters = 0;
    // Where given, the budget is the largest up to `parameters` whose answer takes at most so many FLOPs to
    // train.
    std::optional<double> training_flops;
    AdviceFamily family = AdviceFamily::transformer;
    std::int64_t vocab = 0;    // tokens; 0: patches, or plain vectors for a mixer
    arch::ImageInput image;    // used unless there is a vocabulary
    std::int64_t classes = 0;  // of the classifier on patches
    std::int64_t context = 0;  // positions N; follows from the image; 0 for a mixer: tokens are free
    std::int64_t multiple_of = 64;
    bool usual_widths =
        false;  // in coarser steps as widths grow: 64, 128 from 1024, 256 from 2048, 1024 from 8192
    TieBreak by = TieBreak::flops;
    Card card{"h100", "H100", 989e12};  // that training is priced on
    std::vector<std::int64_t> head_dims{64, 128};
    std::optional<Block> block;                  // none: GPT-2's, Llama's where no head size divides
    std::optional<std::int64_t> embedding_rank;  // none: decided; 0: full
    std::vector<std::string> assumed;            // what the user did not say, for the report
};

// The numbers of one network; a mixer has `tokens` and no heads.
struct Layout {
    Block block = Block::gpt2;
    std::int64_t depth = 0;  // layers, or blocks of a mixer
    std::int64_t width = 0;  // channels of a mixer
    std::int64_t heads = 0, head_dim = 0;
    std::int64_t ffn = 0;
    std::int64_t embedding_rank = 0;  // 0: full
    std::int64_t tokens = 0;          // S of a mixer

    bool operator==(const Layout&) const = default;
};

}  // namespace plimsoll::advise
