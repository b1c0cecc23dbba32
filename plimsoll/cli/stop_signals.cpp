#include "plimsoll/cli/stop_signals.h"

#include <unistd.h>

#include "plimsoll/base/exit_codes.h"

namespace plimsoll::cli {
namespace {

volatile std::sig_atomic_t asked = 0, impatient = 0;

void note(int) {
    asked = asked + 1;
    if (impatient != 0 && asked > 1) ::_exit(exit_stopped);
}

}  // namespace

StopSignals::StopSignals() {
    asked = 0;
    impatient = 0;
    struct sigaction action{};
    action.sa_handler = note;
    action.sa_flags = SA_RESTART;
    ::sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &action, &before_[i]);
}

StopSignals::~StopSignals() {
    for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &before_[i], nullptr);
}

int StopSignals::count() { return asked; }

void StopSignals::end_at_once(bool wanted) { impatient = wanted ? 1 : 0; }

}  // namespace plimsoll::cli
