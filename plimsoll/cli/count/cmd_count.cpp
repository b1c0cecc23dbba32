#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "plimsoll/arch/count.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/count/count_text.h"
#include "plimsoll/cli/print.h"

namespace plimsoll::cli {
namespace {

struct CountFlags {
    std::string spec, context, batch = "1", bytes_per_value = "2", keys;
    bool families = false, json = false;
};

int count_spec(const CountFlags& flags) {
    const auto run = [&]() -> Result<int> {
        PLIMSOLL_ASSIGN(spec, arch::parse_spec(flags.spec));
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
        PLIMSOLL_ASSIGN(report, arch::count(spec, options));
        if (!flags.json) {
            print_count(spec, report);
            return 0;
        }
        Json out{{"spec", arch::to_text(spec)}};
        out.update(arch::to_json(report));
        print_json(out);
        return 0;
    };
    return exit_code_of(run());
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
    if (flags.families && flags.json) return print_json(families_json()), 0;
    if (flags.families) return print_families(), 0;
    if (!flags.keys.empty()) return list_keys(flags.keys);
    if (flags.spec.empty())
        return fail(bad_input("spec", "missing; give family:key=value,... or --families"));
    return count_spec(flags);
}

}  // namespace

void add_count(CLI::App& app, Action& action) {
    auto flags = std::make_shared<CountFlags>();
    auto* verb = app.add_subcommand("count", "parameters, FLOPs and bytes of an architecture");
    verb->add_option("spec", flags->spec, "family:key=value,key=value");
    verb->add_option("--context", flags->context, "tokens of a sequence (default: the spec's)");
    verb->add_option("--batch", flags->batch, "sequences or images per step")->capture_default_str();
    verb->add_option("--bytes-per-value", flags->bytes_per_value, "of activations and caches")
        ->capture_default_str();
    verb->add_flag("--families", flags->families, "list the families");
    verb->add_option("--keys", flags->keys, "list the keys of a family");
    verb->add_flag("--json", flags->json, "for programs");
    verb->callback([&action, flags] { action = [flags] { return run_count(*flags); }; });
}

}  // namespace plimsoll::cli
