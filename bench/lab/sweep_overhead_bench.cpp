#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/process.h"
#include "plimsoll/base/scratch_folder.h"
#include "plimsoll/lab/jobs/runner.h"
#include "plimsoll/lab/jobs/worker_protocol.h"

// What the lab costs between two stacks; the issue allows 0.3 s on a GPU for all of it. A script that marks
// its runs as done stands in for plimsoll-torch worker: a sweep of N jobs, each a stack of its own, and the
// same N orders written to such a worker one after the other without the lab, in turn.
namespace {

using namespace plimsoll;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int jobs = 40, rounds = 9;

const std::string script = R"(#!/bin/sh
echo '{"plimsoll-worker":1,"device":"cpu","process":1}'
while read -r order; do
    stack=${order#*\"train\":}; stack=${stack%%,*}; runs=${order#*\"runs\":\"}; runs=${runs%%\"*}
    config=${order#*\"configs\":[\"}; id=${config%%\"*}; id=${id##*/}; run=$runs/${id%.toml}
    mkdir -p $run; : > $run/config.toml
    echo '{"phase": "done", "step": 1, "reason": ""}' > $run/state.json
    echo "{\"event\":\"run\",\"stack\":$stack,\"number\":0,\"run\":\"\",\"outcome\":\"done\"}"
    echo "{\"event\":\"finished\",\"stack\":$stack}"
done
)";

const std::string sweep_text =
    "seeds = 40\n[base]\nmodel.spec = \"transformer:depth=1,width=8,heads=1,vocab=256,context=8\"\n"
    "data.name = \"x.txt\"\ntrain.steps = 1\n";

double milliseconds_a_stack(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count() / jobs;
}

// Waits for a line with `word` in it.
void wait_for(Process& worker, const std::string& word) {
    std::string heard;
    while (heard.find(word) == std::string::npos) {
        PLIMSOLL_CHECK(worker.channel().open(), "the script must run");
        heard += worker.channel().hear();
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
}

double plain(const lab::Plan& plan, const fs::path& program, const fs::path& folder) {
    ProcessRequest request;
    request.program = program;
    request.arguments = {"worker", "--device", "cpu"};
    request.channel = true;
    const auto start = Clock::now();
    Process worker = Process::start(request).value();
    wait_for(worker, "plimsoll-worker");
    for (const auto& job : plan.jobs) {
        worker.channel().say(lab::encode(lab::StackOrder{1, folder, {job.id + ".toml"}}).value() + "\n");
        wait_for(worker, "finished");
    }
    return milliseconds_a_stack(start);
}

double swept(const lab::Plan& plan, const fs::path& program, const fs::path& folder) {
    lab::RunnerOptions options;
    options.program = program;
    options.runs = folder;
    options.stack = false;
    options.tell = [](const lab::SweepProgress&) {};
    const auto start = Clock::now();
    const auto outcome = lab::run_sweep(plan, options);
    PLIMSOLL_CHECK(outcome.ok() && outcome->complete, "the sweep must be complete");
    return milliseconds_a_stack(start);
}

double median(std::vector<double> values) {
    std::ranges::nth_element(values, values.begin() + rounds / 2);
    return values[rounds / 2];
}

}  // namespace

int main() {
    const auto scratch = ScratchFolder::make("overhead").value();
    const fs::path& folder = scratch.path();
    const fs::path program = folder / "trainer";
    const auto sweep = lab::parse_sweep(sweep_text, "sweep.toml", "");
    const auto plan = lab::plan(*sweep);
    PLIMSOLL_CHECK(atomic_write(program, script).ok() && plan.ok(), "a folder to write to");
    fs::permissions(program, fs::perms::owner_all);
    std::vector<double> without, with, more;
    for (int round = 0; round < rounds; ++round) {
        without.push_back(plain(*plan, program, folder / fmt::format("plain{}", round)));
        with.push_back(swept(*plan, program, folder / fmt::format("swept{}", round)));
        more.push_back(with.back() - without.back());
    }
    fmt::print("{} stacks of one, {} rounds, milliseconds a stack: worker alone {:.1f} ({:.1f} to {:.1f}), ",
               jobs, rounds, median(without), std::ranges::min(without), std::ranges::max(without));
    fmt::print(
        "in a sweep {:.1f} ({:.1f} to {:.1f}), the lab {:.1f} ({:.1f} to {:.1f}); medians and ranges\n",
        median(with), std::ranges::min(with), std::ranges::max(with), median(more), std::ranges::min(more),
        std::ranges::max(more));
    return 0;
}
