#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plimsoll/base/matrix_view.h"
#include "plimsoll/base/result.h"

// The few routines of BLAS and LAPACK we call, on row-major matrices. The library is opened on first use, not
// at start-up (docs/decisions/0009): the others may be called only after load() succeeded.
namespace plimsoll::rank::lapack {

// Finds a LAPACK: the one this process already has, else OpenBLAS's OpenMP build, else the system's choice.
Status load();

// The file the routines come from; empty before load().
std::string file();

// Threads for the products and factorisations; at least 1. Nothing happens where the BLAS has no such switch.
// OpenMP keeps this number per calling thread: each of several threads that call must set its own.
void set_threads(int threads);

// The number of threads in force for the calling thread; 1 where the BLAS has no such switch.
int threads();

// The routine `name` of the library, for callers that know its type; nullptr when it has none.
void* routine(const char* name);

// The singular values, largest first; `matrix` is destroyed.
std::vector<double> singular_values(MatrixView<double> matrix);

// The eigenvalues, smallest first, of the symmetric matrix whose upper triangle is in `matrix`, which is
// destroyed.
std::vector<double> eigenvalues(MatrixView<double> matrix);

// The triangle T of rows = Q T with orthonormal Q (cols x cols, upper, the rest zero); needs rows >= cols and
// destroys `matrix`.
std::vector<double> triangle_of_tall(MatrixView<double> matrix);

// The triangle T of matrix = T Q with orthonormal Q (rows x rows, lower, the rest zero); needs rows <= cols
// and destroys `matrix`.
std::vector<double> triangle_of_wide(MatrixView<double> matrix);

// sum += left right.
void add_product(MatrixView<const double> left, MatrixView<const double> right, MatrixView<double> sum);

// rest -= left right.
void subtract_product(MatrixView<const double> left, MatrixView<const double> right, MatrixView<double> rest);

// The upper triangle of gram += matrix^T matrix.
void add_gram(MatrixView<const double> matrix, MatrixView<double> gram);

}  // namespace plimsoll::rank::lapack
