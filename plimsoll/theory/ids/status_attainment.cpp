#include <array>

#include "plimsoll/theory/ids/status_tables.h"

namespace plimsoll::theory {

std::span<const ClaimStatus> attainment_statuses() {
    using enum Standing;
    using enum ClaimKind;
    constexpr std::string_view reached = "for almost all weights, on continuous inputs";
    // id, standing, kind, scope, needs
    static constexpr std::array lines{
        ClaimStatus{"ATT-D1", proved, lower, reached, ""},
        ClaimStatus{"ATT-d1_int", proved, lower, reached, ""},
        ClaimStatus{"ATT-d1_log3", proved, lower, reached, ""},
        ClaimStatus{"ATT-D2", proved, lower, reached, "one head"},
        ClaimStatus{"ATT-d2_rho", proved, fact, "rank of a second derivative", "one head"},
        ClaimStatus{"ATT-d2_int", proved, lower, reached, "one head"},
        ClaimStatus{"ATT-d2_log3", proved, lower, reached, "one head"},
        ClaimStatus{"ATT-D2-H", proved, lower, reached, "H d_a >= d"},
        ClaimStatus{"ATT-d2h_rho_b", proved, lower, "on the rank of a second derivative", "H d_a >= d"},
        ClaimStatus{"ATT-d2h_rho_c", proved, lower, "on the rank of a second derivative", "H d_a >= d"},
        ClaimStatus{"ATT-d2_best_L0", defined, fact, "the L0 of the largest bound", ""},
        ClaimStatus{"ATT-d2_best_log3", proved, lower, reached, "H d_a >= d"},
        ClaimStatus{"ATT-D3", proved, lower, reached, "one head"},
        ClaimStatus{"ATT-d3_sum_int", proved, lower, reached, "one head"},
        ClaimStatus{"ATT-d3_canon_int", proved, lower, reached, "one head"},
        ClaimStatus{"ATT-d3_canon_log3", proved, lower, reached, "one head"},
        ClaimStatus{"ATT-R", proved, fact, "lower bounds, and kappa for N >= 2d", ""},
        ClaimStatus{"ATT-P", proved, fact, "lower bounds, for almost all positions too", ""},
        ClaimStatus{"ATT-E", proved, lower, reached, ""},
        ClaimStatus{"ATT-attained_log3", proved, lower, reached, ""},
    };
    return lines;
}

}  // namespace plimsoll::theory
