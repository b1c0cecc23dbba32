#include <cstdlib>

#include <sys/wait.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "tests/cli/transcript.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::testing {
namespace {

std::string report(const Block& block, const Outcome& outcome, const std::string& problem) {
    return fmt::format("line {}: {}\n$ {}--- stdout\n{}--- stderr\n{}", block.line, problem, block.command,
                       outcome.out, outcome.err);
}

bool code_is_right(const Block& block, int code) {
    return block.exit_code == any_failure ? code != 0 : code == block.exit_code;
}

std::string text_of(const Outcome& outcome, Stream stream) {
    switch (stream) {
        case Stream::out:
            return outcome.out;
        case Stream::err:
            return outcome.err;
        case Stream::both:
            return outcome.out + outcome.err;
    }
    return "";
}

}  // namespace

Outcome run_shell(const std::string& command, const std::filesystem::path& folder) {
    const TempDir scratch;
    const auto out = scratch.path() / "out", err = scratch.path() / "err", script = scratch.path() / "script";
    if (!atomic_write(script, command).ok()) return {.exit_code = 126};
    const std::string line = fmt::format("cd '{}' && /bin/sh -e '{}' >'{}' 2>'{}' </dev/null",
                                         folder.string(), script.string(), out.string(), err.string());
    const int status = std::system(line.c_str());
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    const auto read = [](const auto& path) {
        auto text = read_text(path);
        return text.ok() ? *text : std::string();
    };
    return {code, read(out), read(err)};
}

std::string play(const Transcript& transcript) {
    const TempDir folder;
    std::string problems;
    for (const auto& block : transcript.blocks) {
        const Outcome outcome = run_shell(block.command, folder.path());
        if (!code_is_right(block, outcome.exit_code)) {
            problems += report(
                block, outcome,
                fmt::format("exit code {} instead of {}", outcome.exit_code,
                            block.exit_code == any_failure ? "a failure" : std::to_string(block.exit_code)));
        } else if (const auto diff = difference(block, text_of(outcome, block.stream)); !diff.empty()) {
            problems += report(block, outcome, diff);
        }
    }
    return problems;
}

}  // namespace plimsoll::testing
