#include "plimsoll/python/values.h"

#include <chrono>
#include <memory>
#include <string>

#include <pybind11/numpy.h>

namespace plimsoll::python {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds between_calls{100};

py::object dict_of(const Json& object) {
    py::dict dict;
    for (const auto& [key, value] : object.items()) dict[py::str(key)] = to_python(value);
    return dict;
}

py::object list_of(const Json& array) {
    py::list list;
    for (const auto& value : array) list.append(to_python(value));
    return list;
}

// File names may hold bytes that are not UTF-8.
py::object str_of(const std::string& text) {
    return py::reinterpret_steal<py::object>(
        PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

template <class T>
py::object owned_array(std::vector<T> values) {
    auto kept = std::make_unique<std::vector<T>>(std::move(values));
    const auto* data = kept.get();
    const py::capsule owner(kept.release(),
                            [](void* vector) { delete static_cast<std::vector<T>*>(vector); });
    return py::array_t<T>({data->size()}, {sizeof(T)}, data->data(), owner);
}

}  // namespace

py::object to_python(const Json& value) {
    switch (value.type()) {
        case Json::value_t::object:
            return dict_of(value);
        case Json::value_t::array:
            return list_of(value);
        case Json::value_t::string:
            return str_of(value.get_ref<const std::string&>());
        case Json::value_t::boolean:
            return py::bool_(value.get<bool>());
        case Json::value_t::number_integer:
            return py::int_(value.get<std::int64_t>());
        case Json::value_t::number_unsigned:
            return py::int_(value.get<std::uint64_t>());
        case Json::value_t::number_float:
            return py::float_(value.get<double>());
        default:
            return py::none();
    }
}

void raise(const Error& error) {
    const py::object made =
        py::module_::import("plimsoll._errors")
            .attr("error_of")(static_cast<int>(error.kind), str_of(error.where), str_of(error.text()));
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
    throw py::error_already_set();
}

ProgressCallback listener(const py::object& callback) {
    return [callback = callback.is_none() ? nullptr : callback.ptr(), last = Clock::time_point()](
               std::uint64_t done, std::uint64_t total) mutable {
        if (Clock::now() - last < between_calls) return;
        last = Clock::now();
        const py::gil_scoped_acquire acquired;
        if (PyErr_CheckSignals() != 0) throw Stopped{};
        if (callback == nullptr) return;
        PyObject* answer = PyObject_CallFunction(callback, "KK", static_cast<unsigned long long>(done),
                                                 static_cast<unsigned long long>(total));
        if (answer == nullptr) throw Stopped{};
        Py_DECREF(answer);
    };
}

py::object array_of(std::vector<double> values) { return owned_array(std::move(values)); }
py::object array_of(std::vector<std::int64_t> values) { return owned_array(std::move(values)); }
py::object array_of(std::vector<std::uint32_t> values) { return owned_array(std::move(values)); }

}  // namespace plimsoll::python
