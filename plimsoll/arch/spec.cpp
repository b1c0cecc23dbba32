#include "plimsoll/arch/spec.h"

#include <algorithm>
#include <functional>

#include "plimsoll/arch/attention_keys.h"
#include "plimsoll/arch/flat_nets_keys.h"
#include "plimsoll/arch/mixer_keys.h"
#include "plimsoll/arch/square_nets_keys.h"
#include "plimsoll/arch/transformer_keys.h"
#include "plimsoll/arch/vision_mlps_keys.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::arch {
namespace {

// A family with its table bound to the variant.
struct Family {
    std::string name;
    std::string meaning;
    std::function<Result<ArchSpec>(const GivenKeys&)> parse;
    std::function<std::vector<std::string>(const ArchSpec&)> changed;
    std::function<Json(const ArchSpec&)> json;
    std::function<std::vector<KeyInfo>()> info;
};

template <class S>
Family bind(std::string name, std::string meaning, KeyTable<S> table, S start = {}) {
    const auto parse = [table, name, start](const GivenKeys& given) -> Result<ArchSpec> {
        PLIMSOLL_ASSIGN(spec, table.parse(given, name, start));
        if (const Status sound = check(spec); !sound.ok()) return table.explained(sound.error(), given);
        return ArchSpec(std::move(spec));
    };
    const auto changed = [table](const ArchSpec& spec) { return table.changed(std::get<S>(spec)); };
    const auto json = [table](const ArchSpec& spec) { return table.json(std::get<S>(spec)); };
    return {name, std::move(meaning), parse, changed, json, [table] { return table.info(); }};
}

std::vector<Family> make_families() {
    return {
        bind("attention", "analysed linear attention (Levine et al., Wies et al.)", attention_keys()),
        bind("transformer", "Transformer as it is trained; defaults of GPT-2", transformer_keys()),
        bind("square-mixer", "analysed square mixer (Navon & Bronstein, Def. 3.2)", square_mixer_keys()),
        bind("square-mlp", "analysed square MLP (Navon & Bronstein, Def. 3.1)", square_mlp_keys()),
        bind("mixer", "MLP-Mixer", mixer_keys(false, false)),
        bind("s-mixer", "simple mixer: one matrix per direction (Hayase & Karakida)", mixer_keys(true, false),
             MixerSpec{.simple = true, .permuted = {}, .image = {}}),
        bind("rp-mixer", "mixer with frozen random permutations (Hayase & Karakida)",
             mixer_keys(false, true)),
        bind("pk", "permuted Kronecker layers (Hayase & Karakida)", pk_keys()),
        bind("sw-mlp", "wide MLP with a static sparse mask", sw_mlp_keys()),
        bind("monarch", "MLP of Monarch matrices", monarch_keys()),
        bind("s2-mlp", "S2-MLP: spatial shifts", s2_mlp_keys()),
        bind("vip", "Vision Permutator", vip_keys()),
        bind("hire-mlp", "Hire-MLP: hierarchical rearrangement", hire_mlp_keys()),
        bind("mlp", "dense MLP for tables: numbers and embedded categories", mlp_keys()),
    };
}

const std::vector<Family>& all_families() {
    static const std::vector<Family> families = make_families();
    return families;
}

Result<const Family*> find_family(std::string_view name) {
    std::vector<std::string> names;
    for (const auto& family : all_families()) {
        if (family.name == name) return &family;
        names.push_back(family.name);
    }
    return bad_input("family", fmt::format("unknown '{}'{}", name, suggestion(name, names)));
}

const Family& family_of(const ArchSpec& spec) { return **find_family(family_name(spec)); }

// One pair of the text form.
Result<std::pair<std::string, std::string>> read_pair(std::string_view text) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) {
        return bad_input("spec", fmt::format("must be family:key=value,key=value, got '{}'", text));
    }
    return std::pair{std::string(trim(text.substr(0, equals))), std::string(trim(text.substr(equals + 1)))};
}

