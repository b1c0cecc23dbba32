#include <algorithm>
#include <chrono>
#include <vector>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/process.h"
#include "plimsoll/base/scratch_folder.h"
#include "plimsoll/lab/jobs/runner.h"

// What the lab costs beyond starting a process; the issue allows 50 ms a job. A script that marks its run as
// done and ends stands in for plimsoll-torch: the sweep of N such jobs, and the same N calls one after the
// other without the lab, in turn.
namespace {

using namespace plimsoll;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int jobs = 40, rounds = 9;

const std::string script =
    "#!/bin/sh\nid=${2##*/}; run=$4/${id%.toml}; mkdir -p $run; : > $run/config.toml\n"
    "echo '{\"phase\": \"done\", \"step\": 1, \"reason\": \"\"}' > $run/state.json\n";

const std::string sweep_text =
    "seeds = 40\n[base]\nmodel.spec = \"transformer:depth=1,width=8,heads=1,vocab=256,context=8\"\n"
    "data.name = \"x.txt\"\ntrain.steps = 1\n";

double milliseconds_a_job(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count() / jobs;
}

double plain(const lab::Plan& plan, const fs::path& program, const fs::path& folder) {
    const auto start = Clock::now();
    for (const auto& job : plan.jobs) {
        ProcessRequest request;
        request.program = program;
        request.arguments = {"train", job.id + ".toml", "--runs", folder.string(), "--device", "cpu"};
        auto process = Process::start(request);
        PLIMSOLL_CHECK(process.ok() && std::move(process).value().wait().ok(), "the script must run");
    }
    return milliseconds_a_job(start);
}

double swept(const lab::Plan& plan, const fs::path& program, const fs::path& folder) {
    lab::RunnerOptions options;
    options.program = program;
    options.runs = folder;
    options.tell = [](const lab::SweepProgress&) {};
    const auto start = Clock::now();
    const auto outcome = lab::run_sweep(plan, options);
    PLIMSOLL_CHECK(outcome.ok() && outcome->complete, "the sweep must be complete");
    return milliseconds_a_job(start);
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
    fmt::print("{} jobs, {} rounds, milliseconds a job: process alone {:.1f} ({:.1f} to {:.1f}), ", jobs,
               rounds, median(without), std::ranges::min(without), std::ranges::max(without));
    fmt::print(
        "in a sweep {:.1f} ({:.1f} to {:.1f}), the lab {:.1f} ({:.1f} to {:.1f}); medians and ranges\n",
        median(with), std::ranges::min(with), std::ranges::max(with), median(more), std::ranges::min(more),
        std::ranges::max(more));
    return 0;
}
