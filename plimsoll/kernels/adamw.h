#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "plimsoll/kernels/number.h"

// AdamW on the flat parameters of a stack, rows of one run each, in one pass over them.
namespace plimsoll::kernels {

// The settings of a run, on the device.
struct AdamWRun {
    float beta1, beta2, epsilon, decay;
    float clip;  // largest norm of the gradient; 0: none
    int active;  // 0: nothing of the run changes
};

// A part of every row with scales of its own, side by side from the first number to the last.
struct AdamWPart {
    std::int64_t end;  // one past its last number
    float rate, epsilon, decay;
};

// Rows of `size` numbers; strides are in numbers.
struct AdamWRows {
    int runs, parts;
    std::int64_t size, stride, memory_stride, gradient_stride, copy_stride;  // memory: first and second
    Number gradient;
};

// What a step reads and changes, all on the device.
struct AdamWState {
    float *values, *first, *second;  // (runs, size)
    const void* gradients;           // (runs, size)
    void* copy;                      // (runs, size) values rounded to bf16; may be null
    const double *rates, *steps;     // (runs): learning rate; updates made, this one among them
    const float* norms;              // (runs): of the gradients
    const AdamWRun* settings;        // (runs)
    const AdamWPart* parts;
};

// A gradient whose norm n is above clip is scaled by clip / (n + 1e-6).
void adamw(const AdamWRows& rows, const AdamWState& state, cudaStream_t stream);

}  // namespace plimsoll::kernels
