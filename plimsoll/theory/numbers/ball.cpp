#include "plimsoll/theory/numbers/ball.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/numbers/flint_headers.h"
#include "plimsoll/theory/numbers/flint_integer.h"

namespace plimsoll::theory {

namespace {

arb_struct* x(Ball& ball) { return static_cast<arb_struct*>(ball.raw()); }
const arb_struct* x(const Ball& ball) { return static_cast<const arb_struct*>(ball.raw()); }

// The result of `operation(out, bits)` at the larger of the two precisions.
template <class Operation>
Ball computed(int bits, Operation operation) {
    Ball out(bits);
    operation(x(out), static_cast<slong>(bits));
    return out;
}

int joint(const Ball& a, const Ball& b) { return std::max(a.bits(), b.bits()); }

// An arf that clears itself.
struct Float {
    Float() { arf_init(value); }
    ~Float() { arf_clear(value); }
    Float(const Float&) = delete;
    Float& operator=(const Float&) = delete;
    arf_t value;
};

std::string cut_zeros(std::string text) {
    const auto exponent = text.find('e');
    std::string tail = exponent == std::string::npos ? "" : text.substr(exponent);
    std::string head = text.substr(0, exponent);
    if (head.find('.') == std::string::npos) return tail.empty() ? head + ".0" : head + tail;
    head.erase(head.find_last_not_of('0') + 1);
    if (head.back() == '.') head += '0';
    return head + tail;
}

}  // namespace

std::string_view to_text(Verdict verdict) {
    switch (verdict) {
        case Verdict::proved:
            return "proved";
        case Verdict::refuted:
            return "refuted";
        case Verdict::undecided:
            return "undecided";
    }
    return "undecided";
}

Ball::Ball(int bits) : bits_(bits) {
    static_assert(sizeof(arb_struct) == arb_size, "Ball stores an arb in place");
    arb_init(x(*this));
}
Ball::Ball(std::int64_t value, int bits) : Ball(bits) { arb_set_si(x(*this), value); }
Ball::Ball(const Integer& value, int bits) : Ball(bits) {
    arb_set_round_fmpz(x(*this), as_fmpz(value), bits);
}
Ball::Ball(const Rational& value, int bits) : Ball(value.numerator(), bits) {
    if (!value.is_integer()) arb_div_fmpz(x(*this), x(*this), as_fmpz(value.denominator()), bits);
}
Ball::Ball(const Ball& other) : Ball(other.bits_) { arb_set(x(*this), x(other)); }
Ball& Ball::operator=(const Ball& other) {
    arb_set(x(*this), x(other));
    bits_ = other.bits_;
    return *this;
}
Ball::Ball(Ball&& other) noexcept : Ball(other.bits_) { arb_swap(x(*this), x(other)); }
Ball& Ball::operator=(Ball&& other) noexcept {
    arb_swap(x(*this), x(other));
    std::swap(bits_, other.bits_);
    return *this;
}
Ball::~Ball() { arb_clear(x(*this)); }

Ball Ball::from_double(double value, int bits) {
    return computed(bits, [&](auto* out, slong) { arb_set_d(out, value); });
}
Ball Ball::hull(const Ball& a, const Ball& b) {
    return computed(joint(a, b), [&](auto* out, slong prec) { arb_union(out, x(a), x(b), prec); });
}
Ball Ball::pi(int bits) {
    return computed(bits, [](auto* out, slong prec) { arb_const_pi(out, prec); });
}
Ball Ball::euler_e(int bits) {
    return computed(bits, [](auto* out, slong prec) { arb_const_e(out, prec); });
}
std::optional<Ball> Ball::from_text(std::string_view decimal, int bits) {
    Ball out(bits);
    if (arb_set_str(x(out), std::string(decimal).c_str(), bits) != 0) return std::nullopt;
    return out;
}

bool Ball::contains(const Ball& other) const { return arb_contains(x(*this), x(other)) != 0; }
bool Ball::contains(const Rational& value) const {
    fmpq_t q;
    fmpq_init(q);
    fmpq_set_fmpz_frac(q, as_fmpz(value.numerator()), as_fmpz(value.denominator()));
    const bool inside = arb_contains_fmpq(x(*this), q) != 0;
    fmpq_clear(q);
    return inside;
}
bool Ball::overlaps(const Ball& other) const { return arb_overlaps(x(*this), x(other)) != 0; }
bool Ball::is_finite() const { return arb_is_finite(x(*this)) != 0; }

double Ball::lower() const {
    Float end;
    arb_get_lbound_arf(end.value, x(*this), 64);
    return arf_get_d(end.value, ARF_RND_FLOOR);
}
double Ball::upper() const {
    Float end;
    arb_get_ubound_arf(end.value, x(*this), 64);
    return arf_get_d(end.value, ARF_RND_CEIL);
}
double Ball::middle() const { return arf_get_d(arb_midref(x(*this)), ARF_RND_NEAR); }
Ball Ball::lower_end() const {
    return computed(bits_, [&](auto* out, slong prec) {
        Float end;
        arb_get_lbound_arf(end.value, x(*this), prec);
        arb_set_arf(out, end.value);
    });
}
Ball Ball::upper_end() const {
    return computed(bits_, [&](auto* out, slong prec) {
        Float end;
        arb_get_ubound_arf(end.value, x(*this), prec);
        arb_set_arf(out, end.value);
    });
}
std::int64_t Ball::accuracy_bits() const { return arb_rel_accuracy_bits(x(*this)); }

std::string Ball::text(int digits) const {
    if (arb_is_zero(x(*this)) != 0) return "0.0";
    const std::unique_ptr<char, void (*)(void*)> raw_text(
        arb_get_str(x(*this), digits, ARB_STR_NO_RADIUS | ARB_STR_MORE), flint_free);
    return cut_zeros(raw_text.get());
}

std::optional<Integer> Ball::unique_integer() const {
    Integer out;
    if (arb_get_unique_fmpz(as_fmpz(out), x(*this)) == 0) return std::nullopt;
    return out;
}

std::optional<Integer> Ball::unique_floor() const {
    const Ball floored = computed(bits_, [&](auto* out, slong prec) { arb_floor(out, x(*this), prec); });
    return floored.unique_integer();
}

Integer Ball::middle_floor() const {
    Integer out;
    arf_get_fmpz(as_fmpz(out), arb_midref(x(*this)), ARF_RND_FLOOR);
    return out;
}

Ball operator+(const Ball& a, const Ball& b) {
    return computed(joint(a, b), [&](auto* out, slong prec) { arb_add(out, x(a), x(b), prec); });
}
Ball operator-(const Ball& a, const Ball& b) {
    return computed(joint(a, b), [&](auto* out, slong prec) { arb_sub(out, x(a), x(b), prec); });
}
Ball operator*(const Ball& a, const Ball& b) {
    return computed(joint(a, b), [&](auto* out, slong prec) { arb_mul(out, x(a), x(b), prec); });
}
Ball operator/(const Ball& a, const Ball& b) {
    return computed(joint(a, b), [&](auto* out, slong prec) { arb_div(out, x(a), x(b), prec); });
}
Ball operator-(const Ball& a) {
    return computed(a.bits(), [&](auto* out, slong) { arb_neg(out, x(a)); });
}
Ball log(const Ball& a) {
    return computed(a.bits(), [&](auto* out, slong prec) { arb_log(out, x(a), prec); });
}
Ball log1p(const Ball& a) {
    return computed(a.bits(), [&](auto* out, slong prec) { arb_log1p(out, x(a), prec); });
}
Ball exp(const Ball& a) {
    return computed(a.bits(), [&](auto* out, slong prec) { arb_exp(out, x(a), prec); });
}
Ball sqrt(const Ball& a) {
    return computed(a.bits(), [&](auto* out, slong prec) { arb_sqrt(out, x(a), prec); });
}
Ball cos(const Ball& a) {
    return computed(a.bits(), [&](auto* out, slong prec) { arb_cos(out, x(a), prec); });
}
Ball pow(const Ball& base, const Ball& exponent) {
    return computed(joint(base, exponent),
                    [&](auto* out, slong prec) { arb_pow(out, x(base), x(exponent), prec); });
}
Ball lgamma(const Ball& a) {
    return computed(a.bits(), [&](auto* out, slong prec) { arb_lgamma(out, x(a), prec); });
}
Ball abs(const Ball& a) {
    return computed(a.bits(), [&](auto* out, slong) { arb_abs(out, x(a)); });
}
Ball min(const Ball& a, const Ball& b) {
    return computed(joint(a, b), [&](auto* out, slong prec) { arb_min(out, x(a), x(b), prec); });
}
Ball max(const Ball& a, const Ball& b) {
    return computed(joint(a, b), [&](auto* out, slong prec) { arb_max(out, x(a), x(b), prec); });
}

Verdict less(const Ball& a, const Ball& b) {
    if (arb_lt(x(a), x(b)) != 0) return Verdict::proved;
    if (arb_ge(x(a), x(b)) != 0) return Verdict::refuted;
    return Verdict::undecided;
}

Ball log3(const Ball& a) { return log(a) / log(Ball(3, a.bits())); }

Ball log_add_exp(const Ball& a, const Ball& b) {
    const bool a_larger = a.middle() >= b.middle();
    const Ball& big = a_larger ? a : b;
    const Ball& small = a_larger ? b : a;
    return big + log1p(exp(small - big));
}

Verdict decide_less(const Real& a, const Real& b, int limit_bits) {
    for (int bits = 64; bits <= limit_bits; bits *= 2) {
        const Verdict verdict = less(a(bits), b(bits));
        if (verdict != Verdict::undecided) return verdict;
    }
    return Verdict::undecided;
}

Ball refine(const Real& value, int accuracy_bits, int limit_bits) {
    int bits = std::max(64, accuracy_bits + 32);
    Ball ball = value(bits);
    while (ball.accuracy_bits() < accuracy_bits && bits < limit_bits) {
        bits = std::min(2 * bits, limit_bits);
        ball = value(bits);
    }
    return ball;
}

}  // namespace plimsoll::theory
