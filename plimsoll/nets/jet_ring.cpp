#include "plimsoll/nets/jet_ring.h"

namespace plimsoll::nets {

Jet JetRing::add(const Jet& a, const Jet& b) const {
    return {field_.add(a.constant, b.constant), field_.add(a.s, b.s), field_.add(a.t, b.t),
            field_.add(a.st, b.st)};
}

Jet JetRing::subtract(const Jet& a, const Jet& b) const {
    return {field_.subtract(a.constant, b.constant), field_.subtract(a.s, b.s), field_.subtract(a.t, b.t),
            field_.subtract(a.st, b.st)};
}

Jet JetRing::multiply(const Jet& a, const Jet& b) const {
    if (a == Jet{} || b == Jet{}) return {};  // weights are sparse
    const auto times = [&](std::uint64_t x, std::uint64_t y) { return field_.multiply(x, y); };
    const auto both = field_.add(times(a.s, b.t), times(a.t, b.s));
    return {times(a.constant, b.constant), field_.add(times(a.constant, b.s), times(a.s, b.constant)),
            field_.add(times(a.constant, b.t), times(a.t, b.constant)),
            field_.add(both, field_.add(times(a.constant, b.st), times(a.st, b.constant)))};
}

}  // namespace plimsoll::nets
