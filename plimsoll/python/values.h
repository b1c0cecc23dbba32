#pragma once

#include <vector>

#include <pybind11/pybind11.h>

#include "plimsoll/base/json.h"
#include "plimsoll/base/progress.h"
#include "plimsoll/base/result.h"

// Between our values and Python's.
namespace plimsoll::python {

namespace py = pybind11;

// dict, list, str, int, float, bool or None.
py::object to_python(const Json& value);

// Raises the exception of plimsoll._errors that stands for the error's kind.
[[noreturn]] void raise(const Error& error);

template <class T>
T value_or_raise(Result<T> result) {
    if (!result.ok()) raise(result.error());
    return std::move(result).value();
}

inline void check_or_raise(const Status& status) {
    if (!status.ok()) raise(status.error());
}

// Thrown by listener() where Python wants to stop; no std::exception, so that nobody takes it for a bug. The
// Python error is set.
struct Stopped {};

// Hears the progress of a calculation that runs without the GIL: looks for Ctrl-C, and calls `callback`(done,
// total) at most ten times a second unless it is None.
ProgressCallback listener(const py::object& callback);

// `work` without the GIL; what Python wanted to raise in between is raised.
template <class Work>
auto without_gil(const Work& work) {
    try {
        const py::gil_scoped_release released;
        return work();
    } catch (const Stopped&) {
        throw py::error_already_set();
    }
}

// The numbers as a NumPy array that owns them; nothing is copied.
py::object array_of(std::vector<double> values);
py::object array_of(std::vector<std::int64_t> values);
py::object array_of(std::vector<std::uint32_t> values);

}  // namespace plimsoll::python
