#include <memory>

#include <CLI/CLI.hpp>

#include "plimsoll/base/busy_line.h"
#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/rank/rank_figure.h"
#include "plimsoll/cli/rank/rank_flags.h"
#include "plimsoll/cli/rank/rank_table_text.h"
#include "plimsoll/cli/rank/rank_text.h"

namespace plimsoll::cli {
namespace {

// What `measure` gives, with a progress bar that is gone before anything is printed.
template <class Measure>
auto with_progress(const Measure& measure) {
    BusyLine bar("measuring");
    return measure(bar.callback());
}

Result<int> show_rank(const RankFlags& flags) {
    PLIMSOLL_ASSIGN(question, rank_question(flags));
    PLIMSOLL_ASSIGN(report,
                    with_progress([&](const auto& tell) { return rank::measure_rank(question, tell); }));
    if (flags.json) return print_json("rank", to_json(report)), 0;
    return print_rank(report), 0;
}

Result<int> show_sup_inf(const RankFlags& flags) {
    PLIMSOLL_ASSIGN(question, rank_question(flags));
    PLIMSOLL_ASSIGN(cases, sup_inf_cases(flags));
    PLIMSOLL_ASSIGN(report, with_progress([&](const auto& tell) {
                        return rank::measure_sup_inf(question, cases, tell);
                    }));
    if (flags.json) return print_json("sup-inf", to_json(report)), 0;
    return print_sup_inf(report), 0;
}

Result<int> show_table(const RankFlags& flags) {
    PLIMSOLL_ASSIGN(question, table_question(flags));
    if (!flags.vega.empty()) PLIMSOLL_RETURN_IF_ERROR(check_axis(question, flags.vega_x));
    PLIMSOLL_ASSIGN(table,
                    with_progress([&](const auto& tell) { return rank::measure_table(question, tell); }));
    if (!flags.vega.empty()) {
        PLIMSOLL_ASSIGN(figure, rank_figure(table, flags.vega_x));
        PLIMSOLL_RETURN_IF_ERROR(atomic_write(flags.vega, report::rank_vega(figure).dump(2) + "\n"));
    }
    if (flags.json) return print_json("rank-table", to_json(table)), 0;
    if (flags.csv) return fmt::print("{}", rank::to_csv(table.rows)), 0;
    return print_rank_table(table), 0;
}

Result<int> run_rank(const RankFlags& flags) {
    if (!flags.table.empty()) return show_table(flags);
    return flags.sup_inf ? show_sup_inf(flags) : show_rank(flags);
}

}  // namespace

void add_rank(CLI::App& app, Action& action) {
    auto flags = std::make_shared<RankFlags>();
    auto* verb = app.add_subcommand("rank", "measure the separation rank of a polynomial network exactly");
    add_rank_flags(*verb, *flags);
    verb->callback([&action, flags] { action = [flags] { return exit_code_of(run_rank(*flags)); }; });
}

}  // namespace plimsoll::cli
