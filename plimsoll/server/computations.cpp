#include "plimsoll/server/computations.h"

#include <csignal>
#include <utility>

#include <poll.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/process.h"
#include "plimsoll/base/text.h"

namespace plimsoll::server {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int poll_milliseconds = 50;
constexpr std::size_t most_error_bytes = 100'000;

// The last "error: WHERE: WHAT" that the program printed.
Error printed_error(ErrorKind kind, const std::string& text) {
    constexpr std::string_view start = "error: ";
    std::string found = "the computation failed without saying why";
    for (const auto& line : split(text, '\n'))
        if (line.starts_with(start)) found = line.substr(start.size());
    const auto colon = found.find(": ");
    if (colon == std::string::npos) return {kind, "", found};
    return {kind, found.substr(0, colon), found.substr(colon + 2)};
}

// A child that was killed, or that could not allocate and had no words for it.
Error fatal_end(const ProcessEnd& end, const ComputationLimits& limits) {
    constexpr int bug = 70;
    const bool died = end.signal != 0 || end.exit_code == bug;
    return unsupported("computation",
                       fmt::format("{} (it may take {}); smaller numbers may do",
                                   died ? "ended by itself, most likely for lack of memory" : "failed",
                                   human_bytes(static_cast<double>(limits.memory))));
}

// What the child says until it ends, is cancelled or takes too long.
struct Heard {
    std::string output;
    std::optional<Error> stopped;
};

Heard hear_all(Process& child, const ComputationLimits& limits, const std::function<bool()>& cancelled) {
    const auto end = Clock::now() + limits.time;
    Heard heard;
    while (child.channel().open()) {
        if (cancelled()) heard.stopped = io_error("computation", "was cancelled");
        if (Clock::now() > end)
            heard.stopped =
                unsupported("computation", fmt::format("takes longer than {} s", limits.time.count()));
        if (heard.output.size() > limits.output_bytes)
            heard.stopped = unsupported("computation", "has a larger answer than is sent");
        if (heard.stopped) return heard;
        pollfd waits{child.channel().descriptor(), POLLIN, 0};
        ::poll(&waits, 1, poll_milliseconds);
        heard.output += child.channel().hear();
    }
    return heard;
}

ErrorKind kind_of(int exit_code) {
    switch (exit_code) {
        case 3:
            return ErrorKind::not_found;
        case 4:
            return ErrorKind::unsupported;
        case 5:
            return ErrorKind::io;
        default:
            return ErrorKind::bad_input;
    }
}

// 1 is an answer too: a check that failed.
bool has_answer(const ProcessEnd& end) {
    return end.signal == 0 && (end.exit_code == 0 || end.exit_code == 1);
}

bool has_error(const ProcessEnd& end) { return end.signal == 0 && end.exit_code >= 2 && end.exit_code <= 5; }

}  // namespace

Computations::Computations(std::filesystem::path program, std::filesystem::path empty_folder,
                           const ComputationLimits& limits)
    : program_(std::move(program)), empty_folder_(std::move(empty_folder)), limits_(limits) {
    for (std::size_t i = 0; i < limits_.at_once; ++i) threads_.emplace_back([this, i] { work(i); });
}

Computations::~Computations() { stop(); }

Result<Computations::Ticket> Computations::start(Computation computation, Done done) {
    const std::lock_guard guard(mutex_);
    if (stopped_) return io_error("server", "is stopping");
    if (waiting_ >= limits_.waiting)
        return io_error("server", fmt::format("has {} computations waiting; try again later", waiting_));
    auto cancelled = std::make_shared<std::atomic<bool>>(false);
    auto& queue = queues_[computation.client];
    queue.push_back({std::move(computation), std::move(done), cancelled});
    ++waiting_;
    changed_.notify_one();
    return Ticket(cancelled);
}

void Computations::stop() {
    {
        const std::lock_guard guard(mutex_);
        stopped_ = true;
    }
    changed_.notify_all();
    for (auto& thread : threads_) thread.join();
    threads_.clear();
}

std::size_t Computations::running() const {
    const std::lock_guard guard(mutex_);
    return running_;
}

// The client after the one that was served last.
bool Computations::next(Job& job) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stopped_ || waiting_ > 0; });
    if (waiting_ == 0) return false;
    auto client = queues_.upper_bound(last_client_);
    if (client == queues_.end()) client = queues_.begin();
    last_client_ = client->first;
    job = std::move(client->second.front());
    client->second.pop_front();
    if (client->second.empty()) queues_.erase(client);
    --waiting_;
    ++running_;
    return true;
}

void Computations::work(std::size_t number) {
    for (Job job; next(job);) {
        const ComputationEnd end = outcome_of(job, number);
        job.done(end);
        const std::lock_guard guard(mutex_);
        --running_;
    }
}

ComputationEnd Computations::outcome_of(const Job& job, std::size_t number) const {
    const auto cancelled = [&] { return stopped_ || *job.cancelled; };
    const Error left = io_error("computation", "was cancelled");
    if (cancelled()) return {left, true};
    const auto errors = empty_folder_.parent_path() / fmt::format("errors-{}", number);
    std::error_code ignored;
    std::filesystem::remove(errors, ignored);
    ProcessRequest request;
    request.program = program_;
    request.arguments = job.computation.words;
    request.err = errors;
    request.folder = job.computation.folder.empty() ? empty_folder_ : job.computation.folder;
    request.environment = {{"NO_COLOR", "1"}};
    request.channel = true;
    request.max_memory = limits_.memory;
    request.when_we_die = SIGKILL;
    auto child = Process::start(request);
    if (!child.ok()) return {child.error()};
    auto process = std::move(child).value();
    process.channel().hang_up();
    auto heard = hear_all(process, limits_, cancelled);
    if (heard.stopped) {
        process.kill();
        process.wait();
        return {*heard.stopped, cancelled()};
    }
    const ProcessEnd end = process.wait();
    if (has_answer(end)) return {std::move(heard.output)};
    if (!has_error(end)) return {fatal_end(end, limits_)};
    const auto text = read_text(errors, most_error_bytes);
    return {printed_error(kind_of(end.exit_code), text.ok() ? *text : "")};
}

}  // namespace plimsoll::server
