#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/audit/weights/head_ranks.h"
#include "plimsoll/audit/weights/weight_names.h"
#include "plimsoll/base/json.h"
#include "plimsoll/base/progress.h"
#include "plimsoll/base/result.h"
#include "plimsoll/formats/shape/model_shape.h"
#include "plimsoll/formats/tensor_table.h"
#include "plimsoll/rank/singular_values.h"

namespace plimsoll::audit {

// The spectrum of one matrix or product of a model.
//   value_output: sum over heads of W_O,h W_V,h, what the layer adds when every head looks at one and the
//   same
//     place; `heads` has the terms.
//   query_key: the bilinear forms W_Q,h^T W_K,h of all heads as one block-diagonal map: the spectrum is that
//     of all heads together, its rank at most heads * head_dim; `heads` has them one by one.
// Biases, the norms before the projections and rotary positions are left out.
struct WeightSpectrum {
    WeightRole role = WeightRole::matrix;
    std::string name;                   // the tensor, or what the layer's tensors share
    std::optional<std::int64_t> layer;  // the first number in the name
    std::vector<std::string> tensors;
    std::uint64_t rows = 0, cols = 0;  // of the matrix or of one head's product
    std::string dtype;                 // of the tensors: "BF16", or "BF16 F32" where they differ
    rank::Spectrum spectrum;
    std::optional<HeadRanks> heads;  // absent where the number of heads is not known
};

// What the weights of a model say, and what was left out.
struct WeightReport {
    std::vector<WeightSpectrum> spectra;  // embeddings, then layers in order
    std::vector<formats::NotAnalysed> not_analysed;
    std::uint64_t not_finite = 0;  // NaN and infinite values met; what holds them is in not_analysed
};

struct WeightOptions {
    std::uint64_t max_memory = std::uint64_t{2} << 30;  // bytes, besides OpenBLAS's own buffers
    int threads = 0;                                    // 0: as many as the machine has
    std::size_t max_layers = 0;  // attention layers, spread evenly from first to last; 0: all
};

// Spectra of the input embedding, of each layer's products and of mixing matrices, in bounded memory.
// Whatever cannot be analysed is in the report with its reason; an error means no LAPACK or an unreadable
// file.
Result<WeightReport> weight_spectra(const formats::TensorTable& table, const formats::ModelShape& shape,
                                    const WeightOptions& options = {}, const ProgressCallback& progress = {});

// Largest relative rounding error of an entry of this dtype as decode() gives it; the dtype must be
// decodable.
double roundoff_of(formats::Dtype dtype);

// At most `count` of the singular values, evenly by index, the largest and the smallest among them.
std::vector<double> sampled_values(const rank::Spectrum& spectrum, std::size_t count);

// The report for --json: each spectrum with at most 64 of its values.
Json to_json(const WeightReport& report);

}  // namespace plimsoll::audit
