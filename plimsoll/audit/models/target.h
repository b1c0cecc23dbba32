#pragma once

#include <optional>
#include <string>

#include "plimsoll/audit/models/zoo.h"
#include "plimsoll/formats/shape/model_shape.h"
#include "plimsoll/formats/tensor_table.h"

namespace plimsoll::audit {

// A model to audit: its shape, its tensors where there is a file of them, and where both came from.
struct Target {
    formats::ModelShape shape;
    std::optional<formats::TensorTable> tensors;  // absent for a zoo name or a config.json alone
    std::string source;                           // "zoo", or the files that were read
    const ZooRow* zoo = nullptr;                  // set for a zoo name
    bool described = true;                        // the shape is from a description, not from the tensors
    std::string decided = {};  // the sentence of the race that chose it on its own data; else empty
};

}  // namespace plimsoll::audit
