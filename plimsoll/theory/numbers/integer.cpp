#include "plimsoll/theory/numbers/integer.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <utility>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/numbers/flint_headers.h"
#include "plimsoll/theory/numbers/flint_integer.h"

namespace plimsoll::theory {

static_assert(sizeof(fmpz) == sizeof(std::int64_t), "Integer stores an fmpz in place");

namespace {}  // namespace

Integer::Integer(std::int64_t value) { fmpz_init_set_si(as_fmpz(*this), value); }
Integer::Integer(const Integer& other) { fmpz_init_set(as_fmpz(*this), as_fmpz(other)); }
Integer::Integer(Integer&& other) noexcept : handle_(std::exchange(other.handle_, 0)) {}
Integer& Integer::operator=(const Integer& other) {
    fmpz_set(as_fmpz(*this), as_fmpz(other));
    return *this;
}
Integer& Integer::operator=(Integer&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
}
Integer::~Integer() { fmpz_clear(as_fmpz(*this)); }

std::optional<Integer> Integer::from_text(std::string_view decimal) {
    std::string_view digits = decimal;
    if (!digits.empty() && digits.front() == '-') digits.remove_prefix(1);
    const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
    if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit)) return std::nullopt;
    Integer value;
    if (fmpz_set_str(as_fmpz(value), std::string(decimal).c_str(), 10) != 0) return std::nullopt;
    return value;
}

Integer& Integer::operator+=(const Integer& other) {
    fmpz_add(as_fmpz(*this), as_fmpz(*this), as_fmpz(other));
    return *this;
}
Integer& Integer::operator-=(const Integer& other) {
    fmpz_sub(as_fmpz(*this), as_fmpz(*this), as_fmpz(other));
    return *this;
}
Integer& Integer::operator*=(const Integer& other) {
    fmpz_mul(as_fmpz(*this), as_fmpz(*this), as_fmpz(other));
    return *this;
}

Integer floor_div(const Integer& a, const Integer& b) {
    PLIMSOLL_CHECK(b != 0, "division by zero");
    Integer out;
    fmpz_fdiv_q(as_fmpz(out), as_fmpz(a), as_fmpz(b));
    return out;
}

Integer exact_div(const Integer& a, const Integer& b) {
    PLIMSOLL_CHECK(b != 0, "division by zero");
    Integer out;
    fmpz_divexact(as_fmpz(out), as_fmpz(a), as_fmpz(b));
    return out;
}

Integer mod(const Integer& a, const Integer& modulus) {
    PLIMSOLL_CHECK(modulus > 0, "the modulus must be positive");
    Integer out;
    fmpz_mod(as_fmpz(out), as_fmpz(a), as_fmpz(modulus));
    return out;
}

Integer pow(const Integer& base, std::uint64_t exponent) {
    Integer out;
    fmpz_pow_ui(as_fmpz(out), as_fmpz(base), exponent);
    return out;
}

std::strong_ordering operator<=>(const Integer& a, const Integer& b) {
    return fmpz_cmp(as_fmpz(a), as_fmpz(b)) <=> 0;
}

std::string Integer::text() const {
    const std::unique_ptr<char, void (*)(void*)> digits(fmpz_get_str(nullptr, 10, as_fmpz(*this)),
                                                        flint_free);
    return digits.get();
}

bool Integer::fits_int64() const { return fmpz_fits_si(as_fmpz(*this)) != 0; }

std::int64_t Integer::to_int64() const {
    PLIMSOLL_CHECK(fits_int64(), "integer does not fit in 64 bits");
    return fmpz_get_si(as_fmpz(*this));
}

double Integer::to_double() const { return fmpz_get_d(as_fmpz(*this)); }

std::int64_t Integer::bits() const { return static_cast<std::int64_t>(fmpz_bits(as_fmpz(*this))); }

Integer power_of_three(std::int64_t exponent) {
    PLIMSOLL_CHECK(exponent >= 0, "a negative power of three is not an integer");
    return pow(Integer(3), static_cast<std::uint64_t>(exponent));
}

Integer gram_count(std::int64_t depth) { return exact_div(power_of_three(depth) - 1, 2); }

namespace {

// first (first + 1) ... (first + count - 1), by halves so that the factors stay balanced.
Integer rising_product(const Integer& first, std::int64_t count) {
    if (count <= 8) {
        Integer out = 1;
        for (std::int64_t i = 0; i < count; ++i) out *= first + i;
        return out;
    }
    return rising_product(first, count / 2) * rising_product(first + count / 2, count - count / 2);
}

}  // namespace

Integer binomial(const Integer& n, const Integer& k) {
    PLIMSOLL_CHECK(k >= 0, "binomial needs k >= 0");
    if (n < 0 || k > n) return 0;
    const Integer smaller = std::min(k, n - k);
    PLIMSOLL_CHECK(smaller.fits_int64(), "binomial too large to write out");
    const std::int64_t count = smaller.to_int64();
    if (n.fits_int64()) {
        Integer out;
        fmpz_bin_uiui(as_fmpz(out), static_cast<ulong>(n.to_int64()), static_cast<ulong>(count));
        return out;
    }
    Integer factorial;
    fmpz_fac_ui(as_fmpz(factorial), static_cast<ulong>(count));
    return exact_div(rising_product(n - smaller + 1, count), factorial);
}

Integer multiset(const Integer& n, const Integer& k) {
    PLIMSOLL_CHECK(n >= 0, "multiset needs n >= 0");
    if (k < 0) return 0;
    if (n == 0) return k == 0 ? 1 : 0;
    return binomial(n + k - 1, k);
}

}  // namespace plimsoll::theory
