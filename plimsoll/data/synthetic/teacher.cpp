#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "plimsoll/arch/spec.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"
#include "plimsoll/data/synthetic/synthetic_settings.h"
#include "plimsoll/nets/attention.h"
#include "plimsoll/nets/square_nets.h"

namespace plimsoll::data {
namespace {

using Real = nets::RealRing;
using nets::Matrix;

struct Amounts {
    std::uint64_t count, test, seed;
    std::uint16_t classes;
    [[nodiscard]] std::uint64_t all() const { return count + test; }
};

Result<Amounts> amounts_of(const SyntheticSettings& settings) {
    constexpr std::uint64_t most_examples = 100'000'000, most_classes = 1000;
    PLIMSOLL_ASSIGN(count, settings.count("count", 1, most_examples));
    PLIMSOLL_ASSIGN(test, settings.count("test", 0, most_examples));
    PLIMSOLL_ASSIGN(seed, settings.count("seed", 0, INT64_MAX));
    PLIMSOLL_ASSIGN(classes, settings.count("classes", 2, most_classes));
    return Amounts{count, test, seed, static_cast<std::uint16_t>(classes)};
}

// The teacher's output on example `index` of a stream of inputs.
using Score = std::function<double(std::string_view stream, std::uint64_t index)>;

RandomStream input_stream(const Amounts& amounts, std::string_view stream, std::uint64_t index) {
    return {amounts.seed, fmt::format("data/teacher/{}/{}", stream, index)};
}

// Values between which the teacher's outputs are equally frequent, from inputs that are in neither split, so
// that the label of an example does not depend on how many there are.
std::vector<double> thresholds(const Score& score, std::uint16_t classes) {
    const std::size_t samples = std::max<std::size_t>(1000, 50 * std::size_t{classes});
    std::vector<double> scores(samples);
    for (std::size_t i = 0; i < samples; ++i) scores[i] = score("calibration", i);
    std::ranges::sort(scores);
    std::vector<double> result;
    for (std::size_t c = 1; c < classes; ++c) result.push_back(scores[samples * c / classes]);
    return result;
}

std::vector<std::uint16_t> labels_of(const Score& score, const Amounts& amounts,
                                     const ProgressCallback& progress) {
    const std::vector<double> limits = thresholds(score, amounts.classes);
    std::vector<std::uint16_t> labels(amounts.all());
    for (std::uint64_t i = 0; i < labels.size(); ++i) {
        const auto above = std::ranges::upper_bound(limits, score("examples", i));
        labels[i] = static_cast<std::uint16_t>(above - limits.begin());
        if (progress && i % 256 == 0) progress(i, labels.size());
    }
    return labels;
}

std::vector<std::uint16_t> random_tokens(RandomStream stream, std::size_t length, std::uint64_t vocabulary) {
    std::vector<std::uint16_t> tokens(length);
    for (auto& token : tokens) token = static_cast<std::uint16_t>(stream.below(vocabulary));
    return tokens;
}

Matrix<double> random_matrix(RandomStream stream, std::size_t rows, std::size_t cols) {
    Matrix<double> result(rows, cols);
    for (double& entry : result.data()) entry = static_cast<float>(Real().random(stream));
    return result;
}

Result<Dataset> by_attention(const arch::AttentionSpec& spec, std::size_t positions, const Amounts& amounts,
                             const ProgressCallback& progress) {
    if (spec.embedding != arch::InputEmbedding::vocab) {
        return bad_input("spec", "an attention teacher needs tokens: embedding=vocab,vocab=16");
    }
    if (spec.vocab > 65536) {
        return bad_input("spec", fmt::format("vocab must be at most 65536, got {}", spec.vocab));
    }
    const auto vocabulary = static_cast<std::uint32_t>(spec.vocab);
    const nets::Attention<Real> net(
        Real(), nets::draw_attention(Real(), spec, static_cast<std::int64_t>(positions), amounts.seed));
    const auto tokens_at = [&](std::string_view stream, std::uint64_t index) {
        return random_tokens(input_stream(amounts, stream, index), positions, vocabulary);
    };
    const Score score = [&](std::string_view stream, std::uint64_t index) {
        const auto tokens = tokens_at(stream, index);
        const auto x = nets::one_hot(Real(), std::vector<std::size_t>(tokens.begin(), tokens.end()),
                                     vocabulary);  // (V, N)
        return net.forward(net.embed(x))(0, 0);
    };
    LabelledSequences set{.length = positions,
                          .vocabulary = vocabulary,
                          .classes = amounts.classes,
                          .test_count = amounts.test};
    set.labels = labels_of(score, amounts, progress);
    std::vector<std::uint16_t> tokens;
    for (std::uint64_t i = 0; i < amounts.all(); ++i) {
        const auto one = tokens_at("examples", i);
        tokens.insert(tokens.end(), one.begin(), one.end());
    }
    set.tokens = HostArray(std::move(tokens));
    return Dataset(std::move(set));
}

Result<Dataset> by_mixer(const arch::SquareMixerSpec& spec, const Amounts& amounts,
                         const ProgressCallback& progress) {
    const auto rows = static_cast<std::size_t>(spec.rows), cols = static_cast<std::size_t>(spec.cols);
    const auto weights = nets::draw_square_mixer(Real(), spec, amounts.seed);
    const auto input_at = [&](std::string_view stream, std::uint64_t index) {
        return random_matrix(input_stream(amounts, stream, index), rows, cols);
    };
    const Score score = [&](std::string_view stream, std::uint64_t index) {
        return nets::square_mixer(Real(), weights, input_at(stream, index))(0, 0);
    };
    LabelledMatrices set{.rows = rows, .cols = cols, .classes = amounts.classes, .test_count = amounts.test};
    set.labels = labels_of(score, amounts, progress);
    std::vector<float> values;
    for (std::uint64_t i = 0; i < amounts.all(); ++i) {
        for (const double entry : input_at("examples", i).data()) values.push_back(static_cast<float>(entry));
    }
    set.values = HostArray(std::move(values));
    return Dataset(std::move(set));
}

}  // namespace

std::string Teacher::rank_command() const {
    const std::string command = "plimsoll rank " + arch::to_text(spec);
    return positions ? fmt::format("{} --positions {} --tokens", command, *positions) : command;
}

Result<Synthetic> make_teacher(const SyntheticSettings& settings, const ProgressCallback& progress) {
    constexpr std::uint64_t most_positions = 4096;
    PLIMSOLL_ASSIGN(amounts, amounts_of(settings));
    PLIMSOLL_ASSIGN(positions, settings.count("positions", 2, most_positions));
    PLIMSOLL_ASSIGN(spec, arch::parse_spec(settings.text("spec")));
    Synthetic result{.name = settings.full_name()};
    result.teacher = Teacher{spec, std::nullopt};
    if (const auto* attention = std::get_if<arch::AttentionSpec>(&spec)) {
        PLIMSOLL_ASSIGN(set, by_attention(*attention, positions, amounts, progress));
        result.dataset = std::move(set);
        result.teacher->positions = static_cast<std::int64_t>(positions);
    } else if (const auto* mixer = std::get_if<arch::SquareMixerSpec>(&spec)) {
        PLIMSOLL_ASSIGN(set, by_mixer(*mixer, amounts, progress));
        result.dataset = std::move(set);
    } else {
        return unsupported("spec",
                           "teachers are attention or square-mixer, the networks whose rank is measured");
    }
    result.known = {
        {"teacher", arch::to_text(spec)},
        {"accuracy of a guess", fmt::format("{:.2f} %", 100.0 / static_cast<double>(amounts.classes))}};
    return result;
}

}  // namespace plimsoll::data
