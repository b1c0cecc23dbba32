#pragma once

#include <cstdint>

// Capacity in double precision, for scans over many shapes; capacity_enclosure.h has the certified numbers.
namespace plimsoll::theory::fast {

// C(L) = (3^L - 1) / 2, the Gram matrices that `depth` layers multiply.
double gram_factors(double depth);

// log_3 of the repaired bound for a balanced split of `context` positions. Relative error below 1e-8 for
// context >= 2 width; otherwise an estimate with the error of docs/measurements/theory.md; 0.2 to 7
// microseconds, 30 for an odd context below 24.
double capacity_log3(double depth, double width, double context);

// T(d, N), the depth at which a layer doubles capacity; agrees with knee_depth to 1e-9.
double knee_depth(double width, double context);

// ln of the degree of symmetric d x d matrices of rank <= q; 0 for q >= d.
double log_degree(double d, double q);

// An estimate of ln sum_{k <= K} h(d, q, k).
double log_cumulative_forms(double d, double q, double K);

}  // namespace plimsoll::theory::fast
