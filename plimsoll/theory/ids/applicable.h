#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plimsoll/arch/spec.h"
#include "plimsoll/theory/capacity/capacity_enclosure.h"
#include "plimsoll/theory/ids/formula.h"

namespace plimsoll::theory {

enum class Side { lower, upper };

// One bound on log_3 of the separation rank at the spec's numbers.
struct BoundRow {
    std::string id;
    Side side = Side::upper;
    Ball log3;
    Standing standing = Standing::conjectured;
    std::string erratum;
    std::string note;
    // May be relied on at these numbers: proved or repaired, or refuted in general but implied by a repaired
    // bound here.
    bool sound = true;
    bool tightest = false;
};

// A number that is not a bound but decides how to read them.
struct BoundFact {
    std::string name;
    std::string value;
    std::string note;
};

struct BoundTable {
    std::string subject;  // "attention, 12 layers x 768, 12 heads of 64"
    std::string reading;  // how a network that is trained is read as one that is analysed; may be empty
    bool takes_context = false;           // a mixer has its own size instead
    std::optional<std::int64_t> context;  // none: N >= 2d is taken
    std::vector<BoundFact> facts;
    std::vector<BoundRow> rows;

    // The tightest sound bound of a side, if there is one.
    [[nodiscard]] const BoundRow* tightest(Side side) const;
};

// Every bound that applies to the architecture; an `unsupported` error for families no bound speaks about.
Result<BoundTable> bounds_for(const arch::ArchSpec& spec, std::optional<std::int64_t> context);

}  // namespace plimsoll::theory
