// Values of a prototype (and of CAPACITY's predictions) that take more than a moment: every construction that
// applies with the elimination that suits it.
#include <gtest/gtest.h>

#include "plimsoll/rank/elimination/elimination.h"
#include "tests/rank/score_support.h"

namespace plimsoll::rank {
namespace {

const Value values[] = {
    {"attention:depth=2,width=6,heads=1", 8, "half", 385},
    {"attention:depth=2,width=6,heads=2", 8, "half", 379},
    {"attention:depth=2,width=6,heads=6", 8, "half", 231},
    {"attention:depth=2,width=8,heads=1", 8, "half", 999},
    {"attention:depth=2,width=8,heads=2", 8, "interleaved", 989},
    {"attention:depth=2,width=8,heads=8", 8, "half", 489},
    {"attention:depth=3,width=3,heads=1", 2, "half", 560},
    {"attention:depth=3,width=3,heads=1", 4, "half", 2640},
    {"attention:depth=3,width=3,heads=1", 6, "half", 3102},
    {"attention:depth=2,width=6,heads=1,embedding=conv,vocab=6,embedding_rank=5", 8, "half", 216},
    {"attention:depth=2,width=6,heads=1,embedding=conv,vocab=6,embedding_rank=5,positions=free", 8, "half",
     357},
    {"attention:depth=3,width=4,heads=1,embedding=conv,vocab=4,embedding_rank=2,positions=ranked,position_"
     "rank=1",
     8, "half", 1548},
    {"attention:depth=3,width=4,heads=1,embedding=conv,vocab=4,embedding_rank=1,positions=free", 8, "half",
     582},
    {"square-mixer:rows=2,cols=2,depth=6", 0, "rows", 1089},
    {"square-mixer:rows=2,cols=4,depth=4", 0, "rows", 825},
    {"square-mixer:rows=2,cols=4,depth=4", 0, "columns", 105},
    {"square-mixer:rows=4,cols=4,depth=3", 0, "rows", 660},
    {"square-mixer:rows=2,cols=6,depth=4", 0, "rows", 4719},
};

class MeasuredValues : public ::testing::TestWithParam<Value> {
  protected:
    void SetUp() override {
        const Status ready = prepare_elimination();
        if (!ready.ok()) GTEST_SKIP() << ready.error().text();
    }
};

std::size_t total_rank(const std::shared_ptr<const RandomNetwork>& network, const Value& v,
                       Construction construction) {
    const auto list = pieces_for({.network = network,
                                  .partition = partition_of(*network, v.partition),
                                  .output = {},
                                  .construction = construction});
    std::size_t total = 0;
    for (const Piece& piece : list->pieces) {
        const EliminationResult result = measure_rank(*piece.source, {});
        EXPECT_FALSE(result.saturated) << piece.name;
        EXPECT_LE(result.rank, piece.bound_rows.value_or(SIZE_MAX)) << piece.name;
        EXPECT_LE(result.rank, piece.bound_cols.value_or(SIZE_MAX)) << piece.name;
        total += result.rank;
    }
    return total;
}

TEST_P(MeasuredValues, OnceMore) {
    const Value& v = GetParam();
    const auto network = network_of(v.spec, v.positions);
    EXPECT_EQ(total_rank(network, v, Construction::gram), v.rank);
    EXPECT_EQ(total_rank(network, v, Construction::automatic), v.rank);
}

INSTANTIATE_TEST_SUITE_P(Values, MeasuredValues, ::testing::ValuesIn(values));

}  // namespace
}  // namespace plimsoll::rank
