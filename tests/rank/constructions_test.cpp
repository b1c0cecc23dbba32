// Every construction against the literal network: the same numbers where they are the same numbers, the same
// ranks everywhere, and the values that were measured before.
#include "plimsoll/rank/constructions/constructions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rank/score_support.h"
#include "tests/support/error_text.h"

namespace plimsoll::rank {
namespace {

const char* const attention_kinds[] = {
    "attention:depth=1,width=3,heads=1",
    "attention:depth=2,width=2,heads=1",
    "attention:depth=3,width=4,heads=2",
    "attention:depth=4,width=3,heads=2,head_dim=2",
    "attention:depth=3,width=7,heads=3,head_dim=5",
    "attention:depth=3,width=2,heads=2,residual=on",
    "attention:depth=1,width=2,heads=1,residual=on",
    "attention:depth=2,width=4,heads=1,embedding=conv,vocab=5,embedding_rank=2",
    ("attention:depth=2,width=4,heads=2,embedding=vocab,vocab=6,embedding_rank=3,positions=ranked,"
     "position_rank=1"),
    "attention:depth=3,width=3,heads=1,positions=free,residual=on",
};

const char* const mixer_kinds[] = {
    "square-mixer:rows=2,cols=3,depth=1",
    "square-mixer:rows=2,cols=4,depth=3",
    "square-mixer:rows=3,cols=2,depth=4,residual=2+3",
    "square-mixer:rows=2,cols=3,depth=3,permutations=random,permutation_seed=4,residual=1+3",
    "square-mlp:rows=4,cols=2,depth=3,residual=2",
    "pk:depth=3,width=6,blocks=2+3,activation=square,permutations=random,permutation_seed=2",
    "pk:depth=2,width=6,blocks=2+3,activation=square,permutations=commutation,skip=on",
    "s-mixer:depth=2,tokens=2,channels=3,activation=square,norm=none,bias=off,skip=on",
    "s-mixer:depth=2,tokens=2,channels=2,activation=square,norm=none,bias=off,skip=off",
    "mixer:depth=1,tokens=2,channels=3,expansion=2,activation=square,norm=none,bias=off,skip=on",
    ("rp-mixer:depth=2,tokens=2,channels=2,expansion=1,permuted=1+2,activation=square,norm=none,bias=off,"
     "skip=on"),
};

PieceList pieces(const std::shared_ptr<const RandomNetwork>& network, const Partition& partition,
                 Construction construction, OutputIndex output = {}, Simd simd = best_simd()) {
    auto list = pieces_for({.network = network,
                            .partition = partition,
                            .output = output,
                            .construction = construction,
                            .simd = simd});
    EXPECT_TRUE(list.ok()) << error_text(list);
    return std::move(list).value();
}

std::vector<Simd> runnable() {
    std::vector<Simd> result;
    for (const Simd simd : {Simd::plain, Simd::avx2, Simd::avx512}) {
        if (simd_runs(simd)) result.push_back(simd);
    }
    return result;
}

void expect_gram_is_literal(const std::shared_ptr<const RandomNetwork>& network, OutputIndex output,
                            std::size_t rows = 5, std::size_t cols = 19) {
    const Partition partition = partition_of(*network, "half");
    const auto literal = pieces(network, partition, Construction::literal, output);
    const auto expected = block_of(*literal.pieces[0].source, rows, cols);
    for (const Simd simd : runnable()) {
        const auto gram = pieces(network, partition, Construction::gram, output, simd);
        EXPECT_EQ(block_of(*gram.pieces[0].source, rows, cols), expected) << kernels_for(simd).name;
    }
}

TEST(Constructions, FastAttentionGivesTheLiteralNumbers) {
    for (const char* text : attention_kinds) {
        SCOPED_TRACE(text);
        expect_gram_is_literal(network_of(text, 4), {1, 0});
        expect_gram_is_literal(network_of(text, 6), {0, 5});
    }
}

TEST(Constructions, FastMixersGiveTheLiteralNumbers) {
    for (const char* text : mixer_kinds) {
        SCOPED_TRACE(text);
        expect_gram_is_literal(network_of(text), {0, 0});
        const auto network = network_of(text);
        expect_gram_is_literal(network, {network->facts().output_rows - 1, network->facts().output_cols - 1});
    }
}

// Small primes and the largest allowed one: bounds of the delayed reductions.
TEST(Constructions, FastNumbersAreExactAtEveryPrime) {
    for (const std::uint64_t prime : {3U, 251U, 65537U, 8388593U}) {
        expect_gram_is_literal(network_of("attention:depth=3,width=4,heads=2", 8, 5, prime), {0, 0});
        expect_gram_is_literal(network_of("square-mixer:rows=3,cols=4,depth=4", 0, 5, prime), {0, 0});
    }
}

// Blocks are parts of one matrix, wherever they start and however wide they are.
TEST(Constructions, BlocksFitTogether) {
    const auto network = network_of("attention:depth=2,width=3,heads=1", 4);
    for (const Construction construction :
         {Construction::gram, Construction::graded, Construction::catalecticant}) {
        const auto list =
            pieces(network, partition_of(*network, "half"),
                   construction == Construction::catalecticant ? Construction::graded : construction);
        const ScoreSource& source = *list.pieces.back().source;
        const auto whole = block_of(source, 12, 600);
        nets::Matrix<double> part(3, 70);
        source.fill(4, 500, part.view());
        const BalancedField residues = source.field();
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 70; ++j) {
                ASSERT_EQ(residues.to_integer(part(i, j)), whole(4 + i, 500 + j));
            }
        }
    }
}

