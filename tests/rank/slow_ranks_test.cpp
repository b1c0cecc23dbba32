// Values and laws that take more than a tenth of a second.
#include "tests/rank/known_rank.h"
#include "tests/support/random_spec.h"

namespace plimsoll::rank {
namespace {

INSTANTIATE_TEST_SUITE_P(SlowRanks, KnownRank,
                         ::testing::Values(Known{"attention:depth=2,width=8,heads=1", 8, 999},
                                           Known{"attention:depth=2,width=8,heads=2", 4, 989},
                                           Known{"attention:depth=2,width=8,heads=8", 8, 489},
                                           Known{"attention:depth=3,width=3,heads=1", 2, 560},
                                           Known{"attention:depth=3,width=3,heads=1", 4, 2640},
                                           Known{"attention:depth=3,width=3,heads=1", 6, 3102},
                                           Known{"square-mixer:rows=2,cols=4,depth=4", 0, 825},
                                           Known{"square-mixer:rows=4,cols=4,depth=3", 0, 660}));

// Families that are polynomials, drawn small; bounds that are not refuted hold.
TEST(ExactRankLawTest, NoSoundBoundIsViolated) {
    int measured = 0;
    for (const char* family : {"attention", "square-mixer", "square-mlp"}) {
        for (std::uint64_t seed = 0; seed < 12; ++seed) {
            arch::ArchSpec spec = testing::random_spec(family, seed);
            RankQuestion question{.spec = spec};
            if (auto* attention = std::get_if<arch::AttentionSpec>(&question.spec)) {
                attention->depth = std::min<std::int64_t>(attention->depth, 2);
                if (attention->width > 12) continue;
                question.positions = 2 + 2 * static_cast<std::int64_t>(seed % 4);
            } else if (auto* mixer = std::get_if<arch::SquareMixerSpec>(&question.spec)) {
                if (mixer->depth > 4) continue;
            }
            question.max_size = 1500;
            question.threads = 1;
            const auto report = measure_rank(question);
            if (!report.ok()) continue;  // odd numbers of entries
            ++measured;
            for (const auto& bound : report->bounds) {
                if (!bound.sound) continue;
                EXPECT_NE(bound.agreement, Agreement::violated)
                    << report->spec << " positions " << question.positions.value_or(0) << " rank "
                    << report->rank << " " << bound.id << " " << bound.note;
            }
        }
    }
    EXPECT_GE(measured, 12);
}

}  // namespace
}  // namespace plimsoll::rank
