#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "plimsoll/formats/shape/model_shape.h"
#include "plimsoll/formats/tensor_table.h"

namespace plimsoll::audit {

// What a matrix does in its model, as far as its spectrum is concerned.
enum class WeightRole { input_embedding, value_output, query_key, token_mixing, channel_mixing, matrix };

// "input embedding", "value-output" ...
std::string_view name_of(WeightRole role);

// How the projections of an attention layer lie in its tensors.
enum class AttentionLayout {
    separate,  // a tensor each
    stacked,   // one tensor: all queries, all keys, all values
    grouped,   // one tensor: for each key-value head its queries, its key, its value
    latent,    // DeepSeek's MLA: keys and values from one small vector
};

// The tensors of one attention layer; each is [out, in] unless `input_first`.
struct AttentionTensors {
    std::string name;  // what their names share: "model.layers.3.self_attn"
    AttentionLayout layout = AttentionLayout::separate;
    bool input_first = false;  // [in, out], as GPT-2 stores them
    // The fused tensor is in `query`. Latent: `query` is the second factor when there is a first, `value`
    // holds keys and values from the latent vector, `key` makes that vector and the shared rotary key.
    const formats::TensorInfo *query = nullptr, *key = nullptr, *value = nullptr, *output = nullptr;
    const formats::TensorInfo *query_first = nullptr, *query_gain = nullptr, *latent_gain = nullptr;
};

// A matrix whose own spectrum is wanted.
struct NamedMatrix {
    WeightRole role = WeightRole::matrix;
    const formats::TensorInfo* tensor = nullptr;
};

// What a table's names say. Pointers are into the table.
struct WeightNames {
    std::vector<NamedMatrix> matrices;  // embeddings and mixing matrices; every matrix when no name is known
    std::vector<AttentionTensors> attention;  // layer 2 before layer 10
    std::vector<formats::NotAnalysed> not_analysed;
};

// Finds embeddings, attention layers and mixing matrices by the names of their tensors.
WeightNames find_weights(const formats::TensorTable& table);

// The first number between dots: the layer in "model.layers.3.self_attn".
std::optional<std::int64_t> layer_number(std::string_view name);

// Order of names with numbers compared as numbers.
bool natural_less(std::string_view a, std::string_view b);

}  // namespace plimsoll::audit
