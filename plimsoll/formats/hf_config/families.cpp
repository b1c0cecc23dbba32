#include "plimsoll/formats/hf_config/families.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "plimsoll/base/check.h"
#include "plimsoll/base/text.h"

namespace plimsoll::formats {
namespace {

struct Word {
    std::string_view word;
    void (*apply)(Family&);
};

void bias_qkv(Family& f) { f.tensors.query_bias = f.tensors.key_bias = f.tensors.value_bias = true; }

// The vocabulary of the table of families.
constexpr std::array vocabulary{
    Word{"decoder", [](Family& f) { f.kind = ModelKind::decoder; }},
    Word{"encoder", [](Family& f) { f.kind = ModelKind::encoder, f.tensors.head = false; }},
    Word{"encoder-decoder", [](Family& f) { f.kind = ModelKind::encoder_decoder; }},
    Word{"mixer", [](Family& f) { f.kind = ModelKind::mixer, f.tensors.head = false; }},
    Word{"state-space", [](Family& f) { f.kind = ModelKind::state_space; }},
    Word{"hybrid", [](Family& f) { f.kind = ModelKind::hybrid; }},
    Word{"unknown", [](Family& f) { f.kind = ModelKind::unknown; }},
    Word{"plain", [](Family& f) { f.ffn_matrices = 2; }},
    Word{"gated", [](Family& f) { f.ffn_matrices = 3; }},
    Word{"tied", [](Family& f) { f.tied = true; }},
    Word{"untied", [](Family& f) { f.tied = false; }},
    Word{"layer-norm", [](Family& f) { f.tensors.norm_vectors = 2; }},
    Word{"rms-norm", [](Family& f) { f.tensors.norm_vectors = 1; }},
    Word{"bare-norm", [](Family& f) { f.tensors.norm_vectors = 0; }},
    Word{"norms=1", [](Family& f) { f.tensors.norms_per_layer = 1; }},
    Word{"norms=2", [](Family& f) { f.tensors.norms_per_layer = 2; }},
    Word{"norms=4", [](Family& f) { f.tensors.norms_per_layer = 4; }},
    Word{"post-norm", [](Family& f) { f.tensors.final_norm = false, f.tensors.post_norm = true; }},
    Word{"no-final-norm", [](Family& f) { f.tensors.final_norm = false; }},
    Word{"parallel", [](Family& f) { f.tensors.parallel = true; }},
    Word{"embedding-norm", [](Family& f) { f.tensors.embedding_norm = true; }},
    Word{"bias", [](Family& f) { bias_qkv(f), f.tensors.output_bias = f.tensors.ffn_bias = true; }},
    Word{"qkv-bias", bias_qkv},
    Word{"no-key-bias", [](Family& f) { f.tensors.key_bias = false; }},
    Word{"output-bias", [](Family& f) { f.tensors.output_bias = true; }},
    Word{"ffn-bias", [](Family& f) { f.tensors.ffn_bias = true; }},
    Word{"router-bias", [](Family& f) { f.tensors.router_bias = true; }},
    Word{"head-bias", [](Family& f) { f.tensors.head_bias = true; }},
    Word{"no-head", [](Family& f) { f.tensors.head = false; }},
    Word{"sinks", [](Family& f) { f.tensors.sinks = true; }},
    Word{"shared-gate", [](Family& f) { f.tensors.shared_gate = true; }},
    Word{"qk-norm=head", [](Family& f) { f.tensors.qk_norm = QueryKeyNorm::head; }},
    Word{"qk-norm=full", [](Family& f) { f.tensors.qk_norm = QueryKeyNorm::full; }},
    Word{"learned", [](Family& f) { f.positions = "learned"; }},
    Word{"learned+2", [](Family& f) { f.positions = "learned", f.position_offset = 2; }},
    Word{"rotary", [](Family& f) { f.positions = "rotary"; }},
    Word{"alibi", [](Family& f) { f.positions = "alibi"; }},
    Word{"relative", [](Family& f) { f.positions = "relative"; }},
    Word{"sinusoidal", [](Family& f) { f.positions = "sinusoidal"; }},
    Word{"no-positions", [](Family& f) { f.positions = "none"; }},
    Word{"segments", [](Family& f) { f.tensors.segments = 2; }},
    Word{"pooler", [](Family& f) { f.tensors.pooler = true; }},
    Word{"factor-bias", [](Family& f) { f.tensors.factor_bias = true; }},
    Word{"positions-in-rank", [](Family& f) { f.tensors.positions_in_rank = true; }},
    Word{"patch-bias", [](Family& f) { f.tensors.patch_bias = true; }},
    Word{"class-token", [](Family& f) { f.tensors.extra_tokens = 1; }},
    Word{"two-tokens", [](Family& f) { f.tensors.extra_tokens = 2; }},
    Word{"classifier", [](Family& f) { f.classifier = true; }},
    Word{"attention_bias=qkv", [](Family& f) { f.attention_bias_is_qkv = true; }},
    Word{"estimate", [](Family& f) { f.tensors.known = false; }},
    Word{"uncounted",
         [](Family& f) {
             f.tensors.no_count =
                 "layers of this family hold tensors that no size in "
                 "its config explains";
         }},
};

void apply(Family& family, std::string_view word) {
    if (word.starts_with("quirk=")) {
        family.quirk = word.substr(6);
        return;
    }
    const auto found = std::ranges::find(vocabulary, word, &Word::word);
    PLIMSOLL_CHECK(found != vocabulary.end(), "a word that is not in the vocabulary: " + std::string(word));
    found->apply(family);
}

// Calls `use` with each of the blank-separated pieces until it returns true.
template <class F>
bool any_piece(std::string_view text, F use) {
    while (!text.empty()) {
        const auto end = std::min(text.find(' '), text.size());
        if (end > 0 && use(text.substr(0, end))) return true;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return false;
}

// Letters and digits only, in lower case: "GPT-NeoX" and "gpt_neox" are one name.
std::string plain_name(std::string_view name) {
    std::string plain;
    for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c))) {
            plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
    }
    return plain;
}

