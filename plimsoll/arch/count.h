#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/arch/big_count.h"
#include "plimsoll/arch/spec.h"
#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"

// What a network costs, from its numbers alone; docs/COUNTING.md states the conventions.
namespace plimsoll::arch {

struct CountOptions {
    std::int64_t context = 0;  // tokens of a sequence; 0: the spec's own
    std::int64_t batch = 1;
    std::int64_t bytes_per_value = 2;
};

constexpr std::int64_t max_batch = 1'000'000;

// One kind of component of a network, summed over its layers.
struct Part {
    std::string name;        // "attention", "feed-forward", ...
    bool embedding = false;  // indexed by token or position: counted as embedding
    Count parameters;
    Count active;         // parameters that one token uses
    Count forward_flops;  // per unit
};

struct CountReport {
    Count parameters;  // tied matrices and shared layers once
    Count embedding;
    Count non_embedding;
    Count active;             // parameters that one token uses
    std::vector<Part> parts;  // those that exist
    std::string unit;         // what one FLOP figure is for: token, token pair, sequence, image, input
    std::int64_t tokens = 0;  // of one sample
    Count forward_flops;
    Count training_flops;
    Count activation_bytes;          // of a batch, scores included
    Count score_bytes;               // of a batch
    Count kv_bytes_per_token;        // of one sequence
    Count cross_kv_bytes_per_token;  // per source token, encoder-decoder only
    Count state_bytes;               // fixed size, linear attention only
    CountOptions options;            // as used, context resolved
};

// Every figure of `plimsoll count`; an error when the options do not fit the spec (a context for an image).
Result<CountReport> count(const ArchSpec& spec, const CountOptions& options);

// The number of trainable parameters, tied matrices and shared layers once.
Count parameter_count(const ArchSpec& spec);

// What the figures mean, one sentence each; docs/COUNTING.md has the reasons.
std::vector<std::string> counting_conventions();

// The report for programs; numbers beyond 2^63 are given as decimal text.
Json to_json(const CountReport& report);

}  // namespace plimsoll::arch
