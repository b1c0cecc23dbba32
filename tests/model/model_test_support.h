#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "plimsoll/model/network.h"

namespace plimsoll::model {

// The network of a spec text in double precision; throws when it cannot be built.
std::unique_ptr<Network> built(const std::string& text, const std::string& init = "fan-in",
                               double dropout = 0);
std::unique_ptr<Network> built(const arch::ArchSpec& spec, const std::string& init = "fan-in",
                               double dropout = 0);

// Whether the spec has few enough parameters and FLOPs for a test; some drawn ones have large images.
bool is_small(const arch::ArchSpec& spec);

// A random input that fits the spec, a pure function of the arguments.
Input sample_input(const arch::ArchSpec& spec, std::int64_t batch, std::uint64_t seed);

// The parameter or buffer of that name; throws when there is none.
torch::Tensor parameter(const Network& network, const std::string& name);
torch::Tensor buffer(const Network& network, const std::string& name);

// Overwrites a parameter.
void set(const Network& network, const std::string& name, const torch::Tensor& values);

// Overwrites every parameter of `to` that has a namesake of the same shape in `from`.
void copy_namesakes(const Network& from, const Network& to);

// A row-major matrix of doubles.
torch::Tensor matrix(const std::vector<std::vector<double>>& rows);

// Normal numbers in double precision, a pure function of the arguments.
torch::Tensor normal(std::vector<std::int64_t> shape, std::uint64_t seed);

// The largest difference between two tensors of one shape; infinite for different shapes.
double difference(const torch::Tensor& a, const torch::Tensor& b);

}  // namespace plimsoll::model
