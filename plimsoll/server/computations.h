#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "plimsoll/base/result.h"

// What takes time or reads what a stranger sent is a child process: this program with a verb and --json. A
// child has a limit of memory and of time, is killed when nobody waits for it any more, and takes nobody with
// it when it dies.
namespace plimsoll::server {

struct ComputationLimits {
    std::size_t at_once = 2;
    std::size_t waiting = 64;  // beyond it nothing more is taken
    std::uint64_t memory = std::uint64_t{4} << 30;
    std::chrono::seconds time{600};
    std::size_t output_bytes = 64'000'000;
};

// What a child is asked, and what it is told besides.
struct Computation {
    std::vector<std::string> words;  // "advise", "--params=100M", "--json"
    std::string client;              // who asked; clients take turns
    std::filesystem::path folder;    // to work in; empty: one without anything in it
};

// How it ended: the output, or why there is none.
struct ComputationEnd {
    Result<std::string> output;
    bool cancelled = false;
};

// Children, a few at a time, the others in a queue for each client.
class Computations {
  public:
    using Done = std::function<void(const ComputationEnd&)>;  // on a thread of ours

    // A computation that was taken. Cancelling one that has ended does nothing.
    class Ticket {
      public:
        Ticket() = default;
        void cancel() const {
            if (cancelled_) *cancelled_ = true;
        }

      private:
        friend class Computations;
        explicit Ticket(std::shared_ptr<std::atomic<bool>> cancelled) : cancelled_(std::move(cancelled)) {}
        std::shared_ptr<std::atomic<bool>> cancelled_;
    };

    // `program` is started, `empty_folder` exists and stays.
    Computations(std::filesystem::path program, std::filesystem::path empty_folder,
                 const ComputationLimits& limits);
    // Kills what runs.
    ~Computations();
    Computations(const Computations&) = delete;
    Computations& operator=(const Computations&) = delete;

    // Takes it, to call `done` once; an error when the queue is full.
    Result<Ticket> start(Computation computation, Done done);

    // Cancels all of them; `done` of each is called before this returns, and nothing is taken any more.
    void stop();

    [[nodiscard]] std::size_t running() const;

  private:
    struct Job {
        Computation computation;
        Done done;
        std::shared_ptr<std::atomic<bool>> cancelled;
    };

    void work(std::size_t number);
    bool next(Job& job);
    [[nodiscard]] ComputationEnd outcome_of(const Job& job, std::size_t number) const;

    std::filesystem::path program_, empty_folder_;
    ComputationLimits limits_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::string, std::deque<Job>> queues_;  // by client
    std::string last_client_;
    std::size_t waiting_ = 0, running_ = 0;
    std::atomic<bool> stopped_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace plimsoll::server
