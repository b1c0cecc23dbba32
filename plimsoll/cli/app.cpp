#include "plimsoll/cli/app.h"

#include <string_view>

#include <CLI/CLI.hpp>

#include "plimsoll/base/check.h"
#include "plimsoll/base/format.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/session.h"
#include "plimsoll/cli/torch_program.h"
#include "plimsoll/cli/usage/completion.h"
#include "plimsoll/cli/usage/help_text.h"
#include "plimsoll/cli/usage/topics.h"
#include "plimsoll/cli/usage/usage_errors.h"

namespace plimsoll::cli {
namespace {

constexpr int exit_bug = 70;

void add_verbs(CLI::App& app, Action& action) {
    add_advise(app, action);
    add_audit(app, action);
    add_bounds(app, action);
    add_capacity(app, action);
    add_completion(app, action);
    add_count(app, action);
    add_data(app, action);
    add_doctor(app, action);
    add_evidence(app, action);
    add_export(app, action);
    add_fit(app, action);
    add_help(app, action);
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
    add_version(app, action);
    add_zoo(app, action);
    // After the verbs, which would inherit it.
    app.footer("plimsoll VERB --help has the flags of a verb. plimsoll help lists topics: names, specs, ...");
}

void name_help_flags(CLI::App& app) {
    app.set_help_flag("-h,--help", "this text");
    for (CLI::App* part : app.get_subcommands({})) name_help_flags(*part);
}

void furnish(CLI::App& app, void (*add_face_verbs)(CLI::App&, Action&), Action& action) {
    app.set_version_flag("-V,--version", app.get_name() + " " PLIMSOLL_VERSION, "the version");
    app.require_subcommand(1);
    add_face_verbs(app, action);
    name_help_flags(app);
    add_session_flags(app);
    use_help_text(app);
}

constexpr const char* about = "How deep and how wide should a network be, for its data and its budget?";

// What the scripts of `plimsoll completion` ask: "complete -- WORDS". No verb: the words may be anything.
bool asks_for_completions(int argc, const char* const* argv) {
    return argc > 2 && std::string_view(argv[1]) == "complete" && std::string_view(argv[2]) == "--";
}

int print_completions(int argc, const char* const* argv) {
    CLI::App app(about, "plimsoll");
    Action action;
    furnish(app, add_verbs, action);
    for (const auto& word : completions(app, {argv + 3, argv + argc})) fmt::print("{}\n", word);
    return 0;
}

}  // namespace

int run_face(CLI::App& app, void (*add_face_verbs)(CLI::App&, Action&), int argc, const char* const* argv) {
    begin_session(argc, argv);
    Action action;
    furnish(app, add_face_verbs, action);
    try {
        app.parse(argc, argv);
        return action();
    } catch (const CLI::Success& wanted) {
        return app.exit(wanted);
    } catch (const CLI::ParseError& problem) {
        return fail(usage_error(app, problem));
    } catch (const Bug& bug) {
        return fail(bad_input("plimsoll has a bug", bug.what()), exit_bug);
    } catch (const std::exception& problem) {
        return fail(bad_input("plimsoll has a bug", problem.what()), exit_bug);
    }
}

int run_plimsoll(int argc, const char* const* argv) {
    if (argc <= 1) return fmt::print("{}", first_steps()), 0;
    if (asks_for_completions(argc, argv)) return print_completions(argc, argv);
    if (const auto words = words_for_torch(argc, argv); !words.empty())
        return fail(exec_torch_program(words));
    return run_verb(argc, argv);
}

int run_verb(int argc, const char* const* argv) {
    CLI::App app(about, "plimsoll");
    return run_face(app, add_verbs, argc, argv);
}

}  // namespace plimsoll::cli
