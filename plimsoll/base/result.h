#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "plimsoll/base/check.h"

namespace plimsoll {

// What kind of trouble the outside world is in; the value is the exit code of the command line.
enum class ErrorKind {
    bad_input = 2,    // the user asked for something that cannot be
    not_found = 3,    // a file, id or name that does not exist
    unsupported = 4,  // understood, but not something plimsoll can do
    io = 5,           // the operating system refused
};

// An expected failure: where it is, what is wrong and what would have been right.
struct Error {
    ErrorKind kind = ErrorKind::bad_input;
    std::string where;    // key, file or flag; may be empty
    std::string message;  // "must divide width 64, got 5"

    // "where: message", or the message alone.
    [[nodiscard]] std::string text() const { return where.empty() ? message : where + ": " + message; }
};

inline Error bad_input(std::string where, std::string message) {
    return {ErrorKind::bad_input, std::move(where), std::move(message)};
}
inline Error not_found(std::string where, std::string message) {
    return {ErrorKind::not_found, std::move(where), std::move(message)};
}
inline Error unsupported(std::string where, std::string message) {
    return {ErrorKind::unsupported, std::move(where), std::move(message)};
}
inline Error io_error(std::string where, std::string message) {
    return {ErrorKind::io, std::move(where), std::move(message)};
}

// A value, or the error that stands in its place. Asking for the wrong one of the two is a Bug.
template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }

    [[nodiscard]] const T& value() const& {
        PLIMSOLL_CHECK(ok(), "value() of an error: " + error_text());
        return std::get<0>(state_);
    }
    [[nodiscard]] T&& value() && {
        PLIMSOLL_CHECK(ok(), "value() of an error: " + error_text());
        return std::get<0>(std::move(state_));
    }
    const T& operator*() const& { return value(); }
    const T* operator->() const { return &value(); }

    [[nodiscard]] const Error& error() const {
        PLIMSOLL_CHECK(!ok(), "error() of a value");
        return std::get<1>(state_);
    }

  private:
    [[nodiscard]] std::string error_text() const { return ok() ? "" : std::get<1>(state_).text(); }

    std::variant<T, Error> state_;
};

// Success, or the error.
class [[nodiscard]] Status {
  public:
    Status() = default;
    Status(Error error) : error_(std::move(error)) {}

    [[nodiscard]] bool ok() const { return !error_.has_value(); }
    explicit operator bool() const { return ok(); }
    [[nodiscard]] const Error& error() const {
        PLIMSOLL_CHECK(!ok(), "error() of a success");
        return *error_;
    }

  private:
    std::optional<Error> error_;
};

}  // namespace plimsoll

// Returns the error of `expression` (a Result or Status) from the enclosing function, if there is one.
#define PLIMSOLL_RETURN_IF_ERROR(expression)                     \
    do {                                                         \
        if (const auto& status_ = (expression); !status_.ok()) { \
            return status_.error();                              \
        }                                                        \
    } while (false)

// Declares `name` with the value of the Result `expression`, or returns its error.
#define PLIMSOLL_ASSIGN(name, expression)                    \
    auto name##_result_ = (expression);                      \
    if (!name##_result_.ok()) return name##_result_.error(); \
    auto name = std::move(name##_result_).value()
