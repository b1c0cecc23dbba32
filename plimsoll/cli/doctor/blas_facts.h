#pragma once

#include <string>

namespace plimsoll::cli {

// Which BLAS a file is, as far as its place tells.
enum class BlasKind { none, openblas_openmp, openblas_pthread, openblas_serial, reference, other };

// The shared object that holds the matrix kernels.
struct BlasFacts {
    BlasKind kind = BlasKind::none;
    std::string file;  // with symbolic links resolved; empty for none
};

// The kind of the BLAS at `file`, links resolved: Debian keeps each build in a folder of its own.
BlasKind blas_kind(const std::string& file);

// The BLAS plimsoll-torch would load on this machine.
BlasFacts blas_on_disk();

// The BLAS of this process: the file that a call of sgemm ends up in; none when nothing here has one.
BlasFacts blas_loaded();

// "OpenBLAS with OpenMP threads", or what is wrong with it: "reference BLAS, 25 times slower".
std::string blas_verdict(BlasKind kind);

}  // namespace plimsoll::cli
