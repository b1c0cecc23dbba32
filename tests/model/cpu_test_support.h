#pragma once

#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "tests/model/model_test_support.h"

namespace plimsoll::model {

// What an operation gives, and its gradients along a direction.
inline std::vector<at::Tensor> outcome(const auto& operation, const std::vector<at::Tensor>& inputs,
                                       const at::Tensor& direction, at::ScalarType dtype) {
    std::vector<at::Tensor> leaves;
    for (const at::Tensor& input : inputs) leaves.push_back(input.to(dtype).detach().requires_grad_(true));
    std::vector<at::Tensor> result{operation(leaves)};
    for (const auto& one : torch::autograd::grad({result[0]}, leaves, {direction.to(dtype)}))
        result.push_back(one);
    return result;
}

// Ours in double and in float against LibTorch's in double, relative to the largest number of each.
inline void expect_same(const auto& ours, const auto& theirs, const std::vector<at::Tensor>& inputs,
                        const at::Tensor& direction, const std::string& what) {
    const auto wanted = outcome(theirs, inputs, direction, at::kDouble);
    for (const auto& [dtype, tolerance] : {std::pair{at::kDouble, 1e-13}, {at::kFloat, 3e-6}}) {
        const auto got = outcome(ours, inputs, direction, dtype);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            ASSERT_EQ(got[i].sizes(), wanted[i].sizes()) << what;
            const double size = 1 + wanted[i].abs().max().template item<double>();
            EXPECT_LE(difference(got[i].to(at::kDouble), wanted[i]), tolerance * size)
                << what << ", " << dtype << ", " << (i == 0 ? "value" : "gradient " + std::to_string(i - 1));
        }
    }
}

// One, two and three threads give the same bits.
inline void expect_same_bits(const auto& operation, const std::vector<at::Tensor>& inputs,
                             const at::Tensor& direction, at::ScalarType dtype = at::kFloat) {
    const int before = at::get_num_threads();
    at::set_num_threads(1);
    const auto alone = outcome(operation, inputs, direction, dtype);
    for (const int threads : {2, 3}) {
        at::set_num_threads(threads);
        const auto together = outcome(operation, inputs, direction, dtype);
        for (std::size_t i = 0; i < alone.size(); ++i)
            EXPECT_TRUE(at::equal(alone[i], together[i])) << threads << " threads, " << i;
    }
    at::set_num_threads(before);
}

}  // namespace plimsoll::model
