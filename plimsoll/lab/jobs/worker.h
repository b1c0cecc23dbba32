#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/base/process.h"
#include "plimsoll/lab/jobs/worker_protocol.h"

namespace plimsoll::lab {

using Environment = std::vector<std::pair<std::string, std::string>>;

// What tells a child how many threads it may have; nothing for 0: as many as it likes.
Environment thread_environment(int threads);

// The same, and $PLIMSOLL_DATA as a child that works in `folder` finds it.
Environment worker_environment(const std::filesystem::path& folder, int threads);

// What a worker is started with; workers of one kind can take each other's place.
struct WorkerKind {
    std::filesystem::path program;  // plimsoll-torch
    std::string device = "cpu";
    std::filesystem::path folder;  // to work in; empty: ours
    Environment environment;

    bool operator==(const WorkerKind&) const = default;
};

// How a worker ended.
struct WorkerEnd {
    ProcessEnd process;
    std::string reason;              // "its process was ended by signal 9"
    bool ready = false;              // it had said hello
    std::optional<Error> objection;  // to working with us at all: another version of the protocol
};

// plimsoll-torch worker: a process that trains one stack after the other. It gets SIGTERM when we die.
class Worker {
  public:
    // What it has to say besides answers is appended to `log`. It must say hello within `silence`.
    static Result<Worker> start(const WorkerKind& kind, const std::filesystem::path& log,
                                std::chrono::milliseconds silence);

    [[nodiscard]] const WorkerKind& kind() const { return kind_; }
    [[nodiscard]] const std::filesystem::path& log() const { return log_; }
    [[nodiscard]] int descriptor() { return process_.channel().descriptor(); }

    void order(const std::string& line) { process_.channel().say(line + "\n"); }
    // What it answered since the last call. One that does not keep to the protocol, or does not begin to
    // speak, is killed.
    std::vector<WorkerAnswer> hear();
    // How it ended, once everything that it said was heard; nothing while it runs.
    std::optional<WorkerEnd> ended();

    // Asks it to stop with checkpoints, ends it, or lets it end by itself when it is idle.
    void stop() { process_.terminate(); }
    void kill() { process_.kill(); }
    void dismiss() { process_.channel().hang_up(); }
    // Waits for its end, at most so long.
    void wait_for(std::chrono::milliseconds most) { process_.wait_for(most); }

  private:
    using Clock = std::chrono::steady_clock;

    Worker(WorkerKind kind, std::filesystem::path log, std::chrono::milliseconds silence, Process process);
    void take(const Result<std::string>& line, std::vector<WorkerAnswer>& answers);
    void greet(const WorkerHello& hello);
    void give_up(const std::string& reason);
    void mind_silence();
    [[nodiscard]] std::string reason_of(const ProcessEnd& end) const;

    WorkerKind kind_;
    std::filesystem::path log_;
    Clock::time_point until_;  // it must have said hello, or ended after it hung up
    WorkerLines lines_;
    bool ready_ = false, hung_up_ = false;
    std::string broken_;  // why it was given up
    std::optional<Error> objection_;
    std::optional<ProcessEnd> end_;
    Process process_;
};

// The workers of a sweep, or of several sweeps one after the other: one in a slot, started when it is needed.
// Destroyed, it lets them end by themselves, and kills those that do not.
class WorkerPool {
  public:
    WorkerPool() = default;
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    // The worker of a slot, alive and of this kind; started when there is none.
    Result<Worker*> worker(std::size_t slot, const WorkerKind& kind, const std::filesystem::path& log,
                           std::chrono::milliseconds silence);
    // The worker of a slot; null when there is none.
    [[nodiscard]] Worker* at(std::size_t slot) const;
    // Removes the worker of a slot; killed when it has not ended.
    void remove(std::size_t slot);
    // Asks all of them to stop, or ends them.
    void stop();
    void kill();

  private:
    std::vector<std::unique_ptr<Worker>> workers_;  // null: a slot without one
};

}  // namespace plimsoll::lab
