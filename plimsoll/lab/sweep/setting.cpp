#include "plimsoll/lab/sweep/setting.h"

#include <algorithm>
#include <functional>
#include <map>

#include "plimsoll/arch/spec.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/toml.h"
#include "plimsoll/run/config_keys.h"
#include "plimsoll/run/config_values.h"
#include "plimsoll/run/recipes.h"

namespace plimsoll::lab {
namespace {

constexpr std::string_view field_prefix = "model.";

using RunKeys = std::map<std::string, const run::ConfigKey*, std::less<>>;

RunKeys made_run_keys() {
    RunKeys keys;
    for (const auto& key : run::config_key_table()) keys.emplace(key.full_name(), &key);
    return keys;
}

const run::ConfigKey* run_key(std::string_view key) {
    static const RunKeys keys = made_run_keys();
    const auto found = keys.find(key);
    return found == keys.end() ? nullptr : found->second;
}

const std::vector<std::string>& family_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const auto& family : arch::families()) all.push_back(family.name);
        return all;
    }();
    return names;
}

std::string toml_value(const Json& value) {
    if (value.is_string()) return run::toml_string(value.get<std::string>());
    if (value.is_number_float()) return run::real_text(value.get<double>());
    return value.dump();
}

const Setting* find(const std::vector<Setting>& settings, std::string_view key) {
    const auto found = std::ranges::find(settings, key, &Setting::key);
    return found == settings.end() ? nullptr : &*found;
}

// The recipe's spec gives defaults: fields that are set take the place of its own.
Result<SpecText> spec_text(const std::vector<Setting>& settings) {
    if (const Setting* given = find(settings, "model.spec"))
        return split_spec(given->value.get<std::string>(), given->place);
    const Setting* recipe = find(settings, "recipe");
    const std::string text = recipe == nullptr ? "" : spec_of_recipe(recipe->value.get<std::string>());
    if (text.empty())
        return bad_input("model.spec", "is missing: give the family and the keys that no axis varies");
    PLIMSOLL_ASSIGN(spec, split_spec(text, "recipe"));
    std::erase_if(spec.fields, [&](const auto& field) {
        return find(settings, std::string(field_prefix) + field.first) != nullptr;
    });
    return spec;
}

}  // namespace

std::vector<std::string> all_keys(const std::vector<std::string>& families) {
    std::vector<std::string> keys;
    for (const auto& key : run::config_key_table()) keys.push_back(key.full_name());
    for (const auto& family : families)
        for (const auto& field : fields_of_family(family)) keys.push_back(std::string(field_prefix) + field);
    return keys;
}

std::string key_hint(const std::string& key, std::span<const std::string> known) {
    const auto section_of = [](const std::string& one) { return one.substr(0, one.find('.') + 1); };
    const auto name_of = [](const std::string& one) { return one.substr(one.find('.') + 1); };
    std::vector<std::string> elsewhere, here;  // the same name in another section, the names of its own
    for (const auto& one : known) {
        if (name_of(one) == name_of(key)) elsewhere.push_back(one);
        if (section_of(one) == section_of(key)) here.push_back(name_of(one));
    }
    std::vector<std::string> meant = elsewhere;
    if (meant.empty())
        for (const auto& name : near_misses(name_of(key), here)) meant.push_back(section_of(key) + name);
    if (meant.empty()) return "; docs/RUNS.md has the keys of a run, plimsoll count --keys those of a spec";
    return fmt::format(" (did you mean {}?)", join(meant, " or "));
}

std::string_view field_of(std::string_view key) {
    if (!key.starts_with(field_prefix) || is_run_key(key)) return {};
    return key.substr(field_prefix.size());
}

std::vector<std::string> fields_of_family(std::string_view family) {
    std::vector<std::string> names;
    for (const auto& one : arch::families())
        if (one.name == family)
            for (const auto& key : one.keys) names.push_back(key.name);
    return names;
}

bool is_run_key(std::string_view key) { return run_key(key) != nullptr; }

bool is_run_section(std::string_view name) {
    return !name.empty() &&
           std::ranges::any_of(run::config_key_table(), [&](const auto& key) { return key.section == name; });
}

