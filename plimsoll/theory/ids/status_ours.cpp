#include <array>

#include "plimsoll/theory/ids/status_tables.h"

namespace plimsoll::theory {

// A table, however long. NOLINTNEXTLINE(readability-function-size)
std::span<const ClaimStatus> our_statuses() {
    using enum Standing;
    using enum ClaimKind;
    constexpr std::string_view reach = "that networks reach it is conjectured";
    // id, standing, kind, scope, needs
    static constexpr std::array lines{
        ClaimStatus{"counting", proved, upper, "independent functions of either side", ""},
        ClaimStatus{"FIX-T4", repaired, upper, reach, ""},
        ClaimStatus{"FIX-HSYM", proved, fact, "an identity", ""},
        ClaimStatus{"ERR-GROUPING", refuted, fact, "", ""},
        ClaimStatus{"ERR-COUNTEREXAMPLE", proved, fact, "exact, both halves of at least d positions", ""},
        ClaimStatus{"CAP-kappa_full", repaired, upper, reach, ""},
        ClaimStatus{"CAP-bound_full_int", repaired, upper, reach, ""},
        ClaimStatus{"CAP-S_bound_int", repaired, upper, reach, ""},
        ClaimStatus{"CAP-pos_bound_int", repaired, upper, reach, ""},
        ClaimStatus{"CAP-hvec", repaired, fact, "an identity", ""},
        ClaimStatus{"CAP-degree_int", repaired, fact, "an identity", ""},
        ClaimStatus{"CAP-ln_degree", repaired, fact, "an identity", ""},
        ClaimStatus{"CAP-hilbert_int", repaired, fact, "an identity", ""},
        ClaimStatus{"CAP-dimA_int", repaired, fact, "an identity", ""},
        ClaimStatus{"CAP-bound_int", repaired, upper, reach, ""},
        ClaimStatus{"CAP-enclosure", proved, fact, "contains the bound; the double version is a heuristic",
                    ""},
        ClaimStatus{"CAP-heads_bound_int", repaired, upper, reach, ""},
        ClaimStatus{"CAP-heads_layers_lost_limit", repaired, upper,
                    "what the bound loses, to leading order in the deep limit; that networks lose it is "
                    "conjectured",
                    ""},
        ClaimStatus{"CAP-defect_L3_j7_rank1_points", proved, lower, "on what L = 3, H = 1 falls short by",
                    ""},
        ClaimStatus{"CAP-T_knee", repaired, upper,
                    "a feature of the bound; that ranks follow it is conjectured, measured for d <= 4", ""},
        ClaimStatus{"CAP-string_cap_log3", proved, upper, "and that the bound stays below it before L_sat",
                    ""},
        ClaimStatus{"CAP-L_sat", conjectured, fact,
                    "that networks reach the cap at L_sat; not before is proved", ""},
        ClaimStatus{"CAP-mixer_rows_int", repaired, upper, "that splits by rows reach it is conjectured", ""},
        ClaimStatus{"CAP-mixer_cols_int", repaired, upper, "not always reached: 653 of 660 at 2 x 8, p = 4",
                    ""},
        ClaimStatus{
            "ADVICE-R2", measured, fact,
            "the bound: its limit (P/24)(1 - T/L) is proved, that it rises is computed for 10^7 to 10^12",
            ""},
        ClaimStatus{"ADVICE-R3", reported, fact,
                    "fitted to the losses of 4 studies, 53 K to 1.8 B parameters; each left out once", ""},
        ClaimStatus{"SCOPE", defined, fact, "what the theorems are about", ""},
        ClaimStatus{"COUNT", defined, fact, "a count by docs/COUNTING.md", ""},
    };
    return lines;
}

}  // namespace plimsoll::theory