// A JSON value in the words of the text form.
Result<std::string> value_text(const std::string& key, const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_boolean()) return std::string(value.get<bool>() ? "on" : "off");
    if (value.is_number()) return value.dump();
    if (!value.is_array()) return bad_input(key, "must be a number, a word or a list of numbers");
    std::vector<std::string> pieces;
    for (const auto& item : value) {
        if (!item.is_number_integer()) return bad_input(key, "must be a list of whole numbers");
        pieces.push_back(item.dump());
    }
    return pieces.empty() ? std::string("none") : join(pieces, "+");
}

struct NameOf {
    std::string operator()(const AttentionSpec&) const { return "attention"; }
    std::string operator()(const TransformerSpec&) const { return "transformer"; }
    std::string operator()(const SquareMixerSpec&) const { return "square-mixer"; }
    std::string operator()(const SquareMlpSpec&) const { return "square-mlp"; }
    std::string operator()(const MixerSpec& spec) const {
        if (spec.simple) return "s-mixer";
        return spec.permuted.empty() ? "mixer" : "rp-mixer";
    }
    std::string operator()(const PkSpec&) const { return "pk"; }
    std::string operator()(const SwMlpSpec&) const { return "sw-mlp"; }
    std::string operator()(const MonarchSpec&) const { return "monarch"; }
    std::string operator()(const S2MlpSpec&) const { return "s2-mlp"; }
    std::string operator()(const VipSpec&) const { return "vip"; }
    std::string operator()(const HireMlpSpec&) const { return "hire-mlp"; }
    std::string operator()(const MlpSpec&) const { return "mlp"; }
};

}  // namespace

std::string family_name(const ArchSpec& spec) { return std::visit(NameOf{}, spec); }

Result<ArchSpec> parse_spec(std::string_view text) {
    const auto colon = text.find(':');
    PLIMSOLL_ASSIGN(family, find_family(trim(text.substr(0, colon))));
    GivenKeys given;
    if (colon != std::string_view::npos) {
        for (const auto& piece : split(text.substr(colon + 1), ',')) {
            PLIMSOLL_ASSIGN(pair, read_pair(piece));
            given.push_back(std::move(pair));
        }
    }
    return family->parse(given);
}

Result<ArchSpec> spec_from_json(const Json& table) {
    if (!table.is_object() || !table.contains("family") || !table["family"].is_string()) {
        return bad_input("family", "missing; a spec is a table with family = \"...\" and the family's keys");
    }
    PLIMSOLL_ASSIGN(family, find_family(table["family"].get<std::string>()));
    GivenKeys given;
    for (const auto& item : table.items()) {
        if (item.key() == "family") continue;
        PLIMSOLL_ASSIGN(text, value_text(item.key(), item.value()));
        given.emplace_back(item.key(), std::move(text));
    }
    return family->parse(given);
}

std::string to_text(const ArchSpec& spec) {
    const Family& family = family_of(spec);
    const auto keys = family.changed(spec);
    return keys.empty() ? family.name : family.name + ":" + join(keys, ",");
}

Json to_json(const ArchSpec& spec) {
    const Family& family = family_of(spec);
    Json out{{"family", family.name}};
    out.update(family.json(spec));
    return out;
}

bool is_analysed(const ArchSpec& spec) {
    return std::holds_alternative<AttentionSpec>(spec) || std::holds_alternative<SquareMixerSpec>(spec) ||
           std::holds_alternative<SquareMlpSpec>(spec);
}

Status validate(const ArchSpec& spec) {
    PLIMSOLL_ASSIGN(again, parse_spec(to_text(spec)));
    if (again != spec) return bad_input("spec", "a key that does not apply has a value: " + to_text(spec));
    return {};
}

std::vector<FamilyInfo> families() {
    std::vector<FamilyInfo> out;
    for (const auto& family : all_families()) out.push_back({family.name, family.meaning, family.info()});
    return out;
}

}  // namespace plimsoll::arch
