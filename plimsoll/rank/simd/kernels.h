#pragma once

#include <cstddef>
#include <cstdint>

// The inner loops of entry construction, compiled once per instruction set and chosen when the program runs.
// A kernel evaluates one network on one row sample and many column samples. Column samples come in groups as
// wide as a register (`lanes`), number k of the samples of a group side by side. All numbers are balanced
// residues in doubles.
namespace plimsoll::rank {

struct Modulus {
    double p = 3, inverse = 1.0 / 3;
};

// Attention of depth L >= 1 in Gram form. A sample is packed as G (d x d), then step_1 = sum_h V_h G K_h (d x
// d); a row sample continues with x (d). The row's step holds the identity of a residual first layer.
struct GramProgram {
    Modulus modulus;
    std::size_t width = 1, depth = 1, heads = 1;
    std::size_t output = 0;  // the coordinate read
    bool residual = false;
    bool unit_values = false;  // one head, and V = I in all layers but the last
    // Layers 2 .. L-1: V_h, d x d each, then K as (d, H d): row j holds column j of K_1, .., K_H.
    const double* middle = nullptr;
    // Layer L: row `output` of V_h, then K_h (d x d), for every head.
    const double* last = nullptr;
};

// A net of squares as a list of nodes. The first `inputs` values are sums of the row's and the column's
// number; value i of the others is (sum of its terms), squared or not, plus the value `skip` if there is one.
struct SquareNode {
    std::uint32_t first = 0, last = 0;  // its terms
    bool square = true;
    std::int32_t skip = -1;
};
struct SquareTerm {
    double weight = 0;
    std::uint32_t value = 0;
};
struct SquareProgram {
    Modulus modulus;
    std::size_t inputs = 0, nodes = 0;  // the last node is the output
    const SquareNode* node = nullptr;
    const SquareTerm* term = nullptr;
};

// Entry (row, group * lanes + lane) for `groups` groups; `workspace` holds what workspace_size says, in
// doubles.
struct Kernels {
    const char* name;
    std::size_t lanes;
    void (*gram)(const GramProgram&, const double* row, const double* cols, std::size_t groups, double* out,
                 double* workspace);
    void (*square)(const SquareProgram&, const double* row, const double* cols, std::size_t groups,
                   double* out, double* workspace);
};

enum class Simd { plain, avx2, avx512 };

// The widest instruction set of this machine that we have kernels for.
Simd best_simd();
// Whether this machine can run them.
bool simd_runs(Simd simd);
// The kernels compiled for `simd`, which this machine must be able to run.
const Kernels& kernels_for(Simd simd);

std::size_t workspace_size(const GramProgram& program, std::size_t lanes);
std::size_t workspace_size(const SquareProgram& program, std::size_t lanes);

namespace simd {
extern const Kernels plain, avx2, avx512;
}

}  // namespace plimsoll::rank
