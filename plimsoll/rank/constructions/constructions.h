#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/rank/constructions/random_network.h"
#include "plimsoll/rank/constructions/score_source.h"

namespace plimsoll::rank {

// The ways to a matrix, or several, whose ranks add up to the separation rank.
enum class Construction {
    automatic,      // the cheapest that applies: catalecticant, graded, gram
    gram,           // fast evaluation on pairs of random samples; one matrix
    graded,         // the same, split by the degree in side B; homogeneous networks only
    catalecticant,  // from the coefficients of the polynomial, no samples; attention with N >= 2d only
    literal,        // the network as the papers write it (plimsoll/nets); slow, for checks
};

// "gram", "graded", ...; and back.
std::string to_text(Construction construction);
Result<Construction> parse_construction(std::string_view text);

// One of the matrices. For attention its rows belong to the side with the output's position, for mixers to
// side A.
struct Piece {
    std::string name;  // "all", or "j=3" for degree 3 in the columns' side
    std::unique_ptr<ScoreSource> source;
    std::optional<std::size_t> bound_rows, bound_cols;  // functions on either side, at most: caps of the rank
};

// All matrices of one question; the separation rank is the sum of their ranks.
struct PieceList {
    Construction construction = Construction::gram;  // never automatic
    std::vector<Piece> pieces;                       // in rising degree
    // When a piece's rank is bound_cols, all pieces of lower degree have theirs; when it is bound_rows, all
    // of higher degree have theirs (RANKS: injectivity propagates).
    bool full_rank_propagates = false;
    std::optional<std::size_t> rank_bound;  // of the sum, valid for all weights
};

// What decides the matrices.
struct ScoreQuestion {
    std::shared_ptr<const RandomNetwork> network;
    Partition partition;
    OutputIndex output;
    Construction construction = Construction::automatic;
    std::uint64_t seed = 1;                            // of the samples
    std::uint64_t max_bytes = std::uint64_t{2} << 30;  // for the tables of the catalecticant
    Simd simd = best_simd();
};

// The matrices for a question; a construction that does not apply is an error that says why.
Result<PieceList> pieces_for(const ScoreQuestion& question);

}  // namespace plimsoll::rank
