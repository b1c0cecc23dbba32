// Laws of the mixers that are trained elsewhere and polynomials with the square activation: pk, s-mixer,
// rp-mixer.
#include "plimsoll/base/format.h"
#include "tests/rank/known_rank.h"

namespace plimsoll::rank {
namespace {

INSTANTIATE_TEST_SUITE_P(
    Mixers, KnownRank,
    ::testing::Values(Known{"s-mixer:depth=2,tokens=2,channels=2,activation=square,norm=none,"
                            "bias=off,skip=off",
                            0, 81},
                      Known{"s-mixer:depth=1,tokens=4,channels=4,activation=square,norm=none,"
                            "bias=off,skip=off",
                            0, 20}));

template <class Choices>
std::string pick(RandomStream& stream, const Choices& choices) {
    return choices[stream.below(choices.size())];
}

// Blocks divide the width, one number per layer or one for all.
std::string draw_pk(RandomStream& stream) {
    const std::string blocks = pick(stream, std::vector<std::string>{"1", "2", "4", "1+2", "2+4"});
    const std::uint64_t depth = blocks.size() > 1 ? 2 : 1 + stream.below(3),
                        width = 4 * (1 + stream.below(2));
    std::string order = pick(stream, std::vector<std::string>{"none", "commutation", "random"});
    if (order == "random") order += fmt::format(",permutation_seed={}", stream.below(100));
    return fmt::format("pk:depth={},width={},activation=square,blocks={},permutations={}", depth, width,
                       blocks, order);
}

// One block on up to 4 x 4 entries, or two on 2 x 2.
std::string draw_mixer(RandomStream& stream, const std::string& family) {
    const std::uint64_t depth = 1 + stream.below(2);
    const auto size = [&] { return depth == 2 ? 2 : 2 + stream.below(3); };
    const std::uint64_t tokens = size(), channels = size();
    std::string spec =
        fmt::format("{}:depth={},tokens={},channels={},activation=square,norm=none,bias=off,skip={}", family,
                    depth, tokens, channels, stream.below(2) == 0 ? "on" : "off");
    if (family == "rp-mixer") spec += fmt::format(",permutation_seed={}", stream.below(100));
    return spec;
}

std::string draw(const std::string& family, RandomStream& stream) {
    return family == "pk" ? draw_pk(stream) : draw_mixer(stream, family);
}

void expect_no_violation(const RankReport& report) {
    for (const auto& bound : report.bounds) {
        if (!bound.sound) continue;
        EXPECT_NE(bound.agreement, Agreement::violated)
            << report.spec << " " << report.best_partition().name << " rank " << report.rank << " "
            << bound.id << " " << bound.note;
    }
}

// Every bound that is not refuted, for several partitions; the counting bound is always among them.
TEST(MixerLawTest, NoSoundBoundIsViolated) {
    for (const std::string family : {"pk", "s-mixer", "rp-mixer"}) {
        RandomStream stream(17, family);
        int measured = 0, bounded = 0;
        for (int draws = 0; draws < 12; ++draws) {
            RankQuestion question = question_of(draw(family, stream));
            question.max_size = 300;
            for (const char* partition : {"half", "interleaved", "random:2"}) {
                question.partition = partition;
                const auto report = measure_rank(question);
                if (!report.ok()) continue;  // odd numbers of entries
                ++measured;
                bounded += report->bounds.empty() ? 0 : 1;
                expect_no_violation(*report);
            }
        }
        EXPECT_GE(measured, 20) << family;
        EXPECT_EQ(bounded, measured) << family;
    }
}

// Relabelling entries within a side cannot matter: the same set in another order.
TEST(MixerLawTest, TheOrderWithinASideDoesNotMatter) {
    for (const char* spec : {"pk:depth=2,width=4,activation=square,blocks=2,permutations=commutation",
                             "s-mixer:depth=1,tokens=2,channels=2,activation=square,norm=none,bias=off",
                             "rp-mixer:depth=1,tokens=2,channels=2,activation=square,norm=none,bias=off"}) {
        RankQuestion question = question_of(spec);
        question.left = "0,2";
        const std::size_t rank = rank_of(question);
        question.left = "2,0";
        EXPECT_EQ(rank_of(question), rank) << spec;
    }
}

// A plain s-mixer of two tokens is the square mixer with two layers a block.
TEST(MixerLawTest, APlainSMixerIsASquareMixer) {
    for (const int depth : {1, 2}) {
        const auto simple = question_of(fmt::format(
            "s-mixer:depth={},tokens=2,channels=2,activation=square,norm=none,bias=off,skip=off", depth));
        const auto square = question_of(fmt::format("square-mixer:rows=2,cols=2,depth={}", 2 * depth));
        EXPECT_EQ(rank_of(simple), rank_of(square)) << depth;
    }
}

}  // namespace
}  // namespace plimsoll::rank