// RANKS.md: measured by a prototype.
const Value known[] = {
    {"attention:depth=1,width=4,heads=1", 4, "half", 5},
    {"attention:depth=1,width=4,heads=2", 8, "half", 5},
    {"attention:depth=2,width=1,heads=1", 2, "half", 5},
    {"attention:depth=2,width=2,heads=1", 2, "half", 15},
    {"attention:depth=2,width=3,heads=1", 2, "half", 35},
    {"attention:depth=2,width=4,heads=1", 2, "half", 70},
    {"attention:depth=2,width=2,heads=1", 4, "half", 18},
    {"attention:depth=2,width=3,heads=1", 4, "half", 49},
    {"attention:depth=2,width=3,heads=1", 6, "interleaved", 49},
    {"attention:depth=2,width=4,heads=1", 8, "half", 110},
    {"attention:depth=2,width=2,heads=2", 4, "half", 17},
    {"attention:depth=2,width=4,heads=2", 8, "half", 107},
    {"attention:depth=2,width=4,heads=4", 8, "half", 85},
    {"attention:depth=2,width=4,heads=2,head_dim=4", 8, "half", 110},
    {"attention:depth=3,width=1,heads=1", 4, "half", 14},
    {"attention:depth=3,width=2,heads=1", 2, "half", 105},
    {"attention:depth=3,width=2,heads=1", 4, "half", 232},
    {"attention:depth=3,width=2,heads=2", 4, "half", 215},
    {"attention:depth=3,width=2,heads=1,head_dim=1", 4, "half", 50},
    {"attention:depth=3,width=2,heads=4,head_dim=1", 4, "half", 232},
    {"square-mixer:rows=2,cols=2,depth=3", 0, "rows", 25},
    {"square-mixer:rows=2,cols=2,depth=4", 0, "rows", 81},
    {"square-mixer:rows=2,cols=2,depth=4", 0, "columns", 25},
    {"square-mixer:rows=2,cols=4,depth=2", 0, "rows", 20},
    {"square-mixer:rows=2,cols=4,depth=3", 0, "rows", 105},
    {"square-mixer:rows=2,cols=4,depth=3", 0, "columns", 9},
    {"square-mixer:rows=4,cols=2,depth=3", 0, "columns", 20},
};

class KnownRanks : public ::testing::TestWithParam<Value> {};

TEST_P(KnownRanks, EveryConstructionThatApplies) {
    const Value& v = GetParam();
    const auto network = network_of(v.spec, v.positions);
    const Partition partition = partition_of(*network, v.partition);
    EXPECT_EQ(measured_rank(network, partition, Construction::gram, v.rank), v.rank);
    EXPECT_EQ(measured_rank(network, partition, Construction::graded, v.rank), v.rank);
    EXPECT_EQ(measured_rank(network, partition, Construction::automatic, v.rank), v.rank);
    const auto list = pieces(network, partition, Construction::automatic);
    ASSERT_TRUE(list.rank_bound.has_value());
    EXPECT_LE(v.rank, *list.rank_bound);
}

INSTANTIATE_TEST_SUITE_P(Ranks, KnownRanks, ::testing::ValuesIn(known));

