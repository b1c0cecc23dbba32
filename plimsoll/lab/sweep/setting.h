#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plimsoll/base/condition.h"
#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"
#include "plimsoll/run/run_config.h"

// Settings of a run by key: the keys of run.toml ("optimizer.lr"), and the fields of its spec
// ("model.depth").
namespace plimsoll::lab {

// One setting and where it was given.
struct Setting {
    std::string key;
    Json value;
    std::string place;  // "sweep.toml:5: axes.model.depth"
};

// The text of a spec, taken apart but not checked: fields may be missing.
struct SpecText {
    std::string family;
    std::vector<std::pair<std::string, std::string>> fields;
};

// Takes "family:key=value,..." apart; the family must be known.
Result<SpecText> split_spec(const std::string& text, const std::string& place);

// The name of a field: "depth" of "model.depth"; empty for a key of run.toml and for anything else.
std::string_view field_of(std::string_view key);

// The names of the fields of a family; empty when there is no such family.
std::vector<std::string> fields_of_family(std::string_view family);

// Whether `key` is one of run.toml, and the sections of run.toml.
bool is_run_key(std::string_view key);
bool is_run_section(std::string_view name);

// An error with near misses unless `key` is a key of run.toml or a field of each of the families.
Status check_key(const std::string& key, const std::vector<std::string>& families, const std::string& place);

// Every key that a sweep over networks of these families may name.
std::vector<std::string> all_keys(const std::vector<std::string>& families);

// What a wrong key could have meant: " (did you mean model.depth?)".
std::string key_hint(const std::string& key, std::span<const std::string> known);

// The value in one form whatever way it was written ("64K", 6.4e4): that of config.toml for its keys, plain
// numbers and truths for fields. An error at the setting's place when a key of run.toml cannot have it.
Result<Json> plain_value(const Setting& setting);

// A table of settings as in run.toml, flattened.
struct FlatSetting {
    std::string key;   // "model.depth"
    std::string path;  // in the file: "axes.model.depth"
    Json value;
};
std::vector<FlatSetting> flattened(const Json& table, const std::string& prefix);

// The text of model.spec that a recipe gives; empty when it gives none.
std::string spec_of_recipe(std::string_view recipe);

// The config that the settings describe, the spec put together from its text and its fields. `where` names
// the run in errors.
Result<run::RunConfig> resolve(const std::vector<Setting>& settings, const std::string& where);

// The spec alone.
Result<arch::ArchSpec> resolve_spec(const std::vector<Setting>& settings);

// The value of a key in a resolved config; null when it has none (a shorthand of its spec).
Json value_in(const run::RunConfig& config, const std::string& key);

// A value as people write it.
std::string value_text(const Json& value);

}  // namespace plimsoll::lab
