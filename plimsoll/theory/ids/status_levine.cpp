#include <array>

#include "plimsoll/theory/ids/status_tables.h"

namespace plimsoll::theory {

// A table, however long. NOLINTNEXTLINE(readability-function-size)
std::span<const ClaimStatus> levine_statuses() {
    using enum Standing;
    using enum ClaimKind;
    // id, standing, kind, scope, needs
    static constexpr std::array lines{
        ClaimStatus{"SEP-DEF", defined, fact, "", ""},
        ClaimStatus{"SEP-GRID", proved, fact, "", ""},
        ClaimStatus{"SEP-GENERIC", proved, fact, "", ""},
        ClaimStatus{"LEVINE-CLAIM1", proved, fact, "no positional term", ""},
        ClaimStatus{"MULTISET", defined, fact, "", ""},
        ClaimStatus{"LEVINE-C", proved, fact, "", ""},
        ClaimStatus{"LEVINE-PARAMS", defined, fact, "", ""},
        ClaimStatus{"LEVINE-TH", refuted, fact, "as a limit of depth efficiency; log3 of the width it is",
                    ""},
        ClaimStatus{"LEVINE-REGIME", defined, fact, "", ""},
        ClaimStatus{"LEVINE-T3", proved, upper, "all weights, every partition", ""},
        ClaimStatus{"LEVINE-T1-UPPER", proved, upper, "all weights, every partition", ""},
        ClaimStatus{"LEVINE-T4", refuted, upper, "holds for two positions", ""},
        ClaimStatus{"LEVINE-T2-UPPER", refuted, upper, "", ""},
        ClaimStatus{"LEVINE-MS-LOWER", proved, lower, "almost all weights, balanced split", "odd d_a"},
        ClaimStatus{"LEVINE-MS-CONSTRUCT", repaired, lower, "almost all weights, balanced split, every d_a",
                    ""},
        ClaimStatus{"LEVINE-MID-K", proved, lower,
                    "as a bound on the multiset coefficient; on ranks for odd d_a", ""},
        ClaimStatus{"LEVINE-MID-N", proved, lower,
                    "as a bound on the multiset coefficient; on ranks for odd d_a", "an integer (dx-H)/2"},
        ClaimStatus{"LEVINE-T1-LOWER", proved, lower, "almost all weights, balanced split", "odd d_a"},
        ClaimStatus{"LEVINE-T1-LOWER-EXACT", proved, lower, "almost all weights, balanced split", "odd d_a"},
        ClaimStatus{"LEVINE-T2-LOWER", proved, lower, "almost all weights, balanced split", "odd d_a"},
        ClaimStatus{"LEVINE-L2", proved, upper, "on products of multiset coefficients", ""},
        ClaimStatus{"LEVINE-L3", proved, upper, "on a multiset coefficient", ""},
        ClaimStatus{"LEVINE-MSMAX", proved, lower, "on a multiset coefficient", ""},
        ClaimStatus{"LEVINE-HADAMARD", proved, fact, "upper bound, and rows that reach it", ""},
        ClaimStatus{"LEVINE-LAYER", defined, fact, "", ""},
        ClaimStatus{"LEVINE-BERT-LAYER", defined, fact, "", ""},
        ClaimStatus{"LEVINE-GRAM", proved, fact, "", ""},
        ClaimStatus{"LEVINE-LEMMA1", proved, fact, "", ""},
        ClaimStatus{"LEVINE-L4", repaired, fact, "the corrected construction, entry by entry", "odd d_a"},
        ClaimStatus{"LEVINE-L5", proved, fact, "", ""},
        ClaimStatus{"LEVINE-L6", proved, fact, "", ""},
        ClaimStatus{"LEVINE-NUM", reported, fact, "", ""},
        ClaimStatus{"LEVINE-COR1", proved, lower, "on the width, by the lower bound chosen", "odd d_a"},
        ClaimStatus{"LEVINE-COR2", proved, fact, "by the repaired bounds; the printed proof fails", "H >= 2"},
        ClaimStatus{"LEVINE-COR2-BETA1", defined, fact, "", ""},
        ClaimStatus{"LEVINE-COR2-BETA2", refuted, fact, "uses the upper half of theorem 2", ""},
        ClaimStatus{"LEVINE-TAB1", refuted, fact, "by its own rule", ""},
        ClaimStatus{"LEVINE-TAB1-REAL", defined, fact, "", ""},
        ClaimStatus{"LEVINE-TAB1-ROUND", reported, fact, "", ""},
        ClaimStatus{"LEVINE-TAB1-CEIL", repaired, fact, "what the stated rule wants", ""},
        ClaimStatus{"LOAD-LINE", reported, fact, "a fit to decoders of text, 6 to 48 layers", ""},
    };
    return lines;
}

}  // namespace plimsoll::theory
