#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/formats/shape/model_shape.h"
#include "plimsoll/theory/numbers/integer.h"

// Numbers that follow from a model's shape; every finding is made of them.
namespace plimsoll::audit {

using formats::ModelShape;
using formats::NotAnalysed;

// Drops numbers that cannot be (below 1, or above 2^31, where products stop being safe) and says so in
// `not_analysed`.
ModelShape checked_shape(ModelShape shape, std::vector<NotAnalysed>& not_analysed);

// Attention in every layer: what the bounds of Levine and Wies are about.
bool has_attention(const ModelShape& shape);

// The deeper stack of an encoder-decoder, otherwise the depth.
std::optional<std::int64_t> deepest_stack(const ModelShape& shape);

// heads x head_dim.
std::optional<std::int64_t> attention_dim(const ModelShape& shape);
// heads x head_dim / width.
std::optional<double> attention_over_width(const ModelShape& shape);

// What limits the rank of the map from one input to the stream.
struct InputRank {
    std::int64_t rank = 0;   // at most the width
    std::int64_t limit = 0;  // the vocabulary, the patch ..., before the width caps it
    std::string what;        // "vocabulary 33", "patch 14 x 14 x 3"
    std::string cap;         // the same in a word: "the vocabulary", "the patch"
    bool tokens = false;     // discrete tokens rather than vectors of numbers
};
std::optional<InputRank> input_rank(const ModelShape& shape);
std::optional<double> input_rank_over_width(const ModelShape& shape);

// D = d (d + 1) / 2, the entries of the Gram matrix.
theory::Integer gram_entries(std::int64_t width);
// a / b as a double.
double share(const theory::Integer& a, const theory::Integer& b);

}  // namespace plimsoll::audit
