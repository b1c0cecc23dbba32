// The gradient-noise scale: estimators against known laws, and runs that measure it.
#include "plimsoll/train/noise_scale.h"

#include <cmath>

#include <torch/csrc/autograd/autograd.h>

#include "plimsoll/base/random.h"
#include "plimsoll/store/run_folder.h"
#include "plimsoll/train/gradient_squares.h"
#include "plimsoll/train/loss.h"
#include "plimsoll/train/run_setup.h"
#include "tests/support/error_text.h"
#include "tests/train/train_test_support.h"

namespace plimsoll::train {
namespace {

constexpr int dimensions = 12;
constexpr std::int64_t batch = 16, part = 4;

// Gradients of examples: the mean has `mean` in every entry, entry k the variance (k + 1) / 4.
struct KnownLaw {
    double mean;
    RandomStream stream;

    [[nodiscard]] double square() const { return dimensions * mean * mean; }
    [[nodiscard]] static double trace() { return dimensions * (dimensions + 1) / 8.0; }

    double normal() {
        const double radius = std::sqrt(-2 * std::log(1 - stream.uniform()));
        return radius * std::cos(2 * 3.14159265358979 * stream.uniform());
    }
    // The mean gradient of so many examples.
    std::vector<double> gradient(std::int64_t examples) {
        std::vector<double> result;
        for (int k = 0; k < dimensions; ++k)
            result.push_back(mean + normal() * std::sqrt((k + 1) / 4.0 / static_cast<double>(examples)));
        return result;
    }
    NoiseSample sample() {
        GradientSquares squares{0, 0, batch, part};
        std::vector<double> whole(dimensions);
        for (std::int64_t p = 0; p < batch / part; ++p) {
            const auto one = gradient(part);
            for (int k = 0; k < dimensions; ++k) {
                whole[std::size_t(k)] += one[std::size_t(k)] * part / batch;
                squares.mean_of_parts += one[std::size_t(k)] * one[std::size_t(k)] * part / batch;
            }
        }
        for (const double entry : whole) squares.whole += entry * entry;
        return noise_sample(squares);
    }
};

KnownLaw law(double mean, const char* name) { return {mean, RandomStream(1, name)}; }

TEST(NoiseScale, EstimatesHaveNoBias) {
    constexpr int count = 20'000;
    KnownLaw known = law(0.3, "bias");
    double square = 0, trace = 0, square_square = 0, trace_square = 0;
    for (int i = 0; i < count; ++i) {
        const NoiseSample one = known.sample();
        square += one.gradient_square / count, trace += one.trace / count;
        square_square += one.gradient_square * one.gradient_square / count;
        trace_square += one.trace * one.trace / count;
    }
    const auto error = [](double mean, double squares) { return std::sqrt((squares - mean * mean) / count); };
    EXPECT_NEAR(square, known.square(), 4 * error(square, square_square));
    EXPECT_NEAR(trace, KnownLaw::trace(), 4 * error(trace, trace_square));
    EXPECT_LT(error(square, square_square) / known.square(), 0.02) << "a bias of 1 / batch would be seen";
}

// 600 intervals; a share of 0.95 of them is 570 +- 5.3, and Fieller's is exact only for normal estimates.
TEST(NoiseScale, IntervalsCoverTheTruthAsOftenAsTheySay) {
    KnownLaw known = law(0.5, "cover");
    const double truth = KnownLaw::trace() / known.square();
    for (const int samples : {4, 10}) {
        int covered = 0, bounded = 0;
        for (int i = 0; i < 600; ++i) {
            std::vector<NoiseSample> drawn;
            for (int s = 0; s < samples; ++s) drawn.push_back(known.sample());
            const NoiseScale scale = noise_scale(drawn);
            ASSERT_TRUE(scale.low && scale.high);
            covered += *scale.low <= truth && truth <= *scale.high;
            bounded += std::isfinite(*scale.high);
        }
        EXPECT_GE(covered, 552) << samples;
        EXPECT_LE(covered, 590) << samples;
        EXPECT_GE(bounded, 400) << samples;
    }
}

TEST(NoiseScale, AGradientThatIsNotThereHasNoUpperEnd) {
    KnownLaw nothing = law(0, "zero");
    int endless = 0;
    for (int i = 0; i < 100; ++i) {
        std::vector<NoiseSample> drawn;
        for (int s = 0; s < 8; ++s) drawn.push_back(nothing.sample());
        const NoiseScale scale = noise_scale(drawn);
        endless += std::isinf(*scale.high);
        EXPECT_GE(*scale.low, 0);
    }
    EXPECT_GE(endless, 88);
}

TEST(NoiseScale, FewSamplesHaveNoIntervalAndNoneHaveNothing) {
    KnownLaw known = law(0.5, "few");
    const std::vector<NoiseSample> three{known.sample(), known.sample(), known.sample()};
    EXPECT_FALSE(noise_scale(three).low);
    EXPECT_EQ(noise_scale(three).samples, 3);
    EXPECT_EQ(noise_scale({}).samples, 0);
    const std::vector<NoiseSample> nine(9, NoiseSample{2, 6});
    EXPECT_EQ(recent_noise_scale(nine).samples, 5) << "the later half";
    EXPECT_EQ(recent_noise_scale(nine).scale, 3);
}

TEST(NoiseScale, ARowReadsBackAsItself) {
    for (const double mean : {0.0, 0.5}) {
        KnownLaw known = law(mean, "row");
        std::vector<NoiseSample> drawn;
        for (int s = 0; s < 6; ++s) drawn.push_back(known.sample());
        const NoiseScale scale = noise_scale(drawn);
        const auto row = parse_json(to_json(drawn.back(), scale).dump(), "row").value();
        EXPECT_EQ(noise_sample_of(row).trace, drawn.back().trace);
        EXPECT_EQ(noise_sample_of(row).gradient_square, drawn.back().gradient_square);
        EXPECT_EQ(noise_scale_of(row).scale, scale.scale);
        EXPECT_EQ(noise_scale_of(row).low, scale.low);
        EXPECT_EQ(noise_scale_of(row).high, scale.high);
        EXPECT_EQ(noise_scale_of(row).samples, 6);
    }
}

TEST(NoiseScale, BatchesAreCutIntoFourPartsOrMore) {
    EXPECT_EQ(noise_parts(64, 1), 4);
    EXPECT_EQ(noise_parts(64, 8), 8);
    EXPECT_EQ(noise_parts(6, 1), 6);
    EXPECT_EQ(noise_parts(6, 3), 6);
    EXPECT_EQ(noise_parts(2, 1), 2);
    EXPECT_EQ(noise_parts(30, 3), 6);
}

class NoisyRuns : public TrainTest {
  protected:
    static run::RunConfig config(std::vector<std::string> more = {}) {
        more.insert(more.begin(), "train.noise_every=3");
        return config_of(text_run, more);
    }
    static std::vector<Json> noise_rows(const RunSummary& summary) {
        std::vector<Json> rows;
        const auto all = store::read_metrics(summary.folder).value();
        for (const Json& row : all)
            if (row.contains("noise")) rows.push_back(row);
        return rows;
    }
    // Weights and the optimizer's memory, and the rows that are not about noise.
    static std::string trained(const RunSummary& summary) {
        std::string all;
        const auto rows = store::read_metrics(summary.folder).value();
        for (const Json& row : rows)
            if (!row.contains("noise")) all += row.dump() + "\n";
        const auto checkpoint = store::latest_checkpoint(summary.folder).value();
        for (const char* name : {"weights.safetensors", "optimizer.safetensors"})
            all += read_text(checkpoint->folder / name).value();
        return all;
    }
};

TEST_F(NoisyRuns, TrainAsIfNobodyMeasured) {
    for (const auto& also : std::vector<std::vector<std::string>>{
             {}, {"model.dropout=0.2", "optimizer.accumulate=2"}, {"train.batch=7"}}) {
        const auto measured = run(config(also)).value(), plain = run(config_of(text_run, also)).value();
        EXPECT_EQ(trained(measured), trained(plain));
        EXPECT_EQ(noise_rows(measured).size(), 10U);
        EXPECT_TRUE(noise_rows(plain).empty());
        EXPECT_FALSE(plain.noise);
        ASSERT_TRUE(measured.noise);
        EXPECT_EQ(measured.noise->samples, 5);
    }
}

TEST_F(NoisyRuns, ResumeWithTheSameRows) {
    const std::string undisturbed = bytes_of(run(config(), "whole"));
    stop_at(config(), 20);
    const auto resumed = run(config());
    EXPECT_EQ(bytes_of(resumed), undisturbed);
    const auto again = run(config());
    EXPECT_TRUE(again->was_done);
    EXPECT_EQ(again->noise->scale, resumed->noise->scale);
    EXPECT_EQ(again->noise->high, resumed->noise->high);
}

TEST_F(NoisyRuns, HaveTheirOwnNoiseInAStack) {
    std::vector<run::RunConfig> configs;
    for (const char* seed : {"1", "2", "3"})
        configs.push_back(config(
            {"train.precision=fp64", std::string("seeds.init=") + seed, std::string("seeds.data=") + seed}));
    configs[1].train.noise_every = 6;
    TrainOptions options;
    options.runs = folder_.path() / "stack";
    const auto together = train_stack(configs, options);
    for (std::size_t k = 0; k < configs.size(); ++k) {
        ASSERT_TRUE(together[k].ok()) << error_text(together[k]);
        const auto alone = run(configs[k]).value();
        const auto rows = noise_rows(alone), stacked = noise_rows(*together[k]);
        ASSERT_EQ(rows.size(), stacked.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const NoiseSample own = noise_sample_of(rows[i]["noise"]),
                              shared = noise_sample_of(stacked[i]["noise"]);
            EXPECT_NEAR(own.trace, shared.trace, 1e-8 * (1 + std::abs(own.trace)));
            EXPECT_NEAR(own.gradient_square, shared.gradient_square, 1e-8);
        }
    }
}

// All examples of the set, one by one, at weights that stay as they start: what the run estimates from a few
// batches.
TEST_F(NoisyRuns, IntervalsHoldTheScaleOfTheWholeSet) {
    const run::RunConfig still =
        config({"data.name=synthetic:grammar,bytes=8000", "optimizer.lr=1e-12", "optimizer.weight_decay=0",
                "train.noise_every=1", "train.precision=fp64"});
    const auto network = build_network(still, torch::kCPU).value();
    const auto feed = make_feed(still, {.plan = feed_plan({still}, torch::kCPU, 1)}).value();
    const torch::Tensor first = at::zeros({1}, at::kLong);
    double squares = 0, count = 0;
    torch::Tensor sum;
    for (std::int64_t step = 1; step <= feed->epoch_examples() / still.train.batch; ++step) {
        feed->choose(step, 1);
        for (std::int64_t one = 0; one < still.train.batch; ++one, ++count) {
            const Batch example = feed->at(first, one, still.train.batch);
            std::vector<torch::Tensor> leaves, flat;
            for (const auto& parameter : network->parameters()) leaves.push_back(parameter.tensor);
            const torch::Tensor loss =
                losses_of(network->forward(example.input, 0), example.targets, 1).sum();
            for (const auto& gradient : torch::autograd::grad({loss}, leaves))
                flat.push_back(gradient.flatten());
            const torch::Tensor gradient = at::cat(flat);
            squares += gradient.square().sum().item<double>();
            sum = sum.defined() ? sum + gradient : gradient;
        }
    }
    ASSERT_GT(count, 300);
    const double square = (sum / count).square().sum().item<double>(), truth = squares / count / square - 1;
    const NoiseScale found = run(still)->noise.value();
    EXPECT_EQ(found.samples, 15);
    EXPECT_LE(*found.low, truth);
    EXPECT_GE(*found.high, truth);
    EXPECT_LT(*found.high / *found.low, 2) << "an interval that says something";
}

TEST_F(NoisyRuns, NeedPartsToCompare) {
    const auto refused = run::parse_run_config(
        text_run, "run.toml", std::vector<std::string>{"train.noise_every=3", "train.batch=1"});
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().text(), ::testing::HasSubstr("train.batch must be 2 or more"));
}

}  // namespace
}  // namespace plimsoll::train
