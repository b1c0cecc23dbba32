#pragma once

#include <filesystem>
#include <string>

#include "plimsoll/advise/advice.h"
#include "plimsoll/base/result.h"

// The advised network as a file that somebody can train from.
namespace plimsoll::advise {

struct Emission {
    std::filesystem::path path;
    std::string content;
    std::string stock_class;  // "GPT2LMHeadModel"; empty for plimsoll.toml
    std::string sentence;     // what was written and, when it is not what was asked for, why
};

// A stock Hugging Face config at `wanted` where a class fits; otherwise plimsoll.toml beside it. A name that
// ends in .toml asks for plimsoll.toml.
Emission emission_of(const Advice& advice, const std::filesystem::path& wanted);

// Writes it; an existing file is refused unless `replace`.
Status write_emission(const Emission& emission, bool replace);

// A spec as TOML: family and the keys that differ from their defaults. spec_from_json() of parse_toml() gives
// it back.
std::string spec_toml(const arch::ArchSpec& spec);

// The numbers for programs.
Json to_json(const Emission& emission);

}  // namespace plimsoll::advise
