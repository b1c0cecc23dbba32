#include "plimsoll/rank/elimination/residue_kernels.h"

#include "plimsoll/base/check.h"

namespace plimsoll::rank {
namespace {

// What reduce() needs, copied to locals of each loop: a store to an entry could otherwise alias it.
struct Modulus {
    explicit Modulus(const BalancedField& field) : p(field.p), inverse(1.0 / field.p) {}
    double p, inverse;
};

// x less the nearest multiple of p; adding 1.5 * 2^52 rounds to an integer without a call.
[[gnu::always_inline]] inline double nearer_to_zero(double x, const Modulus& modulus) {
    constexpr double to_integer = 0x1.8p52;
    const double quotient = (x * modulus.inverse + to_integer) - to_integer;
    return x - quotient * modulus.p;
}

// PrimeField::reduce without branches. The first quotient may be off by one where x / p is close to a half;
// the second, of a number below p, is right: no k / p is within 2^-24 of a half, and it errs by 2^-53.
[[gnu::always_inline]] inline double reduced(double x, const Modulus& modulus) {
    return nearer_to_zero(nearer_to_zero(x, modulus), modulus);
}

#if defined(__x86_64__)

template <class Loop>
[[gnu::target("avx2,fma")]] void with_avx2(const Loop& loop) {
    loop();
}

bool has_avx2() {
    static const bool answer = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return answer;
}

#else

template <class Loop>
void with_avx2(const Loop& loop) {
    loop();
}

bool has_avx2() { return false; }

#endif

template <class Loop>
void on_this_machine(const Loop& loop) {
    if (has_avx2()) {
        with_avx2(loop);
    } else {
        loop();
    }
}

}  // namespace

void reduce_all(const BalancedField& field, std::span<double> entries) {
    on_this_machine([&]() __attribute__((always_inline)) {
        const Modulus modulus(field);
        double* const x = entries.data();
        const std::size_t size = entries.size();
        for (std::size_t i = 0; i < size; ++i) x[i] = reduced(x[i], modulus);
    });
}

void subtract_multiple(const BalancedField& field, double factor, std::span<const double> other,
                       std::span<double> row) {
    PLIMSOLL_CHECK(other.size() == row.size(), "rows of one length");
    on_this_machine([&, factor]() __attribute__((always_inline)) {
        const Modulus modulus(field);
        const double times = factor;
        const double* const y = other.data();
        double* const x = row.data();
        const std::size_t size = row.size();
        for (std::size_t i = 0; i < size; ++i) x[i] = reduced(x[i] - times * y[i], modulus);
    });
}

void widen(std::span<const float> from, std::span<double> to) {
    PLIMSOLL_CHECK(from.size() == to.size(), "rows of one length");
    on_this_machine([&]() __attribute__((always_inline)) {
        const float* const x = from.data();
        double* const y = to.data();
        const std::size_t size = from.size();
        for (std::size_t i = 0; i < size; ++i) y[i] = x[i];
    });
}

void narrow(std::span<const double> from, std::span<float> to) {
    PLIMSOLL_CHECK(from.size() == to.size(), "rows of one length");
    on_this_machine([&]() __attribute__((always_inline)) {
        const double* const x = from.data();
        float* const y = to.data();
        const std::size_t size = from.size();
        for (std::size_t i = 0; i < size; ++i) y[i] = static_cast<float>(x[i]);
    });
}

}  // namespace plimsoll::rank
