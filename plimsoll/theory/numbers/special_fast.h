#pragma once

// Double-precision special functions for scans and for choosing what the certified code then proves.
namespace plimsoll::theory::fast {

// ln(e^a + e^b).
double log_add(double a, double b);
// ln Gamma(x), x > 0, safe in threads.
double log_gamma(double x);
// ln ((n, k)), also without cancellation for k far above n.
double log_multiset(double n, double k);
// ln G(1 + z) of Barnes' function and its first two derivatives, z >= 0.
double log_barnes_g1(double z);
double log_barnes_g1_slope(double z);
double log_barnes_g1_curvature(double z);
// psi(x) and psi'(x), x > 0.
double digamma(double x);
double trigamma(double x);

}  // namespace plimsoll::theory::fast
