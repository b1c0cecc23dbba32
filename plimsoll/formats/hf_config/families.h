#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/formats/shape/model_shape.h"

// Families of models as tables of facts: which tensors a layer has, and what a class sets when the file is
// silent.
namespace plimsoll::formats {

// One line of the defaults: "hidden_size=768 num_hidden_layers=12".
struct FamilyDefaults {
    std::string_view type;
    std::string_view values;
};

// The defaults of every configuration class, sorted by type.
const std::vector<FamilyDefaults>& family_defaults();

// One line of the facts: several model_types that share them, and the facts in the words of
// hf_config_families.cpp.
struct FamilyLine {
    std::string_view types;
    std::string_view words;
};

// The facts of every family that is known by its tensors.
const std::vector<FamilyLine>& family_lines();

// What is known of a family before its file is read.
struct Family {
    std::string type;
    bool listed = false;  // has a line of facts; otherwise it is read as if it were a Llama
    ModelKind kind = ModelKind::unknown;
    std::optional<int> ffn_matrices;
    std::optional<bool> tied;
    std::string positions;
    std::int64_t position_offset = 0;    // rows of a learned table beyond the context
    bool attention_bias_is_qkv = false;  // the key attention_bias leaves the output alone
    bool classifier = false;             // counted with its classes when the file names them
    std::string_view quirk;              // a rule of this family alone, by name
    TensorFacts tensors;
};

// The family of a model_type; unlisted ones come back with `listed` false.
Family family_of_type(std::string_view type);

// The model_type whose classes are called like this ("BertForMaskedLM"), or empty.
std::string type_of_architecture(std::string_view architecture);

// The line of class defaults of a type; empty when it has none.
std::string_view default_line(std::string_view type);

// The value of a key in such a line, or nothing.
std::optional<std::int64_t> default_in(std::string_view line, std::string_view key);

}  // namespace plimsoll::formats
