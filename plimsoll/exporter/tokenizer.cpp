#include "plimsoll/exporter/tokenizer.h"

#include "plimsoll/base/format.h"
#include "plimsoll/bpe/files.h"
#include "plimsoll/data/load.h"
#include "plimsoll/run/config_fit.h"
#include "plimsoll/run/data_request.h"

namespace plimsoll::exporter {
namespace {

// Each byte is the token of that id.
bpe::BpeModel byte_model() {
    bpe::BpeModel model{.pretokenizer = bpe::Pretokenizer::none};
    for (int byte = 0; byte < 256; ++byte) model.tokens.emplace_back(1, static_cast<char>(byte));
    return model;
}

// Why the run's ids are not known to be bytes; empty when they are.
std::string why_not_bytes(const run::DataSettings& settings) {
    std::optional<run::ExampleKind> examples = run::known_examples(settings);
    if (!examples) {
        const auto request = run::data_request(settings);
        const auto found = request.ok() ? data::find_data(*request) : request.error();
        if (!found.ok()) {
            return fmt::format(
                "the data '{}' are missing, so it is not known whether its ids were bytes (if so, give "
                "--tokenizer bytes)",
                settings.name);
        }
        examples = found->kind == data::Kind::tokens ? run::ExampleKind::tokens : run::ExampleKind::text;
    }
    return *examples == run::ExampleKind::text ? ""
                                               : fmt::format("the data '{}' are ids already", settings.name);
}

Result<bpe::BpeModel> model_of(const std::string& name, std::int64_t vocab) {
    if (name == "bytes") return byte_model();
    PLIMSOLL_ASSIGN(model, bpe::read_bpe(name));
    if (static_cast<std::int64_t>(model.tokens.size()) <= vocab || vocab == 0) return model;
    return bad_input(name,
                     fmt::format("has {} tokens, the network's vocabulary {}", model.tokens.size(), vocab));
}

std::int64_t vocabulary(const arch::ArchSpec& spec) {
    return std::visit(
        [](const auto& s) -> std::int64_t {
            if constexpr (requires { s.vocab; }) return s.vocab;
            return 0;
        },
        spec);
}

}  // namespace

Result<TokenizerFiles> tokenizer_files(const run::RunConfig& config, const std::string& tokenizer) {
    if (run::input_kind(config.model.spec) != run::InputKind::tokens) return TokenizerFiles{};
    const std::string name = tokenizer.empty() ? config.data.tokenizer : tokenizer;
    if (name == "bytes" && tokenizer.empty()) {
        if (std::string why = why_not_bytes(config.data); !why.empty()) return TokenizerFiles{{}, why};
    }
    PLIMSOLL_ASSIGN(model, model_of(name, vocabulary(config.model.spec)));
    PLIMSOLL_ASSIGN(text, formats::tokenizer_json_text(bpe::json_of_bpe(model)));
    const Json settings{{"tokenizer_class", "PreTrainedTokenizerFast"},
                        {"model_max_length", run::context_length(config)},
                        {"clean_up_tokenization_spaces", false}};
    return TokenizerFiles{
        {{"tokenizer.json", std::move(text)}, {"tokenizer_config.json", settings.dump(2) + "\n"}}, ""};
}

}  // namespace plimsoll::exporter
