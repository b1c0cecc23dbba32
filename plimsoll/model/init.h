#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <torch/types.h>

#include "plimsoll/arch/spec.h"
#include "plimsoll/arch/tensors.h"
#include "plimsoll/base/result.h"
#include "plimsoll/model/network.h"

namespace plimsoll::model {

// One way to draw the first weights.
struct Initialisation {
    std::string name;
    std::string meaning;
    std::string source;
};

// Every name that BuildOptions::init takes.
const std::vector<Initialisation>& initialisations();

// The initialisation that `name` means for `spec`: "default" becomes the family's own; an unknown name and
// one that does not suit the family are errors.
Result<std::string> resolve_initialisation(const std::string& name, const arch::ArchSpec& spec);

// The first values of tensor `number` of `tensors`, the list of the spec, in double precision on the CPU,
// from the stream "init/" + its name. `init` is a resolved name.
at::Tensor initial_values(const std::vector<arch::TensorShape>& tensors, std::size_t number,
                          const arch::ArchSpec& spec, const std::string& init, const Scaling& scaling,
                          std::uint64_t seed);

// What a matrix is multiplied with whenever it is used: 1 / sqrt(inputs) under the NTK parametrisation,
// else 1.
double matrix_prefactor(const arch::TensorShape& tensor, const arch::ArchSpec& spec, const std::string& init);

}  // namespace plimsoll::model
