#include "plimsoll/run/run_config.h"

#include <algorithm>
#include <set>
#include <utility>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/json.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/toml.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/run/config_keys.h"
#include "plimsoll/run/recipes.h"
#include "plimsoll/store/run_folder.h"

namespace plimsoll::run {
namespace {

constexpr std::size_t most_bytes = 1'000'000;  // of a run.toml

struct Setting {
    const ConfigKey* key = nullptr;
    Json value;
    std::string where;  // "run.toml: optimizer.lr"
};

// Settings that came from one place; among them no two may contradict one another.
using Layer = std::vector<Setting>;

const ConfigKey* key_named(std::string_view full_name) {
    for (const auto& key : config_key_table())
        if (key.full_name() == full_name) return &key;
    return nullptr;
}

bool is_section(std::string_view name) {
    return std::ranges::any_of(config_key_table(), [&](const ConfigKey& key) { return key.section == name; });
}

// The keys that `section.name` could have meant: the same name elsewhere, or names like it in the section.
std::vector<std::string> meant_keys(const std::string& section, const std::string& name) {
    std::vector<std::string> elsewhere, here;
    for (const auto& key : config_key_table()) {
        if (key.name == name) elsewhere.push_back(key.full_name());
        if (key.section == section) here.push_back(key.name);
    }
    if (!elsewhere.empty()) return elsewhere;
    std::vector<std::string> near = near_misses(name, here);
    for (auto& word : near)
        if (!section.empty()) word = section + "." + word;
    return near;
}

// Everything that may stand at the top, or in a section.
std::vector<std::string> all_names(const std::string& section) {
    std::vector<std::string> names;
    for (const auto& key : config_key_table()) {
        const bool inside = key.section == section;
        const std::string& name = inside ? key.name : key.section;
        const bool wanted = inside || (section.empty() && !name.empty());
        if (wanted && std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    return names;
}

Error unknown_key(const std::string& full_name, const std::string& where) {
    const auto dot = full_name.find('.');
    const bool known_section = dot != std::string::npos && is_section(full_name.substr(0, dot));
    const std::string section = known_section ? full_name.substr(0, dot) : "";
    const std::string name = known_section ? full_name.substr(dot + 1) : full_name;
    const auto meant = meant_keys(section, name);
    const std::string hint = meant.empty() ? suggestion(name.substr(0, name.find('.')), all_names(section))
                                           : fmt::format(" (did you mean {}?)", join(meant, " or "));
    return bad_input(where, fmt::format("unknown key '{}'{}", full_name, hint));
}

Result<Setting> setting_of(const std::string& full_name, Json value, const std::string& where) {
    const ConfigKey* key = key_named(full_name);
    if (key == nullptr) return unknown_key(full_name, where);
    return Setting{key, std::move(value), fmt::format("{}: {}", where, full_name)};
}

Result<Layer> layer_of_file(const Json& table, const std::string& where) {
    Layer layer;
    for (const auto& [name, value] : table.items()) {
        if (is_section(name) && !value.is_object()) {
            return bad_input(fmt::format("{}: {}", where, name),
                             fmt::format("is a section: give {0}.{1} = ...", name, all_names(name).front()));
        }
        if (!is_section(name)) {
            PLIMSOLL_ASSIGN(setting, setting_of(name, value, where));
            layer.push_back(std::move(setting));
            continue;
        }
        for (const auto& [inner, inner_value] : value.items()) {
            PLIMSOLL_ASSIGN(setting, setting_of(name + "." + inner, inner_value, where));
            layer.push_back(std::move(setting));
        }
    }
    return layer;
}

// The value of an override: TOML where it is TOML, otherwise the words themselves.
Json override_value(const ConfigKey& key, const std::string& text) {
    const auto parsed = parse_toml("value = " + text, "value");
    const bool one_value = parsed.ok() && parsed->size() == 1;
    if (one_value && (!key.words || parsed->at("value").is_string())) return parsed->at("value");
    return text;
}

Result<Setting> setting_of_override(const std::string& text) {
    const std::string where = "--set";
    if (!is_utf8(text)) return bad_input(where, "is not valid UTF-8");
    const auto equals = text.find('=');
    if (equals == std::string::npos)
        return bad_input(where, fmt::format("must be key=value, as optimizer.lr=3e-4; got {}", text));
    const std::string name(trim(std::string_view(text).substr(0, equals)));
    PLIMSOLL_ASSIGN(setting, setting_of(name, Json(), where));
    setting.value =
        override_value(*setting.key, std::string(trim(std::string_view(text).substr(equals + 1))));
    return setting;
}

// Of two overrides of one key the last one counts.
Result<Layer> layer_of_overrides(std::span<const std::string> overrides) {
    Layer layer;
    for (const auto& text : overrides) {
        PLIMSOLL_ASSIGN(setting, setting_of_override(text));
        std::erase_if(layer, [&](const Setting& before) { return before.key == setting.key; });
        layer.push_back(std::move(setting));
    }
    return layer;
}

Layer layer_of_recipe(const Recipe& recipe) {
    Layer layer;
    for (const auto& [name, text] : recipe.values) {
        const auto value = parse_toml("value = " + text, "value");
        PLIMSOLL_CHECK(value.ok(), "recipe " + recipe.name + ", " + name + " = " + text);
        const auto setting = setting_of(name, value->at("value"), "recipe " + recipe.name);
        PLIMSOLL_CHECK(setting.ok(), "recipe " + recipe.name + ", " + name);
        layer.push_back(*setting);
    }
    return layer;
}

const Setting* find(const Layer& layer, std::string_view name) {
    const auto found = std::ranges::find(layer, key_named(name), &Setting::key);
    return found == layer.end() ? nullptr : &*found;
}

// Steps given later replace epochs given before, and the other way round; in one place they contradict.
Status apply(RunConfig& config, const Layer& layer) {
    TrainSettings given{.steps = 0, .epochs = 0};
    std::swap(given.steps, config.train.steps);
    std::swap(given.epochs, config.train.epochs);
    for (const Setting& setting : layer)
        PLIMSOLL_RETURN_IF_ERROR(setting.key->read(config, setting.value, setting.where));
    if (config.train.steps == 0 && config.train.epochs == 0) {
        if (find(layer, "train.steps") == nullptr) config.train.steps = given.steps;
        if (find(layer, "train.epochs") == nullptr) config.train.epochs = given.epochs;
    }
    return {};
}

// The recipe that the last of the layers names.
Result<const Recipe*> named_recipe(std::span<const Layer* const> layers) {
    RunConfig config;
    for (const Layer* layer : layers)
        if (const Setting* setting = find(*layer, "recipe"))
            PLIMSOLL_RETURN_IF_ERROR(setting->key->read(config, setting->value, setting->where));
    const auto found = std::ranges::find(recipes(), config.recipe, &Recipe::name);
    return found == recipes().end() ? nullptr : &*found;
}

Status check_required(std::span<const Layer* const> layers, std::string_view where) {
    for (const auto& key : config_key_table()) {
        const bool given = std::ranges::any_of(layers, [&](const Layer* layer) {
            return std::ranges::find(*layer, &key, &Setting::key) != layer->end();
        });
        if (key.required && !given)
            return bad_input(std::string(where),
                             fmt::format("{} is missing: {}", key.full_name(), key.meaning));
    }
    return {};
}

}  // namespace

Result<RunConfig> parse_run_config(std::string_view toml, std::string_view where,
                                   std::span<const std::string> overrides) {
    PLIMSOLL_ASSIGN(table, parse_toml(toml, where));
    PLIMSOLL_ASSIGN(file, layer_of_file(table, std::string(where)));
    PLIMSOLL_ASSIGN(set, layer_of_overrides(overrides));
    const std::vector<const Layer*> own{&file, &set};
    PLIMSOLL_ASSIGN(recipe, named_recipe(own));
    const Layer defaults = recipe == nullptr ? Layer{} : layer_of_recipe(*recipe);
    const std::vector<const Layer*> all{&defaults, &file, &set};
    PLIMSOLL_RETURN_IF_ERROR(check_required(all, where));
    RunConfig config;
    for (const Layer* layer : all) PLIMSOLL_RETURN_IF_ERROR(apply(config, *layer));
    PLIMSOLL_RETURN_IF_ERROR(validate(config));
    return config;
}

Result<RunConfig> read_run_config(const std::filesystem::path& path, std::span<const std::string> overrides) {
    PLIMSOLL_ASSIGN(text, read_text(path, most_bytes));
    return parse_run_config(text, path.string(), overrides);
}

std::string to_toml(const RunConfig& config) {
    std::string text, section;
    for (const auto& key : config_key_table()) {
        if (key.matters && !key.matters(config)) continue;
        if (key.section != section) text += fmt::format("\n[{}]\n", key.section);
        section = key.section;
        text += fmt::format("{} = {}\n", key.name, key.write(config));
    }
    return text;
}

std::string run_hash(const RunConfig& config) { return store::run_id(to_toml(config)); }

}  // namespace plimsoll::run
