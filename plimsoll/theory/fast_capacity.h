#pragma once

#include <cstdint>

// Capacity in double precision, for scans over many shapes; capacity_enclosure.h has the certified numbers.
namespace plimsoll::theory::fast {

// log_3 of the repaired bound for a balanced split of `context` positions. Relative error below 1e-8 for
// context >= 2 width; otherwise at most 3 % outside the certified enclosure from width 64 on and 10 % from 16
// on; 0.2 to 3 microseconds (docs/measurements).
double capacity_log3(double depth, double width, double context);

// T(d, N), the depth at which capacity stops tripling per layer; agrees with knee_depth to 1e-9.
double knee_depth(double width, double context);

// ln of the degree of symmetric d x d matrices of rank <= q; 0 for q >= d.
double log_degree(double d, double q);

}  // namespace plimsoll::theory::fast
