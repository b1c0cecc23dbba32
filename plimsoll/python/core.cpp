#include <string>
#include <vector>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "plimsoll/base/text.h"
#include "plimsoll/cli/answer.h"
#include "plimsoll/python/capacity_arrays.h"
#include "plimsoll/python/tokenizer.h"
#include "plimsoll/python/values.h"

namespace plimsoll::python {
namespace {

// The document of `plimsoll WORDS --json` and what was assumed for it.
py::tuple answer(const std::vector<std::string>& words, const py::object& progress) {
    const auto tell = listener(progress);
    const auto given = value_or_raise(without_gil([&] { return cli::answer(words, tell); }));
    py::list notes;
    for (const auto& note : given.notes) notes.append(note);
    return py::make_tuple(to_python(given.document), notes);
}

std::int64_t count_of(const std::string& text, const std::string& where) {
    return value_or_raise(parse_count(text, where));
}

}  // namespace
}  // namespace plimsoll::python

PYBIND11_MODULE(_core, module) {
    module.doc() = "The C++ part of plimsoll; use the functions of the package.";
    module.attr("version") = PLIMSOLL_VERSION;
    module.def("answer", &plimsoll::python::answer, pybind11::arg("words"), pybind11::arg("progress"));
    module.def("count_of", &plimsoll::python::count_of, pybind11::arg("text"), pybind11::arg("where"));
    plimsoll::python::bind_capacity(module);
    plimsoll::python::bind_tokenizer(module);
}
