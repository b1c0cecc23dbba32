#include <memory>

#include <CLI/CLI.hpp>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/rank_flags.h"
#include "plimsoll/cli/rank_table_text.h"
#include "plimsoll/cli/rank_text.h"

namespace plimsoll::cli {
namespace {

Result<int> show_rank(const RankFlags& flags) {
    PLIMSOLL_ASSIGN(question, rank_question(flags));
    ProgressBar bar("measuring");
    PLIMSOLL_ASSIGN(report, rank::measure(question, bar.callback()));
    if (flags.json) return print_json(to_json(report)), 0;
    return print_rank(report), 0;
}

Result<int> show_sup_inf(const RankFlags& flags) {
    PLIMSOLL_ASSIGN(question, rank_question(flags));
    PLIMSOLL_ASSIGN(cases, sup_inf_cases(flags));
    ProgressBar bar("measuring");
    PLIMSOLL_ASSIGN(report, rank::measure_sup_inf(question, cases, bar.callback()));
    if (flags.json) return print_json(to_json(report)), 0;
    return print_sup_inf(report), 0;
}

Result<int> show_table(const RankFlags& flags) {
    PLIMSOLL_ASSIGN(question, table_question(flags));
    ProgressBar bar("measuring");
    PLIMSOLL_ASSIGN(table, rank::measure_table(question, bar.callback()));
    if (!flags.vega.empty()) {
        PLIMSOLL_RETURN_IF_ERROR(atomic_write(flags.vega, rank_vega(table).dump(2) + "\n"));
    }
    if (flags.json) return print_json(to_json(table)), 0;
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
    auto* verb = app.add_subcommand("rank", "the separation rank of a polynomial network, measured exactly");
    add_rank_flags(*verb, *flags);
    verb->callback([&action, flags] {
        action = [flags] {
            const auto code = run_rank(*flags);
            return code.ok() ? *code : fail(code.error());
        };
    });
}

}  // namespace plimsoll::cli
