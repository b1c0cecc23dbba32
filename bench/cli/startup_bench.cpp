#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

// Runs `plimsoll --version` with its output thrown away; the exit status, or -1 when it could not start.
int run_version() {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    char program[] = PLIMSOLL_BIN;
    char flag[] = "--version";
    char* arguments[] = {program, flag, nullptr};
    pid_t child = 0;
    int status = -1;
    if (posix_spawn(&child, program, &actions, nullptr, arguments, environ) == 0) waitpid(child, &status, 0);
    posix_spawn_file_actions_destroy(&actions);
    return status;
}

void start_up(benchmark::State& state) {
    for (auto _ : state) {
        if (run_version() != 0) {
            state.SkipWithError("plimsoll --version failed");
            break;
        }
    }
}
BENCHMARK(start_up)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
