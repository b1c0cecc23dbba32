#include "tests/model/model_test_support.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "plimsoll/arch/count.h"
#include "plimsoll/base/random.h"

namespace plimsoll::model {
namespace {

torch::Tensor find(const std::vector<NamedTensor>& list, const std::string& name) {
    for (const auto& [key, tensor] : list) {
        if (key == name) return tensor;
    }
    throw std::runtime_error("no tensor " + name);
}

torch::Tensor whole(std::vector<std::int64_t> shape, std::int64_t below, std::uint64_t seed) {
    RandomStream stream(seed, "test/whole");
    torch::Tensor values = at::empty(shape, at::kLong);
    for (std::int64_t k = 0; k < values.numel(); ++k) {
        values.data_ptr<std::int64_t>()[k] =
            static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(below)));
    }
    return values;
}

torch::Tensor image(const arch::ImageInput& image, std::int64_t batch, std::uint64_t seed) {
    return normal({batch, image.image_channels, image.image, image.image_width}, seed);
}

struct Sampler {
    std::int64_t batch;
    std::uint64_t seed;

    Input operator()(const arch::AttentionSpec& s) const {
        const std::int64_t positions = std::min<std::int64_t>(5, s.context);
        Input input;
        if (s.embedding == arch::InputEmbedding::vocab) {
            input.tokens = whole({batch, positions}, s.vocab, seed);
        } else {
            const bool conv = s.embedding == arch::InputEmbedding::conv;
            input.values = normal({batch, positions, conv ? s.vocab : s.width}, seed);
        }
        return input;
    }
    Input operator()(const arch::TransformerSpec& s) const {
        const std::int64_t positions = std::min<std::int64_t>(6, s.context);
        Input input;
        if (s.vocab > 0) {
            input.tokens = whole({batch, positions}, s.vocab, seed);
            if (s.segments > 0) input.segments = whole({batch, positions}, s.segments, seed + 1);
        } else if (s.image.used()) {
            input.values = image(s.image, batch, seed);
        } else {
            input.values = normal({batch, positions, s.width}, seed);
        }
        return input;
    }
    Input operator()(const arch::MixerSpec& s) const {
        Input input;
        if (s.vocab > 0) {
            input.tokens = whole({batch, s.tokens}, s.vocab, seed);
        } else {
            input.values =
                s.image.used() ? image(s.image, batch, seed) : normal({batch, s.tokens, s.channels}, seed);
        }
        return input;
    }
    Input operator()(const arch::MlpSpec& s) const {
        Input input;
        const std::int64_t columns = std::ssize(s.categories);
        if (columns > 0) input.tokens = whole({batch, columns}, s.table_rows(), seed + 1);
        if (columns == 0 || s.net.inputs > 0)
            input.values = normal({batch, s.net.inputs > 0 ? s.net.inputs : s.net.width}, seed);
        return input;
    }
    template <class Spec>
    Input operator()(const Spec& s) const {
        Input input;
        if constexpr (requires { s.rows; }) {
            input.values = normal({batch, s.rows, s.cols}, seed);
        } else if constexpr (requires { s.net.image; }) {
            input.values = image(s.net.image, batch, seed);
        } else {
            input.values = normal({batch, s.net.inputs > 0 ? s.net.inputs : s.net.width}, seed);
        }
        return input;
    }
};

}  // namespace

std::unique_ptr<Network> built(const arch::ArchSpec& spec, const std::string& init, double dropout) {
    BuildOptions options;
    options.dtype = torch::kDouble;
    options.init = init;
    options.dropout = dropout;
    auto network = build(spec, options);
    if (!network.ok()) throw std::runtime_error(network.error().text());
    return std::move(network).value();
}

std::unique_ptr<Network> built(const std::string& text, const std::string& init, double dropout) {
    const auto spec = arch::parse_spec(text);
    if (!spec.ok()) throw std::runtime_error(spec.error().text());
    return built(*spec, init, dropout);
}

bool is_small(const arch::ArchSpec& spec) {
    const auto report = arch::count(spec, {});
    return report.ok() && report->parameters <= 50'000 && report->forward_flops <= 1'000'000;
}

Input sample_input(const arch::ArchSpec& spec, std::int64_t batch, std::uint64_t seed) {
    return std::visit(Sampler{batch, seed}, spec);
}

torch::Tensor parameter(const Network& network, const std::string& name) {
    return find(network.parameters(), name);
}

torch::Tensor buffer(const Network& network, const std::string& name) {
    return find(network.buffers(), name);
}

void set(const Network& network, const std::string& name, const torch::Tensor& values) {
    const at::NoGradGuard guard;
    const torch::Tensor target = parameter(network, name);
    if (target.sizes() != values.sizes()) throw std::runtime_error("wrong shape for " + name);
    target.copy_(values);
}

void copy_namesakes(const Network& from, const Network& to) {
    const at::NoGradGuard guard;
    for (const auto& [name, tensor] : to.parameters()) {
        for (const auto& [other, source] : from.parameters()) {
            if (name == other && tensor.sizes() == source.sizes()) tensor.copy_(source);
        }
    }
}

torch::Tensor matrix(const std::vector<std::vector<double>>& rows) {
    std::vector<double> flat;
    for (const auto& row : rows) flat.insert(flat.end(), row.begin(), row.end());
    return at::tensor(flat, at::kDouble).view({std::ssize(rows), -1});
}

torch::Tensor normal(std::vector<std::int64_t> shape, std::uint64_t seed) {
    RandomStream stream(seed, "test/normal");
    torch::Tensor values = at::empty(shape, at::kDouble);
    for (std::int64_t k = 0; k < values.numel(); ++k) {
        const double radius = std::sqrt(-2 * std::log(1 - stream.uniform()));
        values.data_ptr<double>()[k] = radius * std::cos(2 * std::numbers::pi * stream.uniform());
    }
    return values;
}

double difference(const torch::Tensor& a, const torch::Tensor& b) {
    if (a.sizes() != b.sizes()) return std::numeric_limits<double>::infinity();
    return (a - b).abs().max().item<double>();
}

}  // namespace plimsoll::model
