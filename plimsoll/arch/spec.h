#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "plimsoll/arch/attention.h"
#include "plimsoll/arch/flat_nets.h"
#include "plimsoll/arch/key_info.h"
#include "plimsoll/arch/mixer.h"
#include "plimsoll/arch/square_nets.h"
#include "plimsoll/arch/transformer.h"
#include "plimsoll/arch/vision_mlps.h"
#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"

namespace plimsoll::arch {

// An architecture as numbers, with every default resolved.
using ArchSpec = std::variant<AttentionSpec, TransformerSpec, SquareMixerSpec, SquareMlpSpec, MixerSpec,
                              PkSpec, SwMlpSpec, MonarchSpec, S2MlpSpec, VipSpec, HireMlpSpec, MlpSpec>;

// Reads "family:key=value,key=value"; lists use '+' (1+3+5). The error names the key and what is allowed.
Result<ArchSpec> parse_spec(std::string_view text);

// Reads a table {family = "transformer", depth = 12, ...} with the keys of the text form.
Result<ArchSpec> spec_from_json(const Json& table);

// The shortest text form: keys that differ from their defaults, in a fixed order. parse_spec() reverses it.
std::string to_text(const ArchSpec& spec);

// Every key of the family with its resolved value. spec_from_json() reverses it.
Json to_json(const ArchSpec& spec);

// "transformer", "rp-mixer", ...
std::string family_name(const ArchSpec& spec);

// Whether the network is one that the papers analyse, a polynomial of its input.
bool is_analysed(const ArchSpec& spec);

// Whether a spec that was built by hand is one that parse_spec() could have returned.
Status validate(const ArchSpec& spec);

// One family, for help.
struct FamilyInfo {
    std::string name;
    std::string meaning;
    std::vector<KeyInfo> keys;
};

// Every family with its keys, in the order of the text form.
std::vector<FamilyInfo> families();

}  // namespace plimsoll::arch
