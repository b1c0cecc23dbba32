#pragma once

#include "plimsoll/advise/advice_request.h"

// Capacity of a layout in double precision, and the lines that depths are measured against.
namespace plimsoll::advise {

// log_3 of the repaired bound: attention at this context, and no more than the input's rank allows (R7); for
// a mixer the bound on S C / 2 entries, two layers a block.
double layout_capacity(const AdviceRequest& request, const Layout& layout);

// T in layers: T(d, N) of attention; log_2(S C / e) of a mixer, two layers a block.
double layout_knee(const AdviceRequest& request, const Layout& layout);

// What the depth is compared with: the best depth of its size for a transformer (load_line.h), log_2 C for a
// mixer (Navon's window).
double layout_line(const AdviceRequest& request, const Layout& layout);

// Rank r of the input: vocabulary, factorised table or patch, at most the width.
std::int64_t input_rank(const AdviceRequest& request, const Layout& layout);

// Whether the input's rank is at least half the width: three quarters of the Gram entries stay free (R7).
bool rank_suffices(const AdviceRequest& request, const Layout& layout);

// delta / D with full-rank positions: 1 at r = d, 0.75 at r = d/2 (R7).
double rank_share(const AdviceRequest& request, const Layout& layout);

// floor(N/2) log_3 V; none without a vocabulary.
std::optional<double> string_cap(const AdviceRequest& request);

// log_3 of S(n; w) with C Gram factors, in doubles; theory::staircase_log3 is the certified one.
double fast_staircase_log3(double gram_factors, double entries, double outputs);

// log_3 of the mixer bound on n m = 2 k entries at p layers, in doubles.
double fast_mixer_log3(double entries_per_side, double layers);

}  // namespace plimsoll::advise
