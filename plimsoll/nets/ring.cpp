#include "plimsoll/nets/ring.h"

#include "plimsoll/base/check.h"

namespace plimsoll::nets {

IntegerRing::IntegerRing(std::int64_t bound) : bound_(bound) {
    PLIMSOLL_CHECK(bound >= 0 && bound < INT64_MAX / 2, "bound of random integers out of range");
}

Integer IntegerRing::add(Integer a, Integer b) const {
    Integer result = 0;
    PLIMSOLL_CHECK(!__builtin_add_overflow(a, b, &result), "integer sum exceeds 127 bits");
    return result;
}

Integer IntegerRing::subtract(Integer a, Integer b) const {
    Integer result = 0;
    PLIMSOLL_CHECK(!__builtin_sub_overflow(a, b, &result), "integer difference exceeds 127 bits");
    return result;
}

Integer IntegerRing::multiply(Integer a, Integer b) const {
    Integer result = 0;
    PLIMSOLL_CHECK(!__builtin_mul_overflow(a, b, &result), "integer product exceeds 127 bits");
    return result;
}

Integer IntegerRing::random(RandomStream& stream) const {
    const auto span = 2 * static_cast<std::uint64_t>(bound_) + 1;
    return static_cast<Integer>(stream.below(span)) - bound_;
}

}  // namespace plimsoll::nets
