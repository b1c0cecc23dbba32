#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/usage/completion.h"

namespace plimsoll::cli {
namespace {

// readline replaces what stands behind the last : or = only, so candidates lose what stands before it.
constexpr std::string_view bash_script = R"(# bash completion of plimsoll: it asks plimsoll itself.
_plimsoll() {
    local line=${COMP_LINE:0:COMP_POINT} words word before
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    word=${words[${#words[@]} - 1]}
    before=${word%"${word##*[:=]}"}
    mapfile -t COMPREPLY < <("${words[0]}" complete -- "${words[@]:1}" 2>/dev/null)
    COMPREPLY=("${COMPREPLY[@]#"$before"}")
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[:=] ]] && compopt -o nospace
    return 0
}
complete -o default -F _plimsoll plimsoll
)";

constexpr std::string_view zsh_script = R"(#compdef plimsoll
# zsh completion of plimsoll: it asks plimsoll itself.
_plimsoll() {
    local -a found open closed
    found=("${(@f)$(${words[1]} complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    found=(${found:#})
    if (( ! ${#found} )); then _files; return; fi
    open=(${(M)found:#*[:=]})
    closed=(${found:#*[:=]})
    (( ${#open} )) && compadd -S '' -- $open
    (( ${#closed} )) && compadd -- $closed
    return 0
}
if [[ ${funcstack[1]} == _plimsoll ]]; then _plimsoll "$@"; else compdef _plimsoll plimsoll; fi
)";

constexpr std::string_view fish_script = R"(# fish completion of plimsoll: it asks plimsoll itself.
function __plimsoll_complete
    set -l words (commandline -opc) (commandline -ct)
    $words[1] complete -- $words[2..-1] 2>/dev/null
end
complete -c plimsoll -a '(__plimsoll_complete)'
)";

struct Shell {
    const char* name;
    std::string_view script;
};
constexpr std::array shells{Shell{"bash", bash_script}, Shell{"zsh", zsh_script}, Shell{"fish", fish_script}};

Result<int> print_script(const std::string& shell) {
    PLIMSOLL_ASSIGN(script, completion_script(shell));
    fmt::print("{}", script);
    return 0;
}

}  // namespace

Result<std::string_view> completion_script(const std::string& shell) {
    std::vector<std::string> names;
    for (const Shell& one : shells) {
        if (shell == one.name) return one.script;
        names.emplace_back(one.name);
    }
    return bad_input("shell", "unknown '" + shell + "'" + suggestion(shell, names));
}

void add_completion(CLI::App& app, Action& action) {
    auto shell = std::make_shared<std::string>();
    auto* verb = app.add_subcommand("completion", "the script that completes words in bash, zsh or fish");
    verb->add_option("shell", *shell, "bash, zsh or fish")->required();
    verb->footer(
        "For this session: source <(plimsoll completion bash). For good, in bash: plimsoll completion "
        "bash > ~/.local/share/bash-completion/completions/plimsoll");
    verb->callback([&action, shell] { action = [shell] { return exit_code_of(print_script(*shell)); }; });
}

}  // namespace plimsoll::cli
