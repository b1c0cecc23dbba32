#pragma once

namespace plimsoll {

// The exit code of a program that was asked to stop and left everything so that the same command goes on:
// sysexits' EX_TEMPFAIL. Errors have the codes of their kind (result.h).
constexpr int exit_stopped = 75;

}  // namespace plimsoll
