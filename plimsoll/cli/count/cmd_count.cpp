#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "plimsoll/arch/count.h"
#include "plimsoll/audit/zoo_counts.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/count/count_text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/run_flags.h"

namespace plimsoll::cli {
namespace {

struct CountFlags {
    std::string target, runs, context, batch = "1", bytes_per_value = "2", keys;
    bool families = false, zoo = false, json = false;
};

Result<arch::CountOptions> options_of(const CountFlags& flags) {
    arch::CountOptions options;
    if (!flags.context.empty()) {
        PLIMSOLL_ASSIGN(context, parse_count(flags.context, "context"));
        if (context == 0) return bad_input("context", "must be at least 1, got 0");
        options.context = context;
    }
    PLIMSOLL_ASSIGN(batch, parse_count(flags.batch, "batch"));
    PLIMSOLL_ASSIGN(bytes, parse_count(flags.bytes_per_value, "bytes-per-value"));
    options.batch = batch;
    options.bytes_per_value = bytes;
    return options;
}

Result<int> count_spec(const CountFlags& flags, const arch::ArchSpec& spec) {
    PLIMSOLL_ASSIGN(options, options_of(flags));
    PLIMSOLL_ASSIGN(report, arch::count(spec, options));
    if (!flags.json) return print_count(spec, report), 0;
    Json out{{"spec", arch::to_text(spec)}};
    out.update(arch::to_json(report));
    return print_json("count", out), 0;
}

// A model that no spec describes still has its parameters, by parts.
Result<int> count_shape(const CountFlags& flags, const formats::ModelShape& shape, const Error& no_spec) {
    const auto predicted = audit::predicted_parameters(shape);
    if (!predicted) return unsupported(shape.name, "cannot be counted: " + audit::why_no_count(shape));
    if (flags.json) return print_json("count", predicted_json(shape, *predicted, no_spec)), 0;
    return print_predicted(shape, *predicted, no_spec), 0;
}

Result<int> count_named(const CountFlags& flags) {
    PLIMSOLL_ASSIGN(meaning, find_meaning(flags.target, target::Use::shape, flags.runs));
    const auto spec = target::spec_of(meaning);
    const bool model = meaning.kind == target::Kind::zoo || meaning.kind == target::Kind::model ||
                       meaning.kind == target::Kind::hub;
    if (!model) return spec.ok() ? count_spec(flags, *spec) : Result<int>(spec.error());
    if (!spec.ok() && spec.error().kind != ErrorKind::unsupported) return spec.error();
    PLIMSOLL_ASSIGN(target, target::model_of(meaning));
    if (!spec.ok()) return count_shape(flags, target.shape, spec.error());
    const auto whole = audit::predicted_parameters(target.shape);
    if (!whole || whole->parameters == arch::parameter_count(*spec)) return count_spec(flags, *spec);
    return count_shape(
        flags, target.shape,
        unsupported(target.shape.name, "the spec " + arch::to_text(*spec) + " is a part of it"));
}

int list_keys(const std::string& name) {
    std::vector<std::string> names;
    for (const auto& family : arch::families()) {
        if (family.name == name) return print_keys(family), 0;
        names.push_back(family.name);
    }
    return fail(bad_input("keys", fmt::format("unknown family '{}'{}", name, suggestion(name, names))));
}

int run_count(const CountFlags& flags) {
    if (flags.families && flags.json) return print_json("families", families_json()), 0;
    if (flags.families) return print_families(), 0;
    if (!flags.keys.empty()) return list_keys(flags.keys);
    if (flags.zoo) return fmt::print("{}", audit::zoo_counts_markdown()), 0;
    if (flags.target.empty())
        return fail(bad_input("target", "missing; give family:key=value,..., a name, or --families"));
    return exit_code_of(count_named(flags));
}

}  // namespace

void add_count(CLI::App& app, Action& action) {
    auto flags = std::make_shared<CountFlags>();
    auto* verb = app.add_subcommand("count", "count parameters, FLOPs and bytes of an architecture");
    verb->add_option("target", flags->target, named_shape);
    verb->add_option("--context", flags->context, "tokens of a sequence (default: the spec's)");
    verb->add_option("--batch", flags->batch, "sequences or images per step")->capture_default_str();
    verb->add_option("--bytes-per-value", flags->bytes_per_value, "bytes per value of activations and caches")
        ->capture_default_str();
    verb->add_flag("--families", flags->families, "list the families");
    verb->add_option("--keys", flags->keys, "list the keys of a family");
    verb->add_flag("--zoo", flags->zoo,
                   "compare the count of every model of the zoo with the published count");
    verb->add_option("--runs", flags->runs, "folder of runs (default $PLIMSOLL_RUNS, else ./runs)");
    verb->add_flag("--json", flags->json, "for programs");
    verb->callback([&action, flags] { action = [flags] { return run_count(*flags); }; });
}

}  // namespace plimsoll::cli
