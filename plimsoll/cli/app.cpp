#include "plimsoll/cli/app.h"

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "plimsoll/base/check.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/torch_program.h"

namespace plimsoll::cli {
namespace {

constexpr int exit_bad_input = 2;
constexpr int exit_bug = 70;

std::vector<std::string> verb_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const auto* verb : app.get_subcommands({})) names.push_back(verb->get_name());
    return names;
}

// CLI11 reports an unknown verb as an unexpected argument; say which verbs there are instead.
int report_usage(const CLI::App& app, const CLI::ParseError& problem, const std::vector<std::string>& words) {
    const auto verbs = verb_names(app);
    const bool chosen = !app.get_subcommands().empty();
    if (!chosen && words.size() > 1 && words[1].front() != '-') {
        return fail(bad_input("verb", "unknown '" + words[1] + "'" + suggestion(words[1], verbs)));
    }
    if (!chosen && words.size() <= 1) return fail(bad_input("verb", "missing" + suggestion("", verbs)));
    fail(bad_input("", problem.what()));
    return exit_bad_input;
}

void add_verbs(CLI::App& app, Action& action) {
    add_advise(app, action);
    add_audit(app, action);
    add_bounds(app, action);
    add_capacity(app, action);
    add_count(app, action);
    add_data(app, action);
    add_doctor(app, action);
    add_evidence(app, action);
    add_export(app, action);
    add_fit(app, action);
    add_rank(app, action);
    add_report(app, action);
    add_reproduce(app, action);
    add_runs(app, action);
    add_serve(app, action);
    add_site(app, action);
    add_sweep(app, action);
    add_tokenize(app, action);
    add_torch_verbs(app, action);
    add_verify(app, action);
    add_zoo(app, action);
}

}  // namespace

int run_face(CLI::App& app, void (*add_face_verbs)(CLI::App&, Action&), int argc, const char* const* argv) {
    app.set_version_flag("--version", app.get_name() + " " PLIMSOLL_VERSION);
    app.require_subcommand(1);
    Action action;
    add_face_verbs(app, action);
    try {
        app.parse(argc, argv);
        return action();
    } catch (const CLI::Success& wanted) {
        return app.exit(wanted);
    } catch (const CLI::ParseError& problem) {
        return report_usage(app, problem, {argv, argv + argc});
    } catch (const Bug& bug) {
        fail(bad_input("plimsoll has a bug", bug.what()));
        return exit_bug;
    } catch (const std::exception& problem) {
        fail(bad_input("plimsoll has a bug", problem.what()));
        return exit_bug;
    }
}

int run_plimsoll(int argc, const char* const* argv) {
    if (const auto words = words_for_torch(argc, argv); !words.empty())
        return fail(exec_torch_program(words));
    CLI::App app("How deep and how wide should a network be, for its data and its budget?", "plimsoll");
    return run_face(app, add_verbs, argc, argv);
}

}  // namespace plimsoll::cli
