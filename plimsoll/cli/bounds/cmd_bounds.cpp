#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/bounds/bounds_text.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/run_flags.h"
#include "plimsoll/theory/ids/claims_page.h"

namespace plimsoll::cli {
namespace {

constexpr int max_digits = 10'000;

struct BoundsFlags {
    std::string what, runs, context, digits = "30";
    std::vector<std::string> inputs, check;
    bool list = false, json = false, markdown = false;
};

// "LEVINE" of LEVINE-T3.
std::string_view paper_of(std::string_view id) { return id.substr(0, id.find('-')); }

// An id, or a slip of one: it begins as ids do. The zoo has no such names.
bool is_id(const std::string& what) {
    if (what.find(':') != std::string::npos) return false;
    return std::ranges::any_of(theory::all_formulas(), [&](const auto& formula) {
        return formula.id == what || paper_of(formula.id) == paper_of(what);
    });
}

Result<std::map<std::string, Json>> named_inputs(const std::vector<std::string>& words) {
    std::map<std::string, Json> inputs;
    for (const auto& word : words) {
        const auto equals = word.find('=');
        if (equals == std::string::npos || equals == 0)
            return bad_input("input", fmt::format("must be name=value, got '{}'", word));
        const std::string name = word.substr(0, equals);
        if (inputs.contains(name)) return bad_input(name, "is given twice");
        inputs[name] = word.substr(equals + 1);
    }
    return inputs;
}

Result<int> check_files(const BoundsFlags& flags) {
    Json all = Json::array();
    bool differ = false;
    for (const auto& file : flags.check) {
        PLIMSOLL_ASSIGN(content, read_json(file));
        PLIMSOLL_ASSIGN(report, theory::check_vectors(content, file));
        differ = differ || !report.differences.empty();
        if (flags.json) all.push_back(check_json(file, report));
        if (!flags.json) print_check(file, report);
    }
    if (flags.json) print_json("checks", all);
    return differ ? 1 : 0;
}

Result<int> show_formula(const BoundsFlags& flags) {
    PLIMSOLL_ASSIGN(digits, parse_integer(flags.digits, "digits"));
    if (digits < 1 || digits > max_digits)
        return bad_input("digits", fmt::format("must be 1 to {}, got {}", max_digits, digits));
    if (!flags.context.empty()) return bad_input("context", "works only with a spec, not with an id");
    PLIMSOLL_ASSIGN(formula, theory::find_formula(flags.what));
    PLIMSOLL_ASSIGN(given, named_inputs(flags.inputs));
    PLIMSOLL_ASSIGN(inputs, theory::read_inputs(*formula, given));
    PLIMSOLL_ASSIGN(value, theory::evaluate(*formula, inputs));
    if (!flags.json) {
        PLIMSOLL_RETURN_IF_ERROR(print_value(*formula, value, static_cast<int>(digits)));
        return 0;
    }
    PLIMSOLL_ASSIGN(out, value_json(*formula, Json(given), value, static_cast<int>(digits)));
    print_json("bound", out);
    return 0;
}

// The error of a name that means nothing, with the ids that are spelt alike.
Error with_near_ids(Error error, const std::string& what) {
    if (error.kind != ErrorKind::not_found) return error;
    std::vector<std::string> ids;
    for (const auto& formula : theory::all_formulas()) ids.emplace_back(formula.id);
    if (const auto near = near_misses(what, ids); !near.empty()) error.message += suggestion(what, near);
    return error;
}

Result<int> show_spec(const BoundsFlags& flags) {
    PLIMSOLL_ASSIGN(spec, find_spec(flags.what, flags.runs));
    if (!flags.inputs.empty())
        return bad_input("input", fmt::format("a spec takes no inputs, got '{}'", flags.inputs.front()));
    const auto found = find_spec(flags.what, flags.runs);
    if (!found.ok()) return with_near_ids(found.error(), flags.what);
    const auto& spec = *found;
    std::optional<std::int64_t> context;
    if (!flags.context.empty()) {
        PLIMSOLL_ASSIGN(given, parse_count(flags.context, "context"));
        context = given;
    }
    PLIMSOLL_ASSIGN(table, theory::bounds_for(spec, context));
    if (flags.json) return print_json("bounds", bounds_json(arch::to_text(spec), table)), 0;
    return print_bounds(table), 0;
}

Result<int> run_bounds(const BoundsFlags& flags) {
    if (!flags.check.empty()) return check_files(flags);
    if (flags.markdown && (!flags.list || flags.json))
        return bad_input("markdown", "works only with --list, and not with --json");
    if (flags.markdown) return fmt::print("{}", theory::claims_page()), 0;
    if (flags.list && flags.json) return print_json("claims", formulas_json()), 0;
    if (flags.list) return print_formulas(), 0;
    if (flags.what.empty()) return bad_input("bounds", "needs an id, a spec, --list or --check FILE");
    return is_id(flags.what) ? show_formula(flags) : show_spec(flags);
}

}  // namespace

void add_bounds(CLI::App& app, Action& action) {
    auto flags = std::make_shared<BoundsFlags>();
    auto* verb =
        app.add_subcommand("bounds", "evaluate the theorems, published and repaired, at your numbers");
    verb->add_option("what", flags->what, std::string("an id such as LEVINE-T3, or ") + named_shape);
    verb->add_option("inputs", flags->inputs, "inputs of an id: L=3 dx=8 H=2");
    verb->add_option("--context", flags->context, "positions N (default: N >= 2d)");
    verb->add_option("--runs", flags->runs, "folder of runs (default $PLIMSOLL_RUNS, else ./runs)");
    verb->add_option("--digits", flags->digits, "significant figures of real numbers")->capture_default_str();
    verb->add_option("--check", flags->check, "check files of vectors; exit 1 with the differences");
    verb->add_flag("--list", flags->list, "list every id with its standing and inputs");
    verb->add_flag("--markdown", flags->markdown,
                   "with --list: print docs/bounds/README.md, which states what is known");
    verb->add_flag("--json", flags->json, "for programs");
    verb->callback([&action, flags] { action = [flags] { return exit_code_of(run_bounds(*flags)); }; });
}

}  // namespace plimsoll::cli
