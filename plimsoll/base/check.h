#pragma once

#include <stdexcept>
#include <string>

namespace plimsoll {

// Plimsoll itself is wrong. Caught only in the faces, which print it and exit with 70.
class Bug : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

// Throws a Bug that names the condition and its place.
[[noreturn]] void throw_bug(const char* condition, const char* file, int line, const std::string& message);

}  // namespace plimsoll

// A statement that must hold whatever the user does; on in every build type.
#define PLIMSOLL_CHECK(condition, message)                                                \
    do {                                                                                  \
        if (!(condition)) ::plimsoll::throw_bug(#condition, __FILE__, __LINE__, message); \
    } while (false)
