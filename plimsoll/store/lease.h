#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "plimsoll/base/result.h"
#include "plimsoll/store/lease_files.h"

// Who may write a run: one process at a time, on however many machines that share the folder. Leases are
// numbered; taking a run over makes the next number, and a process with a lower one stops writing.
namespace plimsoll::store {

// The clock by which an observer waits; it never goes back and no other machine's clock matters.
class LeaseClock {
  public:
    virtual ~LeaseClock() = default;
    [[nodiscard]] virtual std::chrono::nanoseconds now() = 0;
    virtual void sleep(std::chrono::nanoseconds time) = 0;
};
LeaseClock& steady_lease_clock();

// Remembers the signs of life that it has seen; one of them for all runs of a sweep.
class LeaseWatcher {
  public:
    explicit LeaseWatcher(LeaseClock& clock = steady_lease_clock()) : clock_(&clock) {}
    // Looks now: how long the lease has shown the same, counted from this watcher's first look.
    std::chrono::nanoseconds silent_for(const std::filesystem::path& run_folder, const LeaseInfo& lease);
    [[nodiscard]] LeaseClock& clock() const { return *clock_; }

  private:
    struct Seen {
        std::string token, sign;
        std::chrono::nanoseconds since;
    };
    LeaseClock* clock_;
    std::map<std::filesystem::path, Seen> seen_;
};

// For whose leases to wait, up to the grace period, to see whether they are alive.
enum class Watch { nobody, other_machines, everybody };

struct LeaseOptions {
    std::chrono::milliseconds beat{5'000};    // between two signs of life
    std::chrono::milliseconds grace{60'000};  // silent for so long, a lease is stale
    Watch watch = Watch::other_machines;      // a live process here is an answer at once
    bool take_over = false;                   // at once, from any holder
    LeaseWatcher* watcher = nullptr;          // with what it has seen before; without one, all is new
    // Told before each wait who is waited for and how long at most.
    std::function<void(const LeaseInfo&, std::chrono::nanoseconds left)> waiting;
};

// A run of ours, from take() until it is destroyed, when it is released. A thread shows life. Moves but does
// not copy.
class Lease {
  public:
    Lease(Lease&&) noexcept;
    Lease& operator=(Lease&&) noexcept;
    ~Lease();

    // Takes the lease of the run in `run_folder`, which exists. A live holder is named in an `unsupported`
    // error. A lease is free when it was released, when its process on this system is gone, or when its sign
    // of life stayed the same for the whole grace period of this process's clock.
    static Result<Lease> take(const std::filesystem::path& run_folder, const LeaseOptions& options = {});

    // Ours still, or an `unsupported` error: "run ID: was taken over by process 71 on node3 (epoch 7);
    // nothing more is written". Some microseconds.
    [[nodiscard]] Status still_mine() const;

    [[nodiscard]] std::uint64_t epoch() const;
    // Where files are made before they are renamed to their place; a process that takes over removes it.
    [[nodiscard]] std::filesystem::path work_folder() const;
    // How a lease that had not been released was taken over: "process 70 on node2 (epoch 6) is gone"; empty
    // otherwise.
    [[nodiscard]] const std::string& succeeded() const;

  private:
    class Held;
    explicit Lease(std::unique_ptr<Held> held);
    std::unique_ptr<Held> held_;
};

}  // namespace plimsoll::store