// WIES, L = 2, d = 6, N = 8: the rank of the embedding is a bottleneck, and positions widen it.
TEST(Constructions, EmbeddingBottleneck) {
    const std::size_t none[] = {5, 18, 49}, shared[] = {12, 39, 95}, free[] = {31, 108, 200};
    for (std::size_t r = 1; r <= 3; ++r) {
        const std::string spec =
            "attention:depth=2,width=6,heads=1,embedding=conv,vocab=8,embedding_rank=" + std::to_string(r);
        const auto rank = [&](const std::string& text, std::size_t expected) {
            const auto network = network_of(text, 8);
            return measured_rank(network, partition_of(*network, "half"), Construction::automatic, expected);
        };
        EXPECT_EQ(rank(spec, none[r - 1]), none[r - 1]);
        EXPECT_EQ(rank(spec + ",positions=ranked,position_rank=1", shared[r - 1]), shared[r - 1]);
        EXPECT_EQ(rank(spec + ",positions=free", free[r - 1]), free[r - 1]);
    }
}

// CAPACITY 5.2: tokens without positions; V <= r (r + 1) / 2 binds.
TEST(Constructions, TokensAreStrings) {
    const struct {
        const char* spec;
        std::int64_t positions;
        std::size_t rank;
    } cases[] = {
        {"attention:depth=2,width=2,heads=1,embedding=vocab,vocab=2,embedding_rank=2", 12, 5},
        {"attention:depth=2,width=3,heads=1,embedding=vocab,vocab=3,embedding_rank=3", 10, 13},
        {"attention:depth=2,width=2,heads=1,embedding=vocab,vocab=4,embedding_rank=2", 8, 18},
        {"attention:depth=2,width=3,heads=1,embedding=vocab,vocab=3,embedding_rank=3", 4, 6},
    };
    for (const auto& c : cases) {
        const auto network = network_of(c.spec, c.positions, 5, default_prime, Inputs::tokens);
        EXPECT_EQ(measured_rank(network, partition_of(*network, "half"), Construction::automatic, c.rank),
                  c.rank)
            << c.spec;
    }
}

// NAVON: sup and inf over all ten partitions.
TEST(Constructions, MixersDependOnThePartition) {
    const struct {
        const char* spec;
        std::size_t sup, inf;
    } cases[] = {{"square-mixer:rows=2,cols=3,depth=2", 14, 6},
                 {"square-mixer:rows=2,cols=3,depth=3", 55, 22},
                 {"square-mixer:rows=3,cols=2,depth=2", 9, 3},
                 {"square-mixer:rows=3,cols=2,depth=3", 55, 14}};
    for (const auto& c : cases) {
        const auto network = network_of(c.spec);
        std::size_t sup = 0, inf = SIZE_MAX;
        const auto all = parse_partitions("all", network->facts().split, 1);
        for (const Partition& partition : *all) {
            const std::size_t rank = measured_rank(network, partition, Construction::gram, c.sup);
            sup = std::max(sup, rank), inf = std::min(inf, rank);
        }
        EXPECT_EQ(sup, c.sup) << c.spec;
        EXPECT_EQ(inf, c.inf) << c.spec;
    }
}

// The rank knows neither the names of the positions within a side nor the names of the sides.
TEST(Constructions, RelabellingPositionsChangesNothing) {
    const auto network = network_of("attention:depth=2,width=3,heads=3", 6);
    for (const char* left : {"0,1,2", "0,2,4", "3,4,5", "1,3,5"}) {
        const Partition partition = partition_with_left(left, network->facts().split).value();
        for (const OutputIndex output : {OutputIndex{0, 0}, OutputIndex{2, 4}}) {
            EXPECT_EQ(measured_rank(network, partition, Construction::automatic, 60, output), 43U) << left;
        }
    }
    const Partition unbalanced = partition_with_left("0", network->facts().split).value();
    EXPECT_NE(measured_rank(network, unbalanced, Construction::automatic, 60), 43U);
}

// The same ranks modulo 2^61 - 1 from the literal network alone.
TEST(Constructions, LiteralNetworkModuloALargePrimeAgrees) {
    const nets::PrimeField large;
    for (const char* text :
         {"attention:depth=2,width=3,heads=1", "attention:depth=2,width=2,heads=2,residual=on",
          "attention:depth=1,width=3,heads=1,positions=free"}) {
        const auto small = network_of(text, 4), big = network_of(text, 4, 5, large.prime());
        const Partition partition = partition_of(*small, "half");
        const auto scores = literal_matrix(*big, partition, {}, 60, 60, 3);
        EXPECT_EQ(testing::rank_mod_p(large, scores),
                  measured_rank(small, partition, Construction::automatic, 60))
            << text;
    }
}

