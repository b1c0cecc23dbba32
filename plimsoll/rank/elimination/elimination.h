#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "plimsoll/base/progress.h"
#include "plimsoll/base/result.h"
#include "plimsoll/rank/constructions/score_source.h"

// The rank of a ScoreSource over its prime field. Two eliminations and an oracle: the streaming LU that grows
// until the rank stops, FFLAS-FFPACK with pivoting on a matrix of given size, and FLINT.
namespace plimsoll::rank {

// How far an elimination may go.
struct EliminationLimits {
    std::size_t max_size = std::numeric_limits<std::size_t>::max();  // rows and columns, each
    std::uint64_t max_bytes = std::uint64_t{8} << 30;  // of its own; the source's are not counted
    int threads = 1;                                   // 0: all the machine has
    std::size_t slack = 20;  // rows and columns beyond the rank before "exact" is said of random samples
};

// What an elimination found. The rank is that of the rows x cols part it saw, always exact for that part.
struct EliminationResult {
    std::size_t rank = 0;
    std::size_t rows = 0, cols = 0;  // what it took of the source
    std::size_t size = 0;            // the smaller of the two
    std::size_t slack = 0;           // size - rank
    bool complete = false;    // no further row or column can exist or matter: exact without any probability
    bool saturated = false;   // stopped by a limit: the source's rank may be larger
    std::uint64_t bytes = 0;  // the most memory that was needed at a time
    double seconds = 0;
    std::string backend;  // "bordered LU" or "FFLAS-FFPACK"
};

// Makes BLAS ready; the error says what to install. The eliminations below need it to have succeeded.
Status prepare_elimination();

// Streaming bordered block LU: adds blocks of rows and columns until the rank stops, so that no size is to be
// guessed. Any matrix gets the right rank of the part it saw; one of generic profile also gets it fast. Stops
// with `slack` spare rows and columns (generic profile), at the end of the matrix, or saturated at the
// largest size within the limits. Progress is in multiplications, of those the largest size would take.
EliminationResult rank_by_growth(const ScoreSource& source, const EliminationLimits& limits,
                                 const ProgressCallback& progress = {});

// The memory rank_by_growth needs when the rank is `size`, without carried rows; it starts no step beyond.
std::uint64_t growth_bytes(std::size_t size, int threads);

// The largest size whose growth_bytes are at most `max_bytes`.
std::size_t size_that_fits(std::uint64_t max_bytes, int threads);

// PLUQ with pivoting by FFLAS-FFPACK of the first rows x cols entries, made smaller (and then saturated) if
// they do not fit the limits; for finite matrices of any profile.
EliminationResult rank_by_fflas(const ScoreSource& source, std::size_t rows, std::size_t cols,
                                const EliminationLimits& limits);

// The memory rank_by_fflas needs.
std::uint64_t fflas_bytes(std::size_t rows, std::size_t cols);

// The rank of a finite matrix with half as many rows again as columns, or the other way round: FFLAS-FFPACK
// eliminates an almost square part, and the other lines are only multiplied with its null space, which is
// small when the part has nearly full rank. Exact whatever the part is.
EliminationResult rank_of_long(const ScoreSource& source, const EliminationLimits& limits);

// The most memory rank_of_long needs for its almost square part.
std::uint64_t long_bytes(std::size_t short_side);

// Whether a finite source has that shape and its part fits the limits.
bool suits_long_rank(const ScoreSource& source, const EliminationLimits& limits);

// Whether this build and this machine have FFLAS-FFPACK.
bool fflas_available();

// FLINT's nmod_mat_rank of the first rows x cols entries on one thread: the oracle.
std::size_t rank_by_flint(const ScoreSource& source, std::size_t rows, std::size_t cols);

// The rank by the elimination that suits: FFLAS-FFPACK for a finite matrix that fits and whose profile is not
// generic (by its almost square part when it is long), the growing LU otherwise.
EliminationResult measure_rank(const ScoreSource& source, const EliminationLimits& limits,
                               const ProgressCallback& progress = {});

}  // namespace plimsoll::rank
