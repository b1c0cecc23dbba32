#include <memory>
#include <optional>

#include <CLI/CLI.hpp>

#include "plimsoll/advise/emit.h"
#include "plimsoll/base/format.h"
#include "plimsoll/cli/advise/advise_flags.h"
#include "plimsoll/cli/advise/advise_text.h"
#include "plimsoll/cli/advise/table_advice.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/print.h"

namespace plimsoll::cli {
namespace {

Result<int> run_advise(const AdviseFlags& flags) {
    if (flags.family == "mlp") return advise_table(flags);
    PLIMSOLL_ASSIGN(request, advice_request(flags));
    PLIMSOLL_ASSIGN(advice, advise::advise(request));
    std::optional<advise::Emission> emitted;
    if (!flags.emit.empty()) {
        emitted = advise::emission_of(advice, flags.emit);
        PLIMSOLL_RETURN_IF_ERROR(advise::write_emission(*emitted, flags.force));
    }
    if (flags.json) {
        Json json = advise::to_json(advice);
        if (emitted) json["emitted"] = advise::to_json(*emitted);
        return print_json("advice", json), 0;
    }
    print_advice(advice);
    fmt::print("{}  {}\n", action_summary(advice),
               emitted ? emitted->sentence : "As a file to train from: --emit config.json");
    return 0;
}

void add_options(CLI::App& verb, AdviseFlags& flags) {
    verb.add_option("--params", flags.params, "the budget in parameters: 100M (default), 1.5B, 2e8");
    verb.add_option("--flops", flags.flops, "the budget in training FLOPs instead: 1e20");
    verb.add_option("--gpu-hours", flags.gpu_hours, "the budget in hours of one --gpu instead");
    verb.add_option("--gpu", flags.gpu, "card that training is priced on: h100 (default), a100, h200, ...");
    verb.add_option("--by", flags.by, "what decides between near ties: flops, latency or memory")
        ->capture_default_str();
    verb.add_option("--family", flags.family, "transformer, mixer or mlp")->capture_default_str();
    verb.add_option("--table", flags.table,
                    "mlp: what data info says of the table, such as inputs=5,categories=3+4,classes=2");
    verb.add_option("--vocab", flags.vocab, "tokens of the vocabulary (default 32000)");
    verb.add_option("--patch", flags.patch, "patches instead of tokens: HEIGHTxWIDTHxCHANNELS");
    verb.add_option("--image", flags.image, "HEIGHTxWIDTH of the image (default 224x224)");
    verb.add_option("--classes", flags.classes, "classes of the image classifier (default 1000)");
    verb.add_option("--context", flags.context, "positions N (default 1024), or number of patches");
    verb.add_option("--multiple-of", flags.multiple_of,
                    "widths are multiples of this (default 64; 128 from 1024, 256 from 2048)");
    verb.add_option("--head-dim", flags.head_dim, "head sizes to choose from (default 64,128)");
    verb.add_option("--block", flags.block, "gpt2 or llama (default gpt2; llama where no head size divides)");
    verb.add_option("--embedding-rank", flags.embedding_rank,
                    "full, or the rank of a factorised token table");
    auto* emit = verb.add_option("--emit", flags.emit, "write the network as config.json, or plimsoll.toml");
    verb.add_flag("--force", flags.force, "let --emit replace a file")->needs(emit);
    verb.add_flag("--json", flags.json, "for programs");
}

}  // namespace

void add_advise(CLI::App& app, Action& action) {
    auto flags = std::make_shared<AdviseFlags>();
    auto* verb = app.add_subcommand("advise", "how deep and how wide for a budget, and why");
    add_options(*verb, *flags);
    verb->callback([&action, flags] { action = [flags] { return exit_code_of(run_advise(*flags)); }; });
}

}  // namespace plimsoll::cli
