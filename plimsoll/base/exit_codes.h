#pragma once

namespace plimsoll {

// The exit code of a program that stopped on request and whose command resumes when it is run again:
// sysexits' EX_TEMPFAIL. Errors have the codes of their kind (result.h).
constexpr int exit_stopped = 75;

}  // namespace plimsoll
