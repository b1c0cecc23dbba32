#include "plimsoll/theory/capacity/modular_series.h"

#include <cmath>
#include <utility>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/numbers/flint_headers.h"
#include "plimsoll/theory/numbers/flint_integer.h"
#include "plimsoll/theory/numbers/multiset_log.h"

// The determinants of orthogonal_average.cpp over Z/p. For q = 2l a diagonal similarity turns them into
// series in t = s^2: c_n = s^n g_n(t) and the entry s^(k-j) (c_{j-k} + c_{j+k}) is t^max(0,k-j) g_{|j-k|} +
// t^k g_{j+k}. For q = 2l + 1 the average over SO(q) is computed in s and its even part taken, since the
// other component is the same with -s.
namespace plimsoll::theory {
namespace {

constexpr int prime_bits = 62;

class Poly {
  public:
    explicit Poly(nmod_t mod) { nmod_poly_init_mod(value_, mod); }
    Poly(const Poly& other) : Poly(other.value_->mod) { nmod_poly_set(value_, other.value_); }
    Poly(Poly&& other) noexcept : Poly(other.value_->mod) { nmod_poly_swap(value_, other.value_); }
    Poly& operator=(const Poly&) = delete;
    Poly& operator=(Poly&& other) noexcept {
        nmod_poly_swap(value_, other.value_);
        return *this;
    }
    ~Poly() { nmod_poly_clear(value_); }
    nmod_poly_struct* get() { return value_; }
    [[nodiscard]] const nmod_poly_struct* get() const { return value_; }

  private:
    nmod_poly_t value_;
};

// Everything modulo one prime, series of `length` terms.
class Field {
  public:
    Field(ulong prime, std::int64_t d, std::int64_t length) : length_(length) {
        nmod_init(&mod_, prime);
        std::vector<ulong> inverses(static_cast<std::size_t>(length) + 1, 1);
        for (std::size_t i = 2; i < inverses.size(); ++i) {
            inverses[i] = nmod_neg(nmod_mul(mod_.n / i, inverses[mod_.n % i], mod_), mod_);
        }
        multisets_.push_back(1);
        for (std::int64_t m = 0; m < 2 * length; ++m) {
            const auto next = static_cast<std::size_t>(m + 1);
            const ulong inverse =
                next < inverses.size() ? inverses[next] : nmod_inv(static_cast<ulong>(next), mod_);
            multisets_.push_back(
                nmod_mul(nmod_mul(multisets_.back(), static_cast<ulong>(d + m), mod_), inverse, mod_));
        }
    }

    // sum_m ((d, m)) ((d, m + n)) x^(step m + shift).
    [[nodiscard]] Poly fourier(std::int64_t n, std::int64_t step, std::int64_t shift) const {
        Poly out(mod_);
        for (std::int64_t m = 0; step * m + shift < length_; ++m) {
            nmod_poly_set_coeff_ui(out.get(), step * m + shift,
                                   nmod_mul(multiset_at(m), multiset_at(m + n), mod_));
        }
        return out;
    }
    // (1 - x)^-d.
    [[nodiscard]] Poly geometric() const {
        Poly out(mod_);
        for (std::int64_t m = 0; m < length_; ++m) nmod_poly_set_coeff_ui(out.get(), m, multiset_at(m));
        return out;
    }
    // (1 - x)^power.
    [[nodiscard]] Poly one_minus_x(const Integer& power) const {
        Poly out(mod_);
        ulong term = 1;
        for (std::int64_t i = 0; i < length_; ++i) {
            nmod_poly_set_coeff_ui(out.get(), i, term);
            const ulong factor =
                static_cast<ulong>(mod(power - i, Integer(static_cast<std::int64_t>(mod_.n))).to_int64());
            const ulong inverse = nmod_inv(static_cast<ulong>(i + 1), mod_);
            term = nmod_neg(nmod_mul(nmod_mul(term, factor, mod_), inverse, mod_), mod_);
        }
        return out;
    }
    [[nodiscard]] Poly product(const Poly& a, const Poly& b) const {
        Poly out(mod_);
        nmod_poly_mullow(out.get(), a.get(), b.get(), length_);
        return out;
    }
    [[nodiscard]] Poly sum(const Poly& a, const Poly& b) const {
        Poly out(mod_);
        nmod_poly_add(out.get(), a.get(), b.get());
        return out;
    }
    [[nodiscard]] Poly difference(const Poly& a, const Poly& b) const {
        Poly out(mod_);
        nmod_poly_sub(out.get(), a.get(), b.get());
        return out;
    }
    [[nodiscard]] Poly determinant(std::vector<std::vector<Poly>> matrix) const {
        Poly out(mod_);
        nmod_poly_one(out.get());
        for (std::size_t p = 0; p < matrix.size(); ++p) {
            out = product(out, matrix[p][p]);
            Poly reciprocal(mod_);
            nmod_poly_inv_series(reciprocal.get(), matrix[p][p].get(), length_);
            for (std::size_t row = p + 1; row < matrix.size(); ++row) {
                const Poly factor = product(matrix[row][p], reciprocal);
                for (std::size_t col = p + 1; col < matrix.size(); ++col) {
                    matrix[row][col] = difference(matrix[row][col], product(factor, matrix[p][col]));
                }
            }
        }
        return out;
    }
    [[nodiscard]] nmod_t modulus() const { return mod_; }