Result<SpecText> split_spec(const std::string& text, const std::string& place) {
    const auto colon = text.find(':');
    SpecText spec{std::string(trim(std::string_view(text).substr(0, colon))), {}};
    const auto& names = family_names();
    if (std::ranges::find(names, spec.family) == names.end())
        return bad_input(place,
                         fmt::format("unknown family '{}'{}", spec.family, suggestion(spec.family, names)));
    if (colon == std::string::npos) return spec;
    for (const auto& piece : split(std::string_view(text).substr(colon + 1), ',')) {
        const auto equals = piece.find('=');
        if (equals == std::string::npos)
            return bad_input(place, fmt::format("must be family:key=value,key=value, got '{}'", piece));
        const std::string field(trim(std::string_view(piece).substr(0, equals)));
        const bool again = std::ranges::any_of(spec.fields, [&](const auto& f) { return f.first == field; });
        if (again) return bad_input(place, fmt::format("{} is given twice", field));
        spec.fields.emplace_back(field, trim(std::string_view(piece).substr(equals + 1)));
    }
    return spec;
}

Status check_key(const std::string& key, const std::vector<std::string>& families, const std::string& place) {
    if (is_run_key(key)) return {};
    const std::string field(field_of(key));
    for (const auto& family : families) {
        const auto known = fields_of_family(family);
        if (!field.empty() && std::ranges::find(known, field) != known.end()) continue;
        return bad_input(place, fmt::format("unknown key '{}'{}", key, key_hint(key, all_keys({family}))));
    }
    if (!families.empty() && !field.empty()) return {};
    return bad_input(place, fmt::format("unknown key '{}'{}", key, key_hint(key, all_keys(families))));
}

Result<Json> plain_value(const Setting& setting) {
    const auto* key = run_key(setting.key);
    if (key == nullptr) return plain_word(setting.value);
    if (setting.key == "model.spec") {
        PLIMSOLL_ASSIGN(text, run::read_words(setting.value, setting.place));
        PLIMSOLL_RETURN_IF_ERROR(split_spec(text, setting.place));
        return Json(text);
    }
    run::RunConfig scratch;
    PLIMSOLL_RETURN_IF_ERROR(key->read(scratch, setting.value, setting.place));
    return value_in(scratch, setting.key);
}

std::vector<FlatSetting> flattened(const Json& table, const std::string& prefix) {
    std::vector<FlatSetting> flat;
    for (const auto& [name, value] : table.items()) {
        if (!is_run_section(name) || !value.is_object()) {
            flat.push_back({name, prefix + name, value});
            continue;
        }
        for (const auto& [inner, inner_value] : value.items()) {
            const std::string key = fmt::format("{}.{}", name, inner);
            flat.push_back({key, prefix + key, inner_value});
        }
    }
    return flat;
}

std::string spec_of_recipe(std::string_view name) {
    for (const auto& recipe : run::recipes()) {
        if (recipe.name != name) continue;
        for (const auto& [key, text] : recipe.values)
            if (key == "model.spec") return parse_toml("value = " + text, "recipe")->at("value");
    }
    return "";
}

Result<arch::ArchSpec> resolve_spec(const std::vector<Setting>& settings) {
    PLIMSOLL_ASSIGN(text, spec_text(settings));
    Json table{{"family", text.family}};
    for (const auto& [field, value] : text.fields) table[field] = value;
    for (const auto& setting : settings)
        if (const auto field = field_of(setting.key); !field.empty())
            table[std::string(field)] = setting.value;
    return arch::spec_from_json(table);
}

Result<run::RunConfig> resolve(const std::vector<Setting>& settings, const std::string& where) {
    const auto spec = resolve_spec(settings);
    if (!spec.ok()) return bad_input(where, spec.error().text());
    std::string text = "model.spec = " + run::toml_string(arch::to_text(*spec)) + "\n";
    for (const auto& setting : settings)
        if (is_run_key(setting.key) && setting.key != "model.spec")
            text += fmt::format("{} = {}\n", setting.key, toml_value(setting.value));
    auto config = run::parse_run_config(text, "");
    if (!config.ok()) return bad_input(where, config.error().text());
    return config;
}

Json value_in(const run::RunConfig& config, const std::string& key) {
    if (const auto* known = run_key(key)) {
        const auto value = parse_toml("value = " + known->write(config), key);
        PLIMSOLL_CHECK(value.ok(), "a value that cannot be read back: " + key);
        return value->at("value");
    }
    const Json fields = arch::to_json(config.model.spec);
    const std::string field(field_of(key));
    return fields.contains(field) ? plain_word(fields.at(field)) : Json();
}

std::string value_text(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
    if (value.is_number_float()) return fmt::format("{}", value.get<double>());
    return value.dump();
}

}  // namespace plimsoll::lab
