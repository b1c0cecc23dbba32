#pragma once

#include <array>
#include <csignal>

namespace plimsoll::cli {

// While it lives, what asks a program to end (Ctrl-C, SIGTERM, a closed terminal, Slurm's SIGUSR1) is counted
// instead of ending it. One at a time.
class StopSignals {
  public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    // How often it was asked.
    [[nodiscard]] static int count();

    // Being asked once more after having been asked before ends the program at once, with exit_stopped: for
    // parts that nothing else can stop and that leave whole files.
    static void end_at_once(bool wanted);

  private:
    static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP, SIGUSR1};
    std::array<struct sigaction, 4> before_{};
};

}  // namespace plimsoll::cli
