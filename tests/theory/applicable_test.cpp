#include "plimsoll/theory/ids/applicable.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/nets/attention.h"
#include "plimsoll/nets/square_nets.h"
#include "tests/support/sampled_rank.h"
#include "tests/theory/laws.h"

namespace plimsoll::theory {
namespace {

using ::testing::HasSubstr;

BoundTable table_of(const std::string& text, std::optional<std::int64_t> context = std::nullopt) {
    const auto spec = arch::parse_spec(text);
    EXPECT_TRUE(spec.ok()) << spec.error().text();
    auto table = bounds_for(*spec, context);
    EXPECT_TRUE(table.ok()) << text << ": " << table.error().text();
    return *table;
}

const BoundRow* row(const BoundTable& table, const std::string& id) {
    for (const auto& r : table.rows) {
        if (r.id == id) return &r;
    }
    return nullptr;
}

// What must hold of every table, whatever the spec.
void expect_coherent(const BoundTable& table) {
    EXPECT_FALSE(table.subject.empty());
    int lower = 0, upper = 0;
    for (const auto& r : table.rows) {
        const auto formula = find_formula(r.id);
        ASSERT_TRUE(formula.ok()) << r.id;
        EXPECT_EQ((*formula)->standing, r.standing) << r.id;
        EXPECT_TRUE(r.log3.is_finite()) << r.id;
        if (r.tightest) {
            EXPECT_TRUE(r.sound) << r.id;
            ++(r.side == Side::lower ? lower : upper);
        }
        if (r.standing == Standing::refuted) {
            EXPECT_FALSE(r.note.empty()) << r.id;
            EXPECT_FALSE(r.erratum.empty()) << r.id;
        }
    }
    EXPECT_LE(lower, 1);
    EXPECT_EQ(upper, 1);
    for (const auto& low : table.rows) {
        if (low.side != Side::lower || !low.sound) continue;
        for (const auto& high : table.rows) {
            if (high.side != Side::upper || !high.sound) continue;
            EXPECT_NE(less(high.log3, low.log3), Verdict::proved) << low.id << " above " << high.id;
        }
    }
    // The marked ones are the extremes of the sound ones.
    for (const auto& r : table.rows) {
        if (!r.sound) continue;
        const BoundRow* best = table.tightest(r.side);
        ASSERT_NE(best, nullptr);
        const Verdict beaten = r.side == Side::upper ? less(r.log3, best->log3) : less(best->log3, r.log3);
        EXPECT_NE(beaten, Verdict::proved) << r.id << " is tighter than " << best->id;
    }
}

TEST(BoundsFor, EveryTableIsCoherent) {
    testing::for_random_specs(12, [](const arch::ArchSpec& spec) {
        for (const auto& context : {std::optional<std::int64_t>(), std::optional<std::int64_t>(2),
                                    std::optional<std::int64_t>(7), std::optional<std::int64_t>(64)}) {
            const auto table = bounds_for(spec, context);
            const std::string family = arch::family_name(spec);
            if (!table.ok()) {
                const bool attentive = family == "attention" || family == "transformer";
                EXPECT_FALSE(attentive) << table.error().text();
                continue;
            }
            expect_coherent(*table);
        }
    });
}

TEST(BoundsFor, DeepAndWideSpecsToo) {
    for (const char* text :
         {"attention:depth=200,width=20000,heads=100", "attention:depth=700,width=64,heads=4",
          "attention:depth=12,width=768,heads=12", "attention:depth=96,width=12288,heads=96",
          "attention:depth=1,width=1,heads=1", "transformer:depth=12,width=768,heads=12,vocab=50257"}) {
        expect_coherent(table_of(text));
        expect_coherent(table_of(text, 1024));
        expect_coherent(table_of(text, 2));
    }
    expect_coherent(table_of("attention:depth=200,width=20000,heads=100", 1'000'000));
}

// The rank of random weights over F_p with an even split: at most every sound upper bound and, at generic
// weights, at least every sound lower bound.
std::size_t measured_rank(const arch::AttentionSpec& spec, std::size_t positions, std::size_t samples,
                          std::uint64_t seed) {
    const nets::PrimeField field;
    const nets::Attention<nets::PrimeField> net(
        field, nets::draw_attention(field, spec, static_cast<std::int64_t>(positions), seed));
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < positions - positions / 2; ++i) left.push_back(i);
    const bool embedded = spec.embedding != arch::InputEmbedding::none;
    const auto rows = static_cast<std::size_t>(embedded ? spec.vocab : spec.width);
    return testing::sampled_rank(field, testing::split_columns(rows, positions, left), samples, seed,
                                 [&](const auto& x) {
                                     const auto y = net.forward(net.embed(x));
                                     return y(0, 0);
                                 });
}

void expect_rank_within(const arch::AttentionSpec& spec, std::int64_t positions, std::size_t samples) {
    const auto table = bounds_for(spec, positions);
    ASSERT_TRUE(table.ok());
    const std::size_t rank = measured_rank(spec, static_cast<std::size_t>(positions), samples, 1);
    const Ball log_rank = log3(Ball(static_cast<std::int64_t>(std::max<std::size_t>(rank, 1)), 128));
    for (const auto& r : table->rows) {
        if (!r.sound) continue;
        if (r.side == Side::upper) {
            EXPECT_NE(less(r.log3, log_rank), Verdict::proved) << "rank " << rank << " exceeds " << r.id;
        } else if (rank < samples) {  // a saturated sample says nothing about lower bounds
            EXPECT_NE(less(log_rank, r.log3), Verdict::proved) << "rank " << rank << " is below " << r.id;
        }
    }
}

TEST(BoundsFor, RanksOfRandomNetworksLieBetweenTheBounds) {
    for (const std::int64_t depth : {1, 2}) {
        for (const auto& [width, heads, head_dim] : {std::tuple{1, 1, 1},
                                                     {2, 1, 2},
                                                     {2, 2, 1},
                                                     {3, 1, 3},
                                                     {3, 2, 1},
                                                     {3, 1, 2},
                                                     {4, 2, 2},
                                                     {3, 2, 3}}) {
            for (const std::int64_t positions : {2, 3, 4, 6}) {
                for (const bool residual : {false, true}) {
                    arch::AttentionSpec spec{
                        .depth = depth, .width = width, .heads = heads, .head_dim = head_dim};
                    spec.embedding_rank = width;
                    spec.residual = residual;
                    const ::testing::ScopedTrace trace(
                        __FILE__, __LINE__, arch::to_text(spec) + " N=" + std::to_string(positions));
                    expect_rank_within(spec, positions, depth == 1 ? 12 : 70);
                }
            }
        }
    }
}

TEST(BoundsFor, RanksOfEmbeddedNetworksLieBetweenTheBounds) {
    for (const auto& [width, rank, numbers] :
         {std::tuple{4, 1, 3}, {4, 2, 3}, {4, 3, 3}, {3, 3, 5}, {6, 2, 2}}) {
        for (const std::int64_t position_rank : {0, 1, 2}) {
            for (const std::int64_t heads : {1, 2}) {
                for (const std::int64_t positions : {2, 4, 8}) {
                    arch::AttentionSpec spec{.depth = 2, .width = width, .heads = heads, .head_dim = width};
                    spec.embedding = arch::InputEmbedding::conv;
                    spec.vocab = numbers;
                    spec.embedding_rank = rank;
                    if (position_rank > 0) {
                        spec.positions = arch::Positions::ranked;
                        spec.position_rank = position_rank;
                    }
                    if (!arch::validate(spec).ok()) continue;
                    const ::testing::ScopedTrace trace(
                        __FILE__, __LINE__, arch::to_text(spec) + " N=" + std::to_string(positions));
                    expect_rank_within(spec, positions, 60);
                }
            }
        }
    }
}

// Measured and refused: the lower bounds claim what the constructions give, so at (d_a even) the printed one
// is not relied on.
TEST(BoundsFor, PrintedLowerBoundIsReliedOnForOddHeadsOnly) {
    const BoundTable even = table_of("attention:depth=4,width=16,heads=4"),
                     odd = table_of("attention:depth=4,width=12,heads=4");
    EXPECT_FALSE(row(even, "LEVINE-MS-LOWER")->sound);
    EXPECT_TRUE(row(odd, "LEVINE-MS-LOWER")->sound);
    EXPECT_TRUE(row(even, "LEVINE-MS-CONSTRUCT")->sound);
    // For patches the same: only when the rank splits into odd heads.
    const BoundTable patches_odd =
        table_of("attention:depth=4,width=16,heads=4,embedding=conv,vocab=12,embedding_rank=12");
    const BoundTable patches_even =
        table_of("attention:depth=4,width=16,heads=4,embedding=conv,vocab=16,embedding_rank=16");
    const BoundTable patches_half =
        table_of("attention:depth=4,width=16,heads=4,embedding=conv,vocab=16,embedding_rank=9");
    EXPECT_TRUE(row(patches_odd, "WIES-LOWER-CONV")->sound);
    EXPECT_FALSE(row(patches_even, "WIES-LOWER-CONV")->sound);
    EXPECT_FALSE(row(patches_half, "WIES-LOWER-CONV")->sound);
}

TEST(BoundsFor, RefutedBoundsAreJudgedByTheRepairedOne) {
    // Deep and N >= 2d: T4 lies below the repaired bound and is not relied on; shallow it is implied.
    const BoundTable deep = table_of("attention:depth=9,width=8,heads=8"),
                     shallow = table_of("attention:depth=2,width=64,heads=4");
    EXPECT_FALSE(row(deep, "LEVINE-T4")->sound);
    EXPECT_EQ(row(deep, "LEVINE-T4")->note, "not proved here");
    EXPECT_FALSE(row(deep, "LEVINE-T2-UPPER")->sound);
    EXPECT_TRUE(row(shallow, "LEVINE-T4")->sound);
    EXPECT_THAT(row(shallow, "LEVINE-T4")->note, HasSubstr("implied here"));
    EXPECT_EQ(deep.tightest(Side::upper)->id, "CAP-heads_bound_int");
}

TEST(BoundsFor, RowsAreTheFormulas) {
    const BoundTable t = table_of("attention:depth=12,width=768,heads=12", 1024);
    const auto inside = [&](const char* id, const Ball& value) {
        ASSERT_NE(row(t, id), nullptr) << id;
        EXPECT_TRUE(row(t, id)->log3.overlaps(value)) << id;
    };
    const Enclosure kappa = enclose_capacity(12, 768, 1024, 128);
    inside("CAP-bound_int", kappa.upper);
    inside("CAP-heads_bound_int", heads_bound_log3(12, {768, 12, 64}, 128));
    EXPECT_EQ(t.context, 1024);
    EXPECT_TRUE(t.reading.empty());
    const BoundTable open = table_of("attention:depth=12,width=768,heads=12");
    EXPECT_NE(row(open, "CAP-kappa_full"), nullptr);
    EXPECT_FALSE(open.context);
    const auto fact = [](const BoundTable& table, const std::string& name) -> std::string {
        for (const auto& f : table.facts) {
            if (f.name == name) return f.value;
        }
        return "";
    };
    EXPECT_EQ(fact(t, "context to width"), "1024 : 768");
    EXPECT_EQ(fact(open, "context to width"), "");
    EXPECT_EQ(
        fact(table_of("attention:depth=12,width=768,heads=12,embedding=vocab,vocab=50257", 1024), "L_sat"),
        "8");
}

TEST(BoundsFor, ReadingsSayWhatWasLeftOut) {
    EXPECT_THAT(table_of("attention:depth=3,width=8,heads=2,residual=on").reading, HasSubstr("residuals"));
    const BoundTable residual = table_of("attention:depth=3,width=8,heads=2,residual=on", 4);
    for (const auto& r : residual.rows) EXPECT_FALSE(r.id.starts_with("LEVINE")) << r.id;
    EXPECT_NE(row(residual, "CAP-kappa_full"), nullptr);
    EXPECT_THAT(table_of("transformer:depth=12,width=768,heads=12,vocab=50257").reading,
                HasSubstr("attention skeleton"));
    EXPECT_THAT(table_of("mixer:depth=2,tokens=4,channels=8").reading, HasSubstr("square mixer"));
    EXPECT_TRUE(table_of("square-mixer:depth=3,rows=4,cols=4").reading.empty());
}

// Measured against the any-split bound of the mixers, with residuals and permutations.
TEST(BoundsFor, RanksOfSquareMixersLieBelowTheBounds) {
    const nets::PrimeField field;
    for (const char* text :
         {"square-mixer:depth=1,rows=2,cols=2", "square-mixer:depth=2,rows=2,cols=3",
          "square-mixer:depth=3,rows=2,cols=2", "square-mixer:depth=3,rows=2,cols=2,residual=all",
          "square-mixer:depth=3,rows=2,cols=3,permutations=random", "square-mixer:depth=2,rows=3,cols=3"}) {
        const auto spec = std::get<arch::SquareMixerSpec>(*arch::parse_spec(text));
        const auto weights = nets::draw_square_mixer(field, spec, 1);
        const auto table = bounds_for(spec, std::nullopt);
        ASSERT_TRUE(table.ok());
        const auto n = static_cast<std::size_t>(spec.rows), m = static_cast<std::size_t>(spec.cols);
        std::vector<std::vector<std::size_t>> halves;
        if (n * m % 2 == 0) {
            halves = testing::halves_with_zero(n * m);
        } else {
            halves = {{0, 1, 2, 3}, {0, 2, 4, 6, 8}};
        }
        for (const auto& left : halves) {
            const auto rank = testing::sampled_rank(
                field, testing::split_entries(n, m, left), 64, 1,
                [&](const auto& x) { return nets::square_mixer(field, weights, x)(0, 0); });
            const Ball log_rank = log3(Ball(static_cast<std::int64_t>(rank), 128));
            for (const auto& r : table->rows) {
                if (r.sound) {
                    EXPECT_NE(less(r.log3, log_rank), Verdict::proved)
                        << text << " rank " << rank << " exceeds " << r.id;
                }
            }
        }
    }
}

TEST(BoundsFor, ErrorsSayWhatWouldBeRight) {
    const auto failure = [](const char* text, std::optional<std::int64_t> context) {
        const auto table = bounds_for(*arch::parse_spec(text), context);
        EXPECT_FALSE(table.ok()) << text;
        return table.ok() ? Error{} : table.error();
    };
    EXPECT_EQ(failure("attention:depth=2,width=4,heads=1", 1).text(), "context: must be at least 2, got 1");
    EXPECT_EQ(failure("square-mixer:depth=2,rows=4,cols=4", 8).text(),
              "context: a mixer has its own size: rows and cols");
    const Error unknown = failure("sw-mlp:depth=2,width=16,density=0.5", std::nullopt);
    EXPECT_EQ(unknown.kind, ErrorKind::unsupported);
    EXPECT_THAT(unknown.text(), HasSubstr("no bound speaks about this family"));
}

}  // namespace
}  // namespace plimsoll::theory