bool same_type(std::string_view a, std::string_view b) { return a == b || plain_name(a) == plain_name(b); }

// "BertForMaskedLM", "GPT2LMHeadModel" and "OPTModel" without what they say of the task.
std::string_view class_stem(std::string_view name) {
    for (const std::string_view prefix : {"TF", "Flax"}) {
        if (name.starts_with(prefix) && name.size() > prefix.size()) name.remove_prefix(prefix.size());
    }
    for (const std::string_view cut :
         {"For", "LMHeadModel", "DoubleHeadsModel", "LMModel", "PreTrainedModel"}) {
        if (const auto at = name.find(cut); at != std::string_view::npos && at > 0) return name.substr(0, at);
    }
    if (name.ends_with("Model")) name.remove_suffix(5);
    return name;
}

}  // namespace

Family family_of_type(std::string_view type) {
    Family family;
    family.type = std::string(type);
    for (const FamilyLine& line : family_lines()) {
        if (!any_piece(line.types, [&](std::string_view one) { return same_type(one, type); })) continue;
        family.listed = family.tensors.known = true;
        any_piece(line.words, [&](std::string_view word) {
            apply(family, word);
            return false;
        });
        break;
    }
    return family;
}

std::string type_of_architecture(std::string_view architecture) {
    const std::string stem = plain_name(class_stem(architecture));
    if (stem.empty()) return {};
    std::string found;
    for (const FamilyLine& line : family_lines()) {
        const bool hit = any_piece(line.types, [&](std::string_view one) {
            if (plain_name(one) != stem) return false;
            found = std::string(one);
            return true;
        });
        if (hit) return found;
    }
    return {};
}

std::string_view default_line(std::string_view type) {
    const auto& table = family_defaults();
    const std::string plain = plain_name(type);
    auto line = std::ranges::find(table, type, &FamilyDefaults::type);
    if (line == table.end()) {
        line = std::ranges::find_if(table, [&](const auto& one) { return plain_name(one.type) == plain; });
    }
    return line == table.end() ? std::string_view() : line->values;
}

std::optional<std::int64_t> default_in(std::string_view line, std::string_view key) {
    std::optional<std::int64_t> value;
    any_piece(line, [&](std::string_view piece) {
        const auto equals = piece.find('=');
        if (piece.substr(0, equals) != key) return false;
        const auto number = parse_integer(piece.substr(equals + 1), key);
        PLIMSOLL_CHECK(number.ok(), "a default that is no number");
        value = *number;
        return true;
    });
    return value;
}

}  // namespace plimsoll::formats
