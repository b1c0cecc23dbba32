#pragma once

#include <pybind11/pybind11.h>

namespace plimsoll::python {

// capacity_arrays(params, context, vocab, max_depth, certify, progress): the curve as columns.
void bind_capacity(pybind11::module_& module);

}  // namespace plimsoll::python
