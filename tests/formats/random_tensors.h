#pragma once

#include <string>
#include <vector>

#include "plimsoll/base/random.h"
#include "plimsoll/formats/tensor_table.h"

namespace plimsoll::testing {

// Random tensors with their data, a pure function of the seed.
struct RandomTensors {
    std::vector<std::string> data;  // owns the bytes
    std::vector<formats::TensorData> tensors;
};

// Up to `most` tensors of rank 0..4 with sizes `least_size`..4 and names beyond ASCII, of one of `types`.
inline RandomTensors random_tensors(RandomStream& random, std::size_t most, std::uint64_t least_size,
                                    const std::vector<formats::Dtype>& types) {
    RandomTensors out;
    out.data.resize(random.below(most + 1));
    for (std::string& data : out.data) {
        formats::TensorData tensor{.dtype = types[random.below(types.size())]};
        std::uint64_t elements = 1;
        for (std::uint64_t rank = random.below(5); rank > 0; --rank) {
            tensor.shape.push_back(least_size + random.below(5 - least_size));
            elements *= tensor.shape.back();
        }
        data.resize(elements * static_cast<std::uint64_t>(formats::bits_of(tensor.dtype)) / 8);
        for (char& byte : data) byte = static_cast<char>(random.below(256));
        tensor.name = "t\xC3\xA9\"" + std::to_string(out.tensors.size());
        tensor.bytes = std::as_bytes(std::span(data));
        out.tensors.push_back(std::move(tensor));
    }
    return out;
}

}  // namespace plimsoll::testing
