#include <array>

#include "plimsoll/theory/ids/status_tables.h"

namespace plimsoll::theory {

// A table, however long. NOLINTNEXTLINE(readability-function-size)
std::span<const ClaimStatus> navon_hayase_statuses() {
    using enum Standing;
    using enum ClaimKind;
    // id, standing, kind, scope, needs
    static constexpr std::array lines{
        ClaimStatus{"NAVON-SUPINF", defined, fact, "", ""},
        ClaimStatus{"NAVON-ORDER", defined, fact, "", ""},
        ClaimStatus{"NAVON-D3.1", defined, fact, "", ""},
        ClaimStatus{"NAVON-D3.2", defined, fact, "", ""},
        ClaimStatus{"NAVON-PERM", defined, fact, "", ""},
        ClaimStatus{"NAVON-L5.2", proved, fact, "", ""},
        ClaimStatus{"NAVON-L5.2iv", proved, upper, "", ""},
        ClaimStatus{"NAVON-L5.4", proved, upper, "", "row mixing"},
        ClaimStatus{"NAVON-L5.4-BINOM", proved, upper, "", "row mixing"},
        ClaimStatus{"NAVON-RECURSION", proved, upper, "", "n >= m"},
        ClaimStatus{"NAVON-RECURSION-ALT", proved, upper, "every mixer", ""},
        ClaimStatus{"NAVON-T5.1", proved, fact, "an order", "growing width"},
        ClaimStatus{"NAVON-T5.5", proved, upper, "", "H min(m,n)^2 >= 2"},
        ClaimStatus{"NAVON-T5.6", proved, upper, "", ""},
        ClaimStatus{"NAVON-T5.7", proved, lower, "almost all weights, no residuals", "odd m/H"},
        ClaimStatus{"NAVON-C5.8", proved, fact, "an order, at equal depths below log3 m", "growing width"},
        ClaimStatus{"NAVON-C5.8-GAP", proved, lower, "on a quotient of logarithms, below depth log3 m",
                    "odd m/H"},
        ClaimStatus{"NAVON-C5.9", refuted, fact, "its bounds do not give it; that networks differ is open",
                    ""},
        ClaimStatus{"NAVON-C5.9-FIRSTP", repaired, fact, "where the bounds show a gap", "odd m/H"},
        ClaimStatus{"NAVON-P5.10", refuted, fact, "with that base, of the bounds; every base below it holds",
                    ""},
        ClaimStatus{"NAVON-P5.10-BASE", proved, fact, "every base below it, by the mixers' upper bounds",
                    "growing width"},
        ClaimStatus{"NAVON-WINDOW", conjectured, fact,
                    "read off accuracies on CIFAR-10, CIFAR-100 and SVHN; elsewhere a hypothesis", ""},
        ClaimStatus{"HAYASE-VEC", proved, fact, "", ""},
        ClaimStatus{"HAYASE-COMM", proved, fact, "", ""},
        ClaimStatus{"HAYASE-WIDTH", proved, fact, "an identity", ""},
        ClaimStatus{"HAYASE-PK", defined, fact, "", ""},
        ClaimStatus{"HAYASE-OMEGA", conjectured, fact, "the form is inferred from a summary", ""},
        ClaimStatus{"HAYASE-MAXW", proved, upper, "reached at S = C", "the form of HAYASE-OMEGA"},
        ClaimStatus{"HAYASE-C-OF-S", proved, fact, "", "the form of HAYASE-OMEGA"},
        ClaimStatus{"HAYASE-NNZ", proved, fact, "an identity", ""},
        ClaimStatus{"HAYASE-DENSITY", proved, fact, "an identity", ""},
        ClaimStatus{"HAYASE-MONARCH", proved, fact, "without activations", ""},
        ClaimStatus{"HAYASE-PRINCIPLE", reported, fact, "from a summary; a conjecture as a general rule", ""},
    };
    return lines;
}

}  // namespace plimsoll::theory
