#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "plimsoll/kernels/number.h"

// Cross-entropy of rows of logits, read as they are: no copy in float, no matrix of probabilities.
namespace plimsoll::kernels {

struct LogitsShape {
    Number number;
    std::int64_t rows;
    std::int64_t classes;
    std::int64_t stride;  // numbers from one row to the next, of the logits and of their gradient
};

// losses (rows) = logsumexp(row) - row[target] and logsumexp (rows); 0 for rows whose target is `ignored`.
void cross_entropy_forward(const LogitsShape& shape, const void* logits, const std::int64_t* targets,
                           std::int64_t ignored, float* losses, float* logsumexp, cudaStream_t stream);

// by_logits = gradient (rows) times (softmax - one at the target); zero for ignored rows and from column
// `classes` to `stride`.
void cross_entropy_backward(const LogitsShape& shape, const void* logits, const std::int64_t* targets,
                            std::int64_t ignored, const float* logsumexp, const float* gradient,
                            void* by_logits, cudaStream_t stream);

}  // namespace plimsoll::kernels
