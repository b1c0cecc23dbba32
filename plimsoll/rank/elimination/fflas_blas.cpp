#include "plimsoll/base/check.h"
#include "plimsoll/rank/lapack.h"

// The thirteen routines FFLAS-FFPACK calls by name, passed on to the BLAS that is opened on first use:
// linking one instead costs every start of plimsoll 2 ms (docs/decisions/0011). Hidden, so that they are
// never taken for a BLAS by another part of the process. The enumerations of cblas.h are passed as the ints
// they are.
#pragma GCC visibility push(hidden)

namespace {

template <class Routine>
Routine* opened(const char* name) {
    void* routine = plimsoll::rank::lapack::routine(name);
    PLIMSOLL_CHECK(routine != nullptr, std::string("the BLAS has no ") + name);
    return reinterpret_cast<Routine*>(routine);
}

}  // namespace

extern "C" {

void cblas_dgemm(int order, int trans_a, int trans_b, int m, int n, int k, double alpha, const double* a,
                 int lda, const double* b, int ldb, double beta, double* c, int ldc) {
    static auto* const routine = opened<decltype(cblas_dgemm)>("cblas_dgemm");
    routine(order, trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

void cblas_sgemm(int order, int trans_a, int trans_b, int m, int n, int k, float alpha, const float* a,
                 int lda, const float* b, int ldb, float beta, float* c, int ldc) {
    static auto* const routine = opened<decltype(cblas_sgemm)>("cblas_sgemm");
    routine(order, trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

void cblas_dtrsm(int order, int side, int uplo, int trans_a, int diag, int m, int n, double alpha,
                 const double* a, int lda, double* b, int ldb) {
    static auto* const routine = opened<decltype(cblas_dtrsm)>("cblas_dtrsm");
    routine(order, side, uplo, trans_a, diag, m, n, alpha, a, lda, b, ldb);
}

void cblas_dgemv(int order, int trans, int m, int n, double alpha, const double* a, int lda, const double* x,
                 int inc_x, double beta, double* y, int inc_y) {
    static auto* const routine = opened<decltype(cblas_dgemv)>("cblas_dgemv");
    routine(order, trans, m, n, alpha, a, lda, x, inc_x, beta, y, inc_y);
}

void cblas_sgemv(int order, int trans, int m, int n, float alpha, const float* a, int lda, const float* x,
                 int inc_x, float beta, float* y, int inc_y) {
    static auto* const routine = opened<decltype(cblas_sgemv)>("cblas_sgemv");
    routine(order, trans, m, n, alpha, a, lda, x, inc_x, beta, y, inc_y);
}

void cblas_daxpy(int n, double alpha, const double* x, int inc_x, double* y, int inc_y) {
    static auto* const routine = opened<decltype(cblas_daxpy)>("cblas_daxpy");
    routine(n, alpha, x, inc_x, y, inc_y);
}

void cblas_saxpy(int n, float alpha, const float* x, int inc_x, float* y, int inc_y) {
    static auto* const routine = opened<decltype(cblas_saxpy)>("cblas_saxpy");
    routine(n, alpha, x, inc_x, y, inc_y);
}

void cblas_dcopy(int n, const double* x, int inc_x, double* y, int inc_y) {
    static auto* const routine = opened<decltype(cblas_dcopy)>("cblas_dcopy");
    routine(n, x, inc_x, y, inc_y);
}

void cblas_scopy(int n, const float* x, int inc_x, float* y, int inc_y) {
    static auto* const routine = opened<decltype(cblas_scopy)>("cblas_scopy");
    routine(n, x, inc_x, y, inc_y);
}

double cblas_ddot(int n, const double* x, int inc_x, const double* y, int inc_y) {
    static auto* const routine = opened<decltype(cblas_ddot)>("cblas_ddot");
    return routine(n, x, inc_x, y, inc_y);
}

float cblas_sdot(int n, const float* x, int inc_x, const float* y, int inc_y) {
    static auto* const routine = opened<decltype(cblas_sdot)>("cblas_sdot");
    return routine(n, x, inc_x, y, inc_y);
}

void cblas_dscal(int n, double alpha, double* x, int inc_x) {
    static auto* const routine = opened<decltype(cblas_dscal)>("cblas_dscal");
    routine(n, alpha, x, inc_x);
}

void cblas_sscal(int n, float alpha, float* x, int inc_x) {
    static auto* const routine = opened<decltype(cblas_sscal)>("cblas_sscal");
    routine(n, alpha, x, inc_x);
}

}  // extern "C"

#pragma GCC visibility pop
