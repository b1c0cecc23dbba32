#pragma once

#include <gtest/gtest.h>

#include "plimsoll/rank/constructions/constructions.h"
#include "tests/support/error_text.h"
#include "tests/support/sampled_rank.h"

namespace plimsoll::rank {

// A separation rank that is known.
struct Value {
    const char* spec;
    std::int64_t positions;  // 0: a mixer
    const char* partition;
    std::size_t rank;
};

inline std::ostream& operator<<(std::ostream& out, const Value& v) {
    return out << v.spec << " N=" << v.positions << " " << v.partition;
}

// The network of a spec text; positions 0 for mixers.
inline std::shared_ptr<const RandomNetwork> network_of(const std::string& text, std::int64_t positions = 0,
                                                       std::uint64_t seed = 5,
                                                       std::uint64_t prime = default_prime,
                                                       Inputs inputs = Inputs::numbers) {
    NetworkQuestion question{.prime = prime, .seed = seed, .inputs = inputs};
    if (positions > 0) question.positions = positions;
    const auto spec = arch::parse_spec(text);
    EXPECT_TRUE(spec.ok()) << error_text(spec);
    auto network = network_for(*spec, question);
    EXPECT_TRUE(network.ok()) << error_text(network);
    return std::move(network).value();
}

inline Partition partition_of(const RandomNetwork& network, const std::string& word) {
    return parse_partitions(word, network.facts().split, 1).value().front();
}

inline nets::Matrix<std::uint64_t> block_of(const ScoreSource& source, std::size_t rows, std::size_t cols) {
    nets::Matrix<double> block(rows, cols);
    source.fill(0, 0, block.view());
    const BalancedField residues = source.field();
    return nets::map(block, [&](double x) { return std::uint64_t{residues.to_integer(x)}; });
}

// The rank of a block of `size` rows and columns, or of the whole if that is smaller, by plain elimination.
inline std::size_t rank_of(const ScoreSource& source, std::size_t size) {
    const std::size_t rows = std::min(size, source.max_rows()), cols = std::min(size, source.max_cols());
    return testing::rank_mod_p(nets::PrimeField(source.field().p), block_of(source, rows, cols));
}

// The sum of the pieces' ranks. Sampled pieces get 8 samples more than their bound or `size` allows; the
// finite ones are taken whole.
inline std::size_t separation_rank(const PieceList& list, std::size_t size) {
    std::size_t total = 0;
    for (const Piece& piece : list.pieces) {
        const std::size_t bound =
            std::min({size, piece.bound_rows.value_or(size), piece.bound_cols.value_or(size)});
        total += rank_of(*piece.source, piece.source->generic_profile() ? bound + 8 : SIZE_MAX);
    }
    return total;
}

inline std::size_t measured_rank(const std::shared_ptr<const RandomNetwork>& network,
                                 const Partition& partition, Construction construction, std::size_t size,
                                 OutputIndex output = {}) {
    auto list = pieces_for(
        {.network = network, .partition = partition, .output = output, .construction = construction});
    EXPECT_TRUE(list.ok()) << error_text(list);
    return separation_rank(*list, size);
}

// The literal network on random samples modulo any prime of nets (2^61 - 1): entry (s, t) joins sample s of
// one side with sample t of the other.
inline nets::Matrix<std::uint64_t> literal_matrix(const RandomNetwork& network, const Partition& partition,
                                                  OutputIndex output, std::size_t rows, std::size_t cols,
                                                  std::uint64_t seed) {
    const nets::PrimeField field(network.prime());
    const Sides sides = network.sides(partition, output);
    RandomStream row_stream(seed, "rank/literal/rows"), col_stream(seed, "rank/literal/cols");
    const std::size_t per_item = network.numbers_per_item();
    const auto lefts = nets::random_matrix(field, rows, sides.rows.size() * per_item, row_stream);
    const auto rights = nets::random_matrix(field, cols, sides.cols.size() * per_item, col_stream);
    nets::Matrix<std::uint64_t> scores(rows, cols);
    for (std::size_t s = 0; s < rows; ++s) {
        for (std::size_t t = 0; t < cols; ++t) {
            scores(s, t) =
                network.evaluate(network.join(sides, lefts.view().row(s), rights.view().row(t)), output);
        }
    }
    return scores;
}

}  // namespace plimsoll::rank
