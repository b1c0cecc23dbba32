#include "plimsoll/store/lease.h"

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include <unistd.h>

#include "plimsoll/base/format.h"
#include "plimsoll/store/clock.h"
#include "plimsoll/store/disk.h"

namespace plimsoll::store {
namespace {

namespace fs = std::filesystem;
using std::chrono::nanoseconds;

class SteadyClock final : public LeaseClock {
  public:
    nanoseconds now() override { return std::chrono::steady_clock::now().time_since_epoch(); }
    void sleep(nanoseconds time) override { std::this_thread::sleep_for(time); }
};

std::string random_token() {
    std::random_device device;
    return fmt::format("{:08x}{:08x}", device(), device());
}

std::string run_name(const fs::path& run_folder) {
    return fmt::format("run {}", run_folder.filename().string());
}

Error held_by(const fs::path& run_folder, const LeaseInfo& lease) {
    return unsupported(run_name(run_folder), fmt::format("is being written by {} (epoch {})",
                                                         described(lease.holder), lease.epoch));
}

double seconds(nanoseconds time) { return std::chrono::duration<double>(time).count(); }

// How a lease that stands in the way became free, empty when it was released; nothing while it is not free.
std::optional<std::string> how_free(const LeaseInfo& lease, const LeaseOptions& options, nanoseconds silent) {
    if (lease.released) return "";
    const std::string who = fmt::format("{} (epoch {})", described(lease.holder), lease.epoch);
    if (is_gone(lease.holder)) return who + " is gone";
    if (options.take_over) return who + " was put aside on request";
    if (silent < options.grace) return std::nullopt;
    return fmt::format("{} had shown no life for {:.0f} s", who, seconds(silent));
}

// Waits for signs of life of one holder after the other, as far as the caller wants that.
class Patience {
  public:
    Patience(const fs::path& run_folder, const LeaseOptions& options, LeaseWatcher& watcher)
        : folder_(run_folder), options_(options), watcher_(watcher) {}

    // Until the next look. An error when nobody is to be waited for, or the holder has shown life since the
    // last wait.
    Status wait(const LeaseInfo& lease, nanoseconds silent) {
        const bool here = is_on_this_system(lease.holder);
        const bool never = options_.watch == Watch::nobody || (here && options_.watch != Watch::everybody);
        const bool alive = silent <= last_;
        if (never || alive) return held_by(folder_, lease);
        last_ = silent;
        const nanoseconds left = options_.grace - silent;
        if (options_.waiting) options_.waiting(lease, left);
        watcher_.clock().sleep(std::min<nanoseconds>(left, options_.beat));
        return {};
    }

  private:
    const fs::path& folder_;
    const LeaseOptions& options_;
    LeaseWatcher& watcher_;
    nanoseconds last_{-1};  // how long the holder had been silent before the last wait
};

LeaseInfo new_lease(std::uint64_t epoch) {
    return {.epoch = epoch, .holder = this_process(), .token = random_token(), .started = utc_now()};
}

// A thread that takes no signal: those are for the program's own threads.
template <class Body>
std::thread quiet_thread(Body body) {
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before);
    std::thread thread(std::move(body));
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return thread;
}

}  // namespace

LeaseClock& steady_lease_clock() {
    static SteadyClock clock;
    return clock;
}

nanoseconds LeaseWatcher::silent_for(const fs::path& run_folder, const LeaseInfo& lease) {
    const std::string sign = sign_of_life(run_folder / "claims", lease);
    const nanoseconds now = clock_->now();
    Seen& seen = seen_.try_emplace(run_folder, Seen{lease.token, sign, now}).first->second;
    if (seen.token != lease.token || seen.sign != sign) seen = {lease.token, sign, now};
    return now - seen.since;
}

