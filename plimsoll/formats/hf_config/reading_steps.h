#pragma once

#include "plimsoll/formats/hf_config/config_keys.h"
#include "plimsoll/formats/hf_config/families.h"

// The steps of shape_from_config, in the order in which they run; each fills its part of reader.shape().
namespace plimsoll::formats {

// The family by model_type, architectures or the keys; sets shape.family and notes a guess.
Family identify(ConfigReader& reader, std::string_view outer_type);
// What the keys alone say of the kind of network, for families that are not listed.
ModelKind kind_by_keys(const ConfigReader& reader);
// The kind that a class name promises ("...ForCausalLM"), or unknown.
ModelKind kind_by_architecture(const ConfigReader& reader);

void read_sizes(ConfigReader& reader, const Family& family);    // depth, width, heads, feed-forward
void read_experts(ConfigReader& reader, const Family& family);  // mixture of experts
void read_inputs(ConfigReader& reader, const Family& family);   // vocabulary, patches, audio, positions
void read_states(ConfigReader& reader, const Family& family);   // state-space layers
void read_mixer(ConfigReader& reader, const Family& family);    // token and channel mixing
void read_tensors(ConfigReader& reader, const Family& family);  // biases and norms that keys switch
void read_quirks(ConfigReader& reader, const Family& family);   // rules of one family

// Rules of one encoder each, counted from their published definitions.
void read_deberta(ConfigReader& reader);
void read_deberta_v2(ConfigReader& reader);
void read_mobilebert(ConfigReader& reader);

// Notes a stack whose width changes from stage to stage; true when it is one.
bool note_stages(ConfigReader& reader);

}  // namespace plimsoll::formats
