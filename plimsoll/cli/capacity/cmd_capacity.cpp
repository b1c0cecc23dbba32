#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/capacity/capacity_text.h"
#include "plimsoll/cli/capacity/enclosure_text.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/print.h"

namespace plimsoll::cli {
namespace {

constexpr std::int64_t max_depth = 1000;
constexpr const char* usual_params = "100M";

struct CapacityFlags {
    std::string params, context, vocab, depth = "256", vega;
    std::string widths = "64,128,256,512,768,1024,1600,2048,4096,8192,12288";
    std::string depths = "2,3,4,6,8,12,16,24,32,48,64,96";
    std::string head_dim;
    bool csv = false, json = false, enclosure = false;
};

Result<std::optional<std::int64_t>> optional_count(const std::string& text, const std::string& where,
                                                   std::int64_t low) {
    if (text.empty()) return std::optional<std::int64_t>();
    PLIMSOLL_ASSIGN(value, parse_count(text, where));
    if (value < low) return bad_input(where, fmt::format("must be at least {}, got {}", low, value));
    return std::optional(value);
}

Result<theory::CapacityCurve> curve_of(const CapacityFlags& flags) {
    theory::Budget budget;
    PLIMSOLL_ASSIGN(params, parse_count(flags.params.empty() ? usual_params : flags.params, "params"));
    PLIMSOLL_ASSIGN(context, optional_count(flags.context, "context", 2));
    PLIMSOLL_ASSIGN(vocab, optional_count(flags.vocab, "vocab", 1));
    PLIMSOLL_ASSIGN(deepest, parse_integer(flags.depth, "max-depth"));
    if (deepest < 1 || deepest > max_depth)
        return bad_input("max-depth", fmt::format("must be 1 to {}, got {}", max_depth, deepest));
    budget.parameters = params;
    budget.context = context;
    budget.vocab = vocab;
    ProgressBar bar("certifying");
    return theory::capacity_curve(budget, deepest, table_depths(deepest), bar.callback());
}

// "64,128" as numbers from 1 to `most`.
Result<std::vector<std::int64_t>> list_of(const std::string& text, const std::string& where,
                                          std::int64_t most) {
    std::vector<std::int64_t> numbers;
    for (const auto& part : split(text, ',')) {
        PLIMSOLL_ASSIGN(number, parse_count(part, where));
        if (number < 1 || number > most)
            return bad_input(where, fmt::format("must be 1 to {}, got {}", most, number));
        numbers.push_back(number);
    }
    return numbers;
}

Result<int> run_enclosure(const CapacityFlags& flags) {
    constexpr std::int64_t widest = 100'000;
    if (!flags.params.empty() || !flags.context.empty() || !flags.vocab.empty())
        return bad_input("enclosure", "takes --widths, --depths, --head-dim, --csv, --json and --vega only");
    PLIMSOLL_ASSIGN(widths, list_of(flags.widths, "widths", widest));
    PLIMSOLL_ASSIGN(depths, list_of(flags.depths, "depths", max_depth));
    PLIMSOLL_ASSIGN(head_dim, optional_count(flags.head_dim, "head-dim", 1));
    ProgressBar bar("enclosing");
    const auto rows = theory::enclosure_table(widths, depths, head_dim, bar.callback());
    if (!flags.vega.empty())
        PLIMSOLL_RETURN_IF_ERROR(atomic_write(flags.vega, enclosures_vega(rows).dump(2) + "\n"));
    if (flags.json) return print_json("enclosures", enclosures_json(rows)), 0;
    if (flags.csv) return fmt::print("{}", enclosures_csv(rows)), 0;
    return print_enclosures(rows), 0;
}

Result<int> run_capacity(const CapacityFlags& flags) {
    if (flags.enclosure) return run_enclosure(flags);
    if (flags.params.empty()) note(fmt::format("the budget is {}, as --params is not given", usual_params));
    PLIMSOLL_ASSIGN(curve, curve_of(flags));
    if (!flags.vega.empty()) {
        PLIMSOLL_RETURN_IF_ERROR(atomic_write(flags.vega, capacity_vega(curve).dump(2) + "\n"));
    }
    if (flags.json) return print_json("capacity", capacity_json(curve)), 0;
    if (flags.csv) return fmt::print("{}", capacity_csv(curve)), 0;
    return print_capacity(curve), 0;
}

}  // namespace

void add_capacity(CLI::App& app, Action& action) {
    auto flags = std::make_shared<CapacityFlags>();
    auto* verb = app.add_subcommand("capacity", "show capacity against depth at a fixed parameter budget");
    verb->add_option("--params", flags->params, "the budget: 100M (default), 1.5B, 2e8");
    verb->add_option("--context", flags->context, "positions N (default: N >= 2d)");
    verb->add_option("--vocab", flags->vocab, "vocabulary V; its table costs V d parameters");
    verb->add_option("--max-depth", flags->depth, "deepest network shown")->capture_default_str();
    verb->add_option("--vega", flags->vega, "write a Vega-Lite figure to this file");
    verb->add_flag("--enclosure", flags->enclosure,
                   "show the proved lower and upper bound of log3 sep over a grid of widths and depths, "
                   "without a budget");
    verb->add_option("--widths", flags->widths, "widths of the enclosure")->capture_default_str();
    verb->add_option("--depths", flags->depths, "depths of the enclosure")->capture_default_str();
    verb->add_option("--head-dim", flags->head_dim, "heads of this size (default: one head)");
    auto* csv = verb->add_flag("--csv", flags->csv, "one line per depth");
    verb->add_flag("--json", flags->json, "for programs")->excludes(csv);
    verb->callback([&action, flags] { action = [flags] { return exit_code_of(run_capacity(*flags)); }; });
}

}  // namespace plimsoll::cli
