#pragma once

#include "plimsoll/arch/spec.h"
#include "plimsoll/arch/tensors.h"

// What a tensor is to a network whose width and depth grow: a row of the table of parameterization.h.
namespace plimsoll::run {

enum class TensorKind {
    input,          // from a size that stays to the width, and vectors outside the branches
    output,         // from the width to a size that stays
    hidden,         // from width to width, outside the branches
    narrowing,      // from the width to a rank with a norm behind it
    branch_matrix,  // from width to width, in a residual branch
    branch_vector,  // bias or norm in a residual branch
    head_norm,      // norm of queries or keys that all heads share
    stream_norm,    // norm of the residual stream itself after every sum (norm_order=post)
    token_mixing,   // shared by all channels, of sizes that the data give (mixers)
    score_table,    // added to the scores of a head, shared by all layers
    fixed,          // of sizes that stay
};

// The kind of a tensor of a transformer, a mixer or an mlp.
TensorKind tensor_kind(const arch::TensorShape& tensor, const arch::ArchSpec& spec);

// Whether the last dimension of a tensor grows with the width.
bool has_wide_columns(const arch::TensorShape& tensor, const arch::ArchSpec& spec);

// Whether the token table is also the matrix that reads the width at the output.
bool is_output_too(const arch::TensorShape& tensor, const arch::ArchSpec& spec);

}  // namespace plimsoll::run
