#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plimsoll/model/network.h"
#include "plimsoll/probe/torch/subject.h"
#include "plimsoll/rank/partition.h"

namespace plimsoll::probe {

// What one example of a network is made of, and the items of it that a partition divides: positions of a
// text or of vectors, patches of an image, entries of a matrix or of a flat vector.
struct ExampleShape {
    rank::SplitShape split;
    std::vector<std::int64_t> sizes;  // of the tensor of one example
    std::int64_t vocab = 0;           // ids are below it; 0: numbers
    arch::ImageInput image;           // when used, the items are its patches
};

// The examples of a spec's network; attention and transformers need `positions`, the others refuse them.
Result<ExampleShape> example_shape(const arch::ArchSpec& spec, std::optional<std::int64_t> positions);

// Some examples and where they come from.
struct Examples {
    model::Input input;
    ExampleShape shape;
    std::string source;  // in words
};

// `count` examples for the network, or as many as the data set has.
Result<Examples> draw_examples(const OpenSubject& subject, const InputSettings& settings, std::int64_t count,
                               torch::Device device);

// Normal numbers, or random ids: every id equally likely.
model::Input random_input(const ExampleShape& shape, std::int64_t count, std::uint64_t seed,
                          const std::string& name);

// Strings of tokens on the items of one side, no two alike: all there are, or `count` of them.
torch::Tensor distinct_strings(const ExampleShape& shape, const std::vector<bool>& side, std::int64_t count,
                               std::uint64_t seed, const std::string& name);

// True where an example's tensor belongs to side A.
torch::Tensor side_mask(const ExampleShape& shape, const std::vector<bool>& left);

// Example (i, j) has the values of `rows`' example i where `mask` is true and of `cols`' example j elsewhere;
// i runs slower.
model::Input joined(const model::Input& rows, const model::Input& cols, const torch::Tensor& mask);

// Examples first .. first + count - 1.
model::Input part_of(const model::Input& input, std::int64_t first, std::int64_t count);

// How many examples there are.
std::int64_t count_of(const model::Input& input);

// The same on a device.
model::Input on_device(const model::Input& input, torch::Device device);

}  // namespace plimsoll::probe
