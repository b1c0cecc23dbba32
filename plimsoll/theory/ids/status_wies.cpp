#include <array>

#include "plimsoll/theory/ids/status_tables.h"

namespace plimsoll::theory {

// A table, however long. NOLINTNEXTLINE(readability-function-size)
std::span<const ClaimStatus> wies_statuses() {
    using enum Standing;
    using enum ClaimKind;
    // id, standing, kind, scope, needs
    static constexpr std::array lines{
        ClaimStatus{"WIES-EMB-VOCAB", defined, fact, "", ""},
        ClaimStatus{"WIES-EMB-CONV", defined, fact, "", ""},
        ClaimStatus{"WIES-LAYER", defined, fact, "", ""},
        ClaimStatus{"WIES-CONV-V", defined, fact, "", ""},
        ClaimStatus{"WIES-RANK", proved, upper, "on the rank of the embedding", ""},
        ClaimStatus{
            "WIES-RATIO", reported, fact,
            "the ratio is a definition; that above 1 it wastes parameters was measured on 30 M to 70 M", ""},
        ClaimStatus{"WIES-REDUNDANCY", reported, fact, "measured by its authors on 30 M to 70 M parameters",
                    ""},
        ClaimStatus{"WIES-PARAMS", conjectured, fact, "inferred from the sizes of table 5", ""},
        ClaimStatus{"WIES-T3", refuted, upper, "", ""},
        ClaimStatus{"WIES-T4", refuted, upper, "", ""},
        ClaimStatus{"WIES-T3-TIGHT", refuted, upper, "", ""},
        ClaimStatus{"WIES-T1", refuted, upper, "", ""},
        ClaimStatus{"WIES-T1-CLOSED", refuted, upper, "", ""},
        ClaimStatus{"FIX-WIES", repaired, upper,
                    "tokens without positions; that networks reach it is conjectured", ""},
        ClaimStatus{"WIES-T2", proved, lower,
                    "an order, not a number; almost all weights; heads and N as in WIES-LOWER-VOCAB",
                    "large heads and N"},
        ClaimStatus{"WIES-LOWER-CONV", proved, lower, "almost all weights, no patch split", "odd r/H <= d_a"},
        ClaimStatus{"WIES-LOWER-VOCAB", proved, lower,
                    "almost all weights, floor((r-1-H)/2) <= H floor((d_a-1)/2), V >= r, N as in WIES-L7-N",
                    "large heads and N"},
        ClaimStatus{"WIES-L6", proved, fact, "almost all weights, no patch split", "odd r/H <= d_a"},
        ClaimStatus{"WIES-L6-V", proved, fact, "enough, not necessary", "odd r/H <= d_a"},
        ClaimStatus{"WIES-L7-N", proved, fact,
                    "enough, not necessary; floor((r-1-H)/2) <= H floor((d_a-1)/2)", "large heads"},
        ClaimStatus{"WIES-CONJ-N", conjectured, fact, "with positions; without them it is false", ""},
        ClaimStatus{"WIES-L4", refuted, lower, "the sign is turned", ""},
        ClaimStatus{"WIES-L4-TRUE", repaired, lower, "on a multiset coefficient", ""},
        ClaimStatus{"WIES-L8", proved, fact, "", ""},
        ClaimStatus{"WIES-DEPTH", conjectured, fact, "a prediction with the authors' measurements", ""},
        ClaimStatus{"WIES-RECIPE", reported, fact, "", ""},
        ClaimStatus{"WIES-LR", reported, fact, "", ""},
        ClaimStatus{"WIES-TAB1", reported, fact, "", ""},
        ClaimStatus{"WIES-TAB2", reported, fact, "", ""},
        ClaimStatus{"WIES-TAB3", reported, fact, "", ""},
        ClaimStatus{"WIES-TAB4", reported, fact, "", ""},
        ClaimStatus{"WIES-TAB5", reported, fact, "", ""},
    };
    return lines;
}

}  // namespace plimsoll::theory
