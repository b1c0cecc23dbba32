#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/arch/count.h"

// Where the counters of the families put their figures.
namespace plimsoll::arch {

// Parameters, and multiply-adds of one use of them.
struct Weights {
    Count parameters;
    Count multiplies;

    friend Weights operator+(Weights a, Weights b) {
        return {a.parameters + b.parameters, a.multiplies + b.multiplies};
    }
    friend Weights operator*(Count n, Weights a) { return {n * a.parameters, n * a.multiplies}; }
};

// A dense layer: in * out weights, out biases if any.
inline Weights dense(Count in, Count out, bool bias) {
    const Count cells = in * out;
    return {bias ? cells + out : cells, cells};
}

// Parameters that are looked up or added, not multiplied.
inline Weights table(Count cells) { return {cells, 0}; }

// The scale (and bias) of a norm over `size` numbers.
inline Weights norm_weights(Norm norm, bool bias, Count size) {
    if (norm == Norm::none) return {};
    return table(bias ? Count(2) * size : size);
}

struct Tally {
    std::vector<Part> parts;
    std::string unit = "token";
    std::int64_t tokens = 1;  // of one sample
    Count activations;        // values of one sample, without scores
    Count scores;             // values of one sample
    Count kv_values_per_token;
    Count cross_kv_values_per_token;
    Count state_values;

    // Adds weights that are used `uses` times per unit.
    void add(std::string_view part, const Weights& weights, Count uses) {
        add(part, weights.parameters, weights.parameters, Count(2) * weights.multiplies * uses);
    }
    void add(std::string_view part, Count parameters, Count active, Count flops) {
        if (parameters == 0 && flops == 0) return;
        Part& found = find(part);
        found.parameters += parameters;
        found.active += active;
        found.forward_flops += flops;
    }

  private:
    Part& find(std::string_view name) {
        for (auto& part : parts) {
            if (part.name == name) return part;
        }
        const bool embedding = name.ends_with(" embedding") || name == "vocabulary head";
        parts.push_back({std::string(name), embedding, {}, {}, {}});
        return parts.back();
    }
};

// `context` is the number of tokens of a sample; 0 means the spec's own.
Tally tally(const AttentionSpec& spec, std::int64_t context);
Tally tally(const TransformerSpec& spec, std::int64_t context);
Tally tally(const SquareMixerSpec& spec, std::int64_t context);
Tally tally(const SquareMlpSpec& spec, std::int64_t context);
Tally tally(const MixerSpec& spec, std::int64_t context);
Tally tally(const PkSpec& spec, std::int64_t context);
Tally tally(const SwMlpSpec& spec, std::int64_t context);
Tally tally(const MonarchSpec& spec, std::int64_t context);
Tally tally(const S2MlpSpec& spec, std::int64_t context);
Tally tally(const VipSpec& spec, std::int64_t context);
Tally tally(const HireMlpSpec& spec, std::int64_t context);
Tally tally(const MlpSpec& spec, std::int64_t context);

}  // namespace plimsoll::arch