  private:
    [[nodiscard]] ulong multiset_at(std::int64_t m) const { return multisets_[static_cast<std::size_t>(m)]; }

    std::int64_t length_;
    nmod_t mod_{};
    std::vector<ulong> multisets_;
};

template <class Entry>
std::vector<std::vector<Poly>> square(std::int64_t size, Entry entry) {
    std::vector<std::vector<Poly>> rows(static_cast<std::size_t>(size));
    for (std::int64_t j = 0; j < size; ++j) {
        for (std::int64_t k = 0; k < size; ++k) rows[static_cast<std::size_t>(j)].push_back(entry(j, k));
    }
    return rows;
}

// The Hilbert series in t for even q, over a field whose series are in t.
Poly even_series(const Field& field, std::int64_t q) {
    const std::int64_t half = q / 2;
    const auto g = [&](std::int64_t n, std::int64_t shift) { return field.fourier(n, 1, shift); };
    const auto near = [&](std::int64_t j, std::int64_t k) {
        return g(std::abs(j - k), std::max<std::int64_t>(0, k - j));
    };
    const Poly plus = field.determinant(square(
        half, [&](auto j, auto k) { return j == 0 ? near(j, k) : field.sum(near(j, k), g(j + k, k)); }));
    const Poly minus = field.determinant(
        square(half - 1, [&](auto j, auto k) { return field.difference(near(j, k), g(j + k + 2, k + 1)); }));
    Poly total = field.sum(plus, field.product(field.geometric(), minus));
    nmod_poly_scalar_mul_nmod(total.get(), total.get(), nmod_inv(2, field.modulus()));
    return total;
}

// The average over SO(q) in s for odd q, over a field whose series are in s.
Poly odd_average_series(const Field& field, std::int64_t q) {
    const auto c = [&](std::int64_t n) { return field.fourier(n, 2, n); };
    const Poly minor = field.determinant(
        square(q / 2, [&](auto j, auto k) { return field.difference(c(std::abs(j - k)), c(j + k + 1)); }));
    return field.product(field.geometric(), minor);
}

// `count` coefficients in t of (1 - t)^power HS(t) modulo a prime.
std::vector<ulong> residues(ulong prime, const RankVariety& variety, std::int64_t count,
                            const Integer& power) {
    const Field in_t(prime, variety.d, count);
    Poly series(in_t.modulus());
    if (variety.q % 2 == 0) {
        series = even_series(in_t, variety.q);
    } else {
        const Poly average = odd_average_series(Field(prime, variety.d, 2 * count), variety.q);
        for (std::int64_t k = 0; k < count; ++k) {
            nmod_poly_set_coeff_ui(series.get(), k, nmod_poly_get_coeff_ui(average.get(), 2 * k));
        }
    }
    if (power > 0) series = in_t.product(series, in_t.one_minus_x(power));
    std::vector<ulong> out;
    for (std::int64_t k = 0; k < count; ++k) out.push_back(nmod_poly_get_coeff_ui(series.get(), k));
    return out;
}

// The non-negative numbers below 2^bits with those residues.
std::vector<Integer> lifted(const RankVariety& variety, std::int64_t count, const Integer& power,
                            double bits) {
    std::vector<ulong> primes;
    std::vector<std::vector<ulong>> images;
    ulong prime = ulong{1} << prime_bits;
    for (double covered = 0; covered < bits + 2; covered += prime_bits) {
        prime = n_nextprime(prime, 0);
        primes.push_back(prime);
        images.push_back(residues(prime, variety, count, power));
    }
    fmpz_comb_t comb;
    fmpz_comb_temp_t temp;
    fmpz_comb_init(comb, primes.data(), static_cast<slong>(primes.size()));
    fmpz_comb_temp_init(temp, comb);
    std::vector<Integer> out(static_cast<std::size_t>(count));
    std::vector<ulong> column(primes.size());
    for (std::size_t k = 0; k < out.size(); ++k) {
        for (std::size_t i = 0; i < primes.size(); ++i) column[i] = images[i][k];
        fmpz_multi_CRT_ui(as_fmpz(out[k]), column.data(), comb, temp, 0);
    }
    fmpz_comb_temp_clear(temp);
    fmpz_comb_clear(comb);
    return out;
}

}  // namespace

double modular_seconds(const RankVariety& variety, double count, double bits) {
    const double order = static_cast<double>(variety.q) / 2 + 1;
    const bool even = variety.q % 2 == 0;
    const double length = even ? count : 2 * count;
    const double products = order * order * order / 3 * (even ? 2 : 1) + 1.5 * order * order;
    return products * 7e-9 * length * std::log2(length + 2) * std::ceil(bits / prime_bits + 1);
}

std::vector<Integer> modular_invariants(const RankVariety& variety, std::int64_t count) {
    PLIMSOLL_CHECK(variety.q >= 1 && !variety.is_whole_space() && count >= 1,
                   "modular_invariants needs 1 <= q < d");
    const double bits = log_multiset(variety.ambient(), count, 64).upper() / std::log(2.0);
    return lifted(variety, count, 0, bits);
}

std::vector<Integer> modular_h_vector(const RankVariety& variety) {
    PLIMSOLL_CHECK(variety.q >= 1 && !variety.is_whole_space(), "modular_h_vector needs 1 <= q < d");
    const double bits = variety.log_degree(64).upper() / std::log(2.0);
    return lifted(variety, variety.h_length() + 1, variety.dimension(), bits);
}

}  // namespace plimsoll::theory
