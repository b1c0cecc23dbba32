#include "plimsoll/rank/lapack.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <mutex>

#include <dlfcn.h>

namespace plimsoll::rank::lapack {
namespace {

// Fortran passes everything by address, and the lengths of characters by value at the end.
using Gesdd = void (*)(const char*, const int*, const int*, double*, const int*, double*, double*, const int*,
                       double*, const int*, double*, const int*, int*, int*, std::size_t);
using Syevd = void (*)(const char*, const char*, const int*, double*, const int*, double*, double*,
                       const int*, int*, const int*, int*, std::size_t, std::size_t);
using Geqrf = void (*)(const int*, const int*, double*, const int*, double*, double*, const int*, int*);
using Gemm = void (*)(const char*, const char*, const int*, const int*, const int*, const double*,
                      const double*, const int*, const double*, const int*, const double*, double*,
                      const int*, std::size_t, std::size_t);
using Syrk = void (*)(const char*, const char*, const int*, const int*, const double*, const double*,
                      const int*, const double*, double*, const int*, std::size_t, std::size_t);
using SetThreads = void (*)(int);
using GetThreads = int (*)();

struct Routines {
    Gesdd gesdd = nullptr;
    Syevd syevd = nullptr;
    Geqrf geqrf = nullptr, gelqf = nullptr;
    Gemm gemm = nullptr;
    Syrk syrk = nullptr;
    SetThreads set_threads = nullptr;  // OpenBLAS only
    GetThreads get_threads = nullptr;  // OpenBLAS only
    void* library = nullptr;           // what dlsym looks in
    std::string file;

    [[nodiscard]] bool complete() const { return gesdd && syevd && geqrf && gelqf && gemm && syrk; }
};

template <class Function>
void look_up(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
}

Routines routines_of(void* library) {
    Routines found;
    look_up(library, "dgesdd_", found.gesdd);
    look_up(library, "dsyevd_", found.syevd);
    look_up(library, "dgeqrf_", found.geqrf);
    look_up(library, "dgelqf_", found.gelqf);
    look_up(library, "dgemm_", found.gemm);
    look_up(library, "dsyrk_", found.syrk);
    look_up(library, "openblas_set_num_threads", found.set_threads);
    look_up(library, "openblas_get_num_threads", found.get_threads);
    found.library = library;
    Dl_info place{};
    if (found.gesdd && ::dladdr(reinterpret_cast<void*>(found.gesdd), &place)) found.file = place.dli_fname;
    return found;
}

// plimsoll-torch has a LAPACK in the process already; a second one beside it would have threads of its own.
Routines find_routines() {
    if (const Routines loaded = routines_of(RTLD_DEFAULT); loaded.complete()) return loaded;
    // OpenMP reads this when it is loaded. Threads that wait by spinning take the cores from those they wait
    // for: on a busy machine that costs a factor of seven (docs/decisions/0009). The user's own setting
    // stands.
    ::setenv("OMP_WAIT_POLICY", "passive", 0);
    for (const char* file : {PLIMSOLL_LAPACK_FILE, "libopenblas.so.0", "liblapack.so.3"}) {
        void* library = *file == '\0' ? nullptr : ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) continue;
        if (const Routines loaded = routines_of(library); loaded.complete()) return loaded;
    }
    return {};
}

const Routines& found_routines() {
    static const Routines routines = find_routines();
    return routines;
}

const Routines& routines() {
    PLIMSOLL_CHECK(found_routines().complete(), "LAPACK is used before load()");
    return found_routines();
}

int as_int(std::size_t size) {
    PLIMSOLL_CHECK(size <= static_cast<std::size_t>(std::numeric_limits<int>::max()), "too large for LAPACK");
    return static_cast<int>(size);
}

// A row-major matrix as Fortran sees it: its transpose, column by column.
template <class T>
struct Transposed {
    explicit Transposed(MatrixView<T> view)
        : rows(as_int(view.cols())),
          cols(as_int(view.rows())),
          lead(std::max(1, as_int(view.stride()))),
          data(view.data()) {}
    int rows, cols, lead;
    T* data;
};

// Calls `routine(work, size, info)` first to ask for the workspace it likes, then in earnest.
template <class Routine>
void with_workspace(const char* name, Routine routine) {
    int info = 0;
    double wanted = 0;
    routine(&wanted, -1, &info);
    std::vector<double> work(std::max<std::size_t>(1, static_cast<std::size_t>(wanted)));
    if (info == 0) routine(work.data(), as_int(work.size()), &info);
    PLIMSOLL_CHECK(info == 0, std::string(name) + " returned " + std::to_string(info));
}

void factor(const char* name, Geqrf routine, const Transposed<double>& a) {
    std::vector<double> reflectors(static_cast<std::size_t>(std::min(a.rows, a.cols)));
    with_workspace(name, [&](double* work, int size, int* info) {
        routine(&a.rows, &a.cols, a.data, &a.lead, reflectors.data(), work, &size, info);
    });
}

}  // namespace

