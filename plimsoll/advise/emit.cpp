#include "plimsoll/advise/emit.h"

#include <algorithm>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/formats/hf_config/config_json_writer.h"

namespace plimsoll::advise {
namespace {

constexpr const char* toml_name = "plimsoll.toml";

// The stock config of the answer, or why there is none.
Result<Json> stock_config(const Advice& advice) {
    const auto& request = advice.request;
    const Layout& a = advice.answer.layout;
    if (request.family == AdviceFamily::mixer) return unsupported("", "GPT-2, Llama and OPT are no mixers");
    if (request.vocab == 0) return unsupported("", "GPT-2, Llama and OPT read tokens, not patches");
    formats::EmitShape shape;
    shape.depth = a.depth;
    shape.width = a.width;
    shape.heads = shape.kv_heads = a.heads;
    shape.head_dim = a.head_dim;
    shape.ffn = a.ffn;
    shape.ffn_matrices = a.block == Block::llama ? 3 : 2;
    shape.vocab = request.vocab;
    shape.context = request.context;
    shape.embedding_rank = a.embedding_rank;
    return formats::config_for(shape);
}

bool is_number(std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string toml_file(const Advice& advice) {
    return fmt::format("# plimsoll advise --params {}: {} parameters. As text: {}\n{}",
                       advice.request.parameters, advice.answer.parameters, arch::to_text(advice.answer.spec),
                       spec_toml(advice.answer.spec));
}

}  // namespace

std::string spec_toml(const arch::ArchSpec& spec) {
    const std::string text = arch::to_text(spec);
    const auto colon = text.find(':');
    std::string out = fmt::format("family = \"{}\"\n", arch::family_name(spec));
    if (colon == std::string::npos) return out;
    for (const auto& pair : split(std::string_view(text).substr(colon + 1), ',')) {
        const auto equals = pair.find('=');
        const std::string value = pair.substr(equals + 1);
        out +=
            fmt::format("{} = {}\n", pair.substr(0, equals), is_number(value) ? value : "\"" + value + "\"");
    }
    return out;
}

Emission emission_of(const Advice& advice, const std::filesystem::path& wanted) {
    Emission out;
    out.path = wanted;
    const bool toml_wanted = wanted.extension() == ".toml";
    const auto config = stock_config(advice);
    if (config.ok() && !toml_wanted) {
        out.stock_class = (*config)["architectures"][0].get<std::string>();
        out.content = config->dump(2) + "\n";
        out.sentence = fmt::format("Wrote {}: a stock {}.", wanted.string(), out.stock_class);
        return out;
    }
    out.content = toml_file(advice);
    if (!toml_wanted) out.path = wanted.parent_path() / toml_name;
    out.sentence = toml_wanted ? fmt::format("Wrote {}.", out.path.string())
                               : fmt::format("Wrote {} instead of {}: no stock Hugging Face class fits; {}.",
                                             out.path.string(), wanted.string(), config.error().message);
    return out;
}

Status write_emission(const Emission& emission, bool replace) {
    std::error_code code;
    if (!replace && std::filesystem::exists(emission.path, code)) {
        return bad_input("emit", fmt::format("{} exists; --force replaces it", emission.path.string()));
    }
    return atomic_write(emission.path, emission.content);
}

Json to_json(const Emission& emission) {
    return {{"file", emission.path.string()},
            {"class", emission.stock_class.empty() ? Json() : Json(emission.stock_class)},
            {"sentence", emission.sentence}};
}

}  // namespace plimsoll::advise
