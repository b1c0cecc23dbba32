#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <unistd.h>

#include "plimsoll/base/format.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/torch/torch_commands.h"
#include "plimsoll/cli/torch/train_trunk.h"
#include "plimsoll/lab/jobs/worker_service.h"
#include "plimsoll/train/train.h"

namespace plimsoll::cli {
namespace {

// Of data sets that the orders of one worker share: two of CIFAR-10's size, or 250 million tokens of text.
constexpr std::uint64_t most_cached_bytes = std::uint64_t{1} << 30;

volatile std::sig_atomic_t worker_told_to_stop = 0;

void note_stop(int) { worker_told_to_stop = 1; }

// The signals that ask a worker to stop interrupt its wait for orders. Their sender may be gone by the
// time they are answered.
void listen_as_worker() {
    struct sigaction action = {};
    action.sa_handler = note_stop;
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) ::sigaction(signal, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
}

// A descriptor for answers alone: whatever a library prints goes to stderr.
int take_stdout() {
    const int answers = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    return answers;
}

// The command that trains the same stack.
std::vector<std::string> same_stack(const lab::StackOrder& order, const std::string& device) {
    std::vector<std::string> words{"plimsoll", "train"};
    for (const auto& config : order.configs) words.push_back(config.string());
    words.insert(words.end(), {"--device", device});
    if (!order.keep.empty()) words.insert(words.end(), {"--trunk", steps_text(order.keep.front())});
    return words;
}

Result<lab::RunOutcome> outcome_of(const Result<train::RunSummary>& summary) {
    if (!summary.ok()) return summary.error();
    return summary->stopped ? lab::RunOutcome::stopped : lab::RunOutcome::done;
}

// To the log, for people; lab writes each run's own.
void log_ends(const std::vector<Result<train::RunSummary>>& ends) {
    for (const auto& end : ends) {
        if (end.ok())
            fmt::print(stderr, "run {}: {} at step {}\n", end->id, end->stopped ? "stopped" : "done",
                       end->step);
        else
            fmt::print(stderr, "error: {}\n", end.error().text());
    }
}

lab::WorkerService service_on(const std::string& device) {
    train::TrainOptions options;
    options.device = device;
    options.alone = true;
    options.stop = [] { return worker_told_to_stop != 0; };
    options.data_cache = train::make_data_cache(most_cached_bytes);
    const auto train = [options](const lab::StackOrder& order,
                                 const std::vector<run::RunConfig>& configs) mutable {
        options.runs = order.runs;
        options.retry_failed = order.retry_failed;
        options.keep = order.keep;
        options.command = same_stack(order, options.device);
        fmt::print(stderr, "order {}: {} runs\n", order.stack, configs.size());
        const auto ends = train::train_stack(configs, options);
        log_ends(ends);
        std::vector<Result<lab::RunOutcome>> outcomes;
        for (const auto& end : ends) outcomes.push_back(outcome_of(end));
        return outcomes;
    };
    return {device, train, options.stop};
}

[[noreturn]] void run_worker(const std::string& device) {
    listen_as_worker();
    const int answers = take_stdout();
    if (answers < 0) std::_Exit(fail(io_error("stdout", "must be open")));
    const int code = lab::serve(STDIN_FILENO, answers, service_on(device));
    std::fflush(stderr);
    std::_Exit(code);  // the end of a CUDA context takes a second that nobody needs to wait for
}

}  // namespace

void add_worker(CLI::App& app, Action& action) {
    auto device = std::make_shared<std::string>("cpu");
    auto* verb = app.add_subcommand(
        "worker", "take stacks of runs from stdin until it ends; sweep, reproduce and fit start it");
    verb->add_option("--device", *device, "cpu, cuda or cuda:1")->capture_default_str();
    verb->footer("Orders and answers are JSON lines on stdin and stdout; docs/WORKER.md has the protocol.");
    verb->callback([&action, device] { action = [device]() -> int { run_worker(*device); }; });
}

}  // namespace plimsoll::cli