Status load() {
    if (found_routines().complete()) return {};
    return unsupported("LAPACK",
                       "is not on this machine: Debian's package libopenblas0-openmp brings OpenBLAS");
}

std::string file() { return found_routines().file; }

void set_threads(int threads) {
    PLIMSOLL_CHECK(threads >= 1, "at least one thread");
    // Its own bookkeeping is shared by all threads and has no lock.
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    if (routines().set_threads != nullptr) routines().set_threads(threads);
}

int threads() { return routines().get_threads != nullptr ? routines().get_threads() : 1; }

void* routine(const char* name) { return ::dlsym(routines().library, name); }

std::vector<double> singular_values(MatrixView<double> matrix) {
    const Transposed a(matrix);
    std::vector<double> values(std::min(matrix.rows(), matrix.cols()));
    if (values.empty()) return values;
    std::vector<int> integers(8 * values.size());
    const int one = 1;
    with_workspace("dgesdd", [&](double* work, int size, int* info) {
        routines().gesdd("N", &a.rows, &a.cols, a.data, &a.lead, values.data(), nullptr, &one, nullptr, &one,
                         work, &size, integers.data(), info, 1);
    });
    return values;
}

std::vector<double> eigenvalues(MatrixView<double> matrix) {
    PLIMSOLL_CHECK(matrix.rows() == matrix.cols(), "eigenvalues of a square matrix");
    const Transposed a(matrix);
    std::vector<double> values(matrix.rows());
    int integer = 0;
    const int one = 1;
    // Without vectors one integer is all the routine uses; its upper triangle is Fortran's lower one.
    with_workspace("dsyevd", [&](double* work, int size, int* info) {
        routines().syevd("N", "L", &a.rows, a.data, &a.lead, values.data(), work, &size, &integer,
                         size < 0 ? &size : &one, info, 1, 1);
    });
    return values;
}

std::vector<double> triangle_of_tall(MatrixView<double> matrix) {
    PLIMSOLL_CHECK(matrix.rows() >= matrix.cols(), "a tall matrix");
    // matrix = Q T is matrix^T = T^T Q^T, the LQ factorisation of what Fortran sees.
    factor("dgelqf", routines().gelqf, Transposed(matrix));
    const std::size_t size = matrix.cols();
    std::vector<double> triangle(size * size);
    for (std::size_t i = 0; i < size; ++i) {
        std::copy_n(&matrix(i, i), size - i, &triangle[i * size + i]);
    }
    return triangle;
}

std::vector<double> triangle_of_wide(MatrixView<double> matrix) {
    PLIMSOLL_CHECK(matrix.rows() <= matrix.cols(), "a wide matrix");
    factor("dgeqrf", routines().geqrf, Transposed(matrix));
    const std::size_t size = matrix.rows();
    std::vector<double> triangle(size * size);
    for (std::size_t i = 0; i < size; ++i) std::copy_n(&matrix(i, 0), i + 1, &triangle[i * size]);
    return triangle;
}

namespace {

void add_multiple_of_product(double factor, MatrixView<const double> left, MatrixView<const double> right,
                             MatrixView<double> sum) {
    PLIMSOLL_CHECK(left.cols() == right.rows() && left.rows() == sum.rows() && right.cols() == sum.cols(),
                   "shapes of a product");
    // sum^T += right^T left^T in Fortran's eyes.
    const Transposed a(right), b(left);
    const Transposed c(sum);
    const double one = 1;
    routines().gemm("N", "N", &c.rows, &c.cols, &a.cols, &factor, a.data, &a.lead, b.data, &b.lead, &one,
                    c.data, &c.lead, 1, 1);
}

}  // namespace

void add_product(MatrixView<const double> left, MatrixView<const double> right, MatrixView<double> sum) {
    add_multiple_of_product(1, left, right, sum);
}

void subtract_product(MatrixView<const double> left, MatrixView<const double> right,
                      MatrixView<double> rest) {
    add_multiple_of_product(-1, left, right, rest);
}

void add_gram(MatrixView<const double> matrix, MatrixView<double> gram) {
    PLIMSOLL_CHECK(gram.rows() == matrix.cols() && gram.cols() == matrix.cols(), "shape of a Gram matrix");
    const Transposed a(matrix);
    const Transposed c(gram);
    const double one = 1;
    routines().syrk("L", "N", &c.rows, &a.cols, &one, a.data, &a.lead, &one, c.data, &c.lead, 1, 1);
}

}  // namespace plimsoll::rank::lapack
