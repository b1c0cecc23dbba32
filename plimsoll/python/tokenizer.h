#pragma once

#include <pybind11/pybind11.h>

namespace plimsoll::python {

// The class Tokenizer: byte-level BPE, trained, read, and applied.
void bind_tokenizer(pybind11::module_& module);

}  // namespace plimsoll::python