// The lease while it is ours, with the thread that shows life.
class Lease::Held {
  public:
    Held(fs::path run_folder, LeaseInfo info, std::string succeeded, std::chrono::milliseconds beat)
        : folder_(std::move(run_folder)),
          info_(std::move(info)),
          succeeded_(std::move(succeeded)),
          beat_(beat) {
        thread_ = quiet_thread([this] { show_life_until_stopped(); });
    }
    ~Held() {
        {
            const std::lock_guard guard(mutex_);
            stopped_ = true;
        }
        wake_.notify_all();
        thread_.join();
        if (still_mine().ok()) (void)release_lease(leases(), info_);
    }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

    [[nodiscard]] const LeaseInfo& info() const { return info_; }
    [[nodiscard]] const std::string& succeeded() const { return succeeded_; }
    [[nodiscard]] fs::path leases() const { return folder_ / "claims"; }

    [[nodiscard]] Status still_mine() const {
        const auto seen = look_at_leases(leases(), work_name(info_));
        if (seen.ok() && seen->mine && seen->highest == info_.epoch) return {};
        if (!seen.ok() && seen.error().kind != ErrorKind::not_found) return seen.error();
        const auto newest = newest_lease(folder_);
        if (!newest.ok() || !newest->has_value() || (*newest)->token == info_.token)
            return unsupported(run_name(folder_), "was removed or replaced; nothing more is written");
        return unsupported(run_name(folder_),
                           fmt::format("was taken over by {} (epoch {}); nothing more is written",
                                       described((*newest)->holder), (*newest)->epoch));
    }

  private:
    void show_life_until_stopped() {
        std::unique_lock guard(mutex_);
        for (std::uint64_t count = 1; !wake_.wait_for(guard, beat_, [this] { return stopped_; }); ++count) {
            guard.unlock();
            const bool there = show_life(leases(), info_, count);
            guard.lock();
            if (!there) return;
        }
    }

    fs::path folder_;
    LeaseInfo info_;
    std::string succeeded_;
    std::chrono::milliseconds beat_;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool stopped_ = false;
    std::thread thread_;
};

Lease::Lease(std::unique_ptr<Held> held) : held_(std::move(held)) {}
Lease::Lease(Lease&&) noexcept = default;
Lease& Lease::operator=(Lease&&) noexcept = default;
Lease::~Lease() {
    // After a fork the lease and its thread belong to the parent.
    if (held_ && held_->info().holder.process != ::getpid()) (void)held_.release();
}

Result<Lease> Lease::take(const fs::path& run_folder, const LeaseOptions& options) {
    const fs::path leases = run_folder / "claims";
    LeaseWatcher own;
    LeaseWatcher& watcher = options.watcher == nullptr ? own : *options.watcher;
    Patience patience(run_folder, options, watcher);
    for (;;) {
        PLIMSOLL_RETURN_IF_ERROR(make_folders(leases));
        PLIMSOLL_ASSIGN(newest, newest_lease(run_folder));
        std::optional<std::string> how("");
        if (newest) {
            const auto silent = newest->released ? nanoseconds(0) : watcher.silent_for(run_folder, *newest);
            how = how_free(*newest, options, silent);
            if (!how) PLIMSOLL_RETURN_IF_ERROR(patience.wait(*newest, silent));
        }
        if (!how) continue;
        const LeaseInfo info = new_lease(newest ? newest->epoch + 1 : 1);
        PLIMSOLL_ASSIGN(won, create_lease(leases, info));
        if (!won) continue;
        Lease lease(std::make_unique<Held>(run_folder, info, *how, options.beat));
        PLIMSOLL_RETURN_IF_ERROR(fence_earlier(leases, info));
        PLIMSOLL_RETURN_IF_ERROR(lease.still_mine());
        return lease;
    }
}

Status Lease::still_mine() const { return held_->still_mine(); }
std::uint64_t Lease::epoch() const { return held_->info().epoch; }
fs::path Lease::work_folder() const { return held_->leases() / work_name(held_->info()); }
const std::string& Lease::succeeded() const { return held_->succeeded(); }

}  // namespace plimsoll::store