// A residual or permutations change little, a skip makes graded pieces impossible.
TEST(Constructions, ResidualMixers) {
    const auto network = network_of("square-mixer:rows=3,cols=2,depth=2,residual=1+2");
    std::size_t sup = 0;
    const auto all = parse_partitions("all", network->facts().split, 1);
    for (const Partition& partition : *all) {
        const auto list = pieces(network, partition, Construction::automatic);
        EXPECT_EQ(list.construction, Construction::gram);
        sup = std::max(sup, separation_rank(list, 30));
        EXPECT_LE(sup, *list.rank_bound);
    }
    EXPECT_EQ(sup, 10U);
}

// A residual brings in monomials with fewer Gram factors, and the bound counts them (L = 2, d = 2: 1 + 3 + 6
// + 8
// + 2). Measured here: the rank stays what it is without.
TEST(Constructions, ResidualAttentionHasTheRankOfPlainAttention) {
    for (const auto& [text, positions, rank, bound] :
         {std::tuple{"attention:depth=2,width=2,heads=1,residual=on", 4, 18U, 20U},
          {"attention:depth=2,width=3,heads=1,residual=on", 6, 49U, 52U},
          {"attention:depth=3,width=2,heads=2,residual=on", 4, 215U, 290U}}) {
        const auto network = network_of(text, positions);
        const auto list = pieces(network, partition_of(*network, "half"), Construction::automatic);
        EXPECT_EQ(separation_rank(list, bound), rank) << text;
        EXPECT_EQ(*list.rank_bound, bound) << text;
    }
}

TEST(Constructions, AutomaticTakesTheCheapest) {
    const auto chosen = [](const char* text, std::int64_t positions) {
        const auto network = network_of(text, positions);
        return pieces(network, partition_of(*network, "half"), Construction::automatic).construction;
    };
    EXPECT_EQ(chosen("attention:depth=2,width=3,heads=1", 6), Construction::catalecticant);
    EXPECT_EQ(chosen("attention:depth=2,width=3,heads=1", 4), Construction::graded);
    EXPECT_EQ(chosen("attention:depth=2,width=3,heads=1,residual=on", 6), Construction::gram);
    EXPECT_EQ(chosen("attention:depth=2,width=3,heads=1,positions=free", 6), Construction::gram);
    EXPECT_EQ(chosen("square-mixer:rows=2,cols=2,depth=3", 0), Construction::graded);
}

TEST(Constructions, RefusalsSayWhy) {
    const auto error = [](const char* text, std::int64_t positions, Construction construction,
                          std::uint64_t prime = default_prime) {
        const auto network = network_of(text, positions, 5, prime);
        return pieces_for({.network = network,
                           .partition = partition_of(*network, "half"),
                           .output = {},
                           .construction = construction,
                           .max_bytes = 1 << 20})
            .error()
            .text();
    };
    EXPECT_EQ(
        error("attention:depth=2,width=3,heads=1,residual=on", 6, Construction::graded),
        "construction: graded needs a homogeneous network: no residual, no positional vectors, no tokens");
    EXPECT_EQ(error("attention:depth=3,width=2,heads=1", 4, Construction::graded, 13),
              "construction: graded needs a prime above 13, the degree in a side");
    EXPECT_EQ(
        error("attention:depth=2,width=3,heads=1", 4, Construction::catalecticant),
        "construction: catalecticant needs at least 3 positions on either side and inputs of full rank, "
        "without positional vectors or tokens");
    EXPECT_EQ(error("square-mixer:rows=2,cols=2,depth=1", 0, Construction::catalecticant),
              "construction: catalecticant is for attention");
    EXPECT_THAT(error("attention:depth=3,width=4,heads=1", 8, Construction::catalecticant),
                ::testing::MatchesRegex(
                    "construction: catalecticant would need .* for its tables, more than 1.00 MiB"));
    EXPECT_THAT(error("square-mixer:rows=2,cols=2,depth=13", 0, Construction::graded),
                ::testing::HasSubstr("8193 are too many"));
}

TEST(Constructions, NamesGoBothWays) {
    for (const char* name : {"automatic", "gram", "graded", "catalecticant", "literal"}) {
        EXPECT_EQ(to_text(parse_construction(name).value()), name);
    }
    EXPECT_EQ(parse_construction("grma").error().text(),
              "construction: unknown construction 'grma' (did you mean gram?)");
}

}  // namespace
}  // namespace plimsoll::rank
