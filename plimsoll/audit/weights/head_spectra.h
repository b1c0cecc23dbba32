#pragma once

#include <functional>

#include "plimsoll/audit/weights/attention_weights.h"
#include "plimsoll/audit/weights/head_ranks.h"
#include "plimsoll/rank/singular_values.h"

namespace plimsoll::audit {

// Called after each head.
using HeadDone = std::function<void()>;

// One layer's product: the spectrum WeightSpectrum describes, and the heads one by one.
struct ProductSpectra {
    rank::Spectrum spectrum;
    HeadRanks heads;
};

// Both factors' entries were rounded with relative error `roundoff`.
ProductSpectra query_key_spectra(const QueryKey& weights, const HeadCounts& counts, double roundoff,
                                 const HeadDone& done);
ProductSpectra value_output_spectra(const ValueOutput& weights, const HeadCounts& counts, double roundoff,
                                    const HeadDone& done);

// Bytes the calculations above hold at most besides the weights, for maps of a rows x cols product.
double query_key_work_bytes(std::size_t rows, std::size_t cols, const HeadCounts& counts);
double value_output_work_bytes(std::size_t rows, std::size_t cols, const HeadCounts& counts);

}  // namespace plimsoll::audit
