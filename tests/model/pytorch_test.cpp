// Logits, loss and gradients against what tools/record_model_fixtures.py recorded from PyTorch. Both sides
// compute in double precision and differ in the order of their sums only, so 1e-10 of the size of a number is
// ample.
#include <cmath>
#include <filesystem>

#include "plimsoll/base/json.h"
#include "tests/model/model_test_support.h"

namespace plimsoll::model {
namespace {

constexpr double tolerance = 1e-10;

torch::Tensor waves(const std::vector<std::int64_t>& shape, double step, double phase) {
    std::int64_t count = 1;
    for (const auto side : shape) count *= side;
    return at::sin(step * at::arange(count, at::kDouble) + phase).view(shape);
}

// The formula of the recorder: 0.3 sin(0.7 k + phase of the name), norms that over 3 plus 1.
void set_weights(const Network& network) {
    for (const auto& [name, tensor] : network.parameters()) {
        int bytes = 0;
        for (const unsigned char byte : name) bytes += byte;
        const torch::Tensor values = 0.3 * waves(tensor.sizes().vec(), 0.7, 0.1 * (bytes % 97));
        set(network, name, name.ends_with("norm.weight") ? 1 + values / 3 : values);
    }
}

constexpr std::int64_t batch = 3, length = 9;

template <class Rule>
torch::Tensor by_rule(Rule rule) {
    torch::Tensor values = at::empty({batch, length}, at::kLong);
    for (std::int64_t b = 0; b < batch; ++b) {
        for (std::int64_t t = 0; t < length; ++t) values[b][t].fill_(rule(b, t));
    }
    return values;
}

struct Task {
    Input input;
    torch::Tensor targets;
};

Task task_of(const std::string& name) {
    Task task;
    if (name == "vit" || name == "mixer") {
        task.input.values = waves({batch, 3, 8, 8}, 0.11, 0);
        task.targets = at::arange(batch, at::kLong);
        return task;
    }
    task.input.tokens = by_rule([](auto b, auto t) { return (7 * b + 3 * t + t * t) % 23; });
    if (name == "gpt2") {
        task.targets = by_rule([](auto b, auto t) { return (5 * b + 2 * t + 1) % 23; }).flatten();
        return task;
    }
    task.targets = at::arange(batch, at::kLong);
    task.input.segments = by_rule([](auto, auto t) { return t >= length / 2 ? 1 : 0; });
    task.input.padding =
        by_rule([](auto b, auto t) { return b == 1 && t >= length - 2 ? 1 : 0; }).to(at::kBool);
    return task;
}

std::filesystem::path fixture(const std::string& name) {
    return std::filesystem::path(PLIMSOLL_FIXTURES) / "model" / (name + ".json");
}

class PyTorch : public ::testing::TestWithParam<const char*> {};

TEST_P(PyTorch, GivesTheSameLogitsAndGradients) {
    const auto path = fixture(GetParam());
    if (!std::filesystem::exists(path))
        GTEST_SKIP() << "no " << path.filename() << "; see tools/record_model_fixtures.py";
    const Json recorded = *read_json(path);
    const auto network = built(recorded.at("spec").get<std::string>());
    set_weights(*network);
    const Task task = task_of(GetParam());
    const torch::Tensor logits = network->forward(task.input, 0);
    const auto expected = at::tensor(recorded.at("logits").get<std::vector<double>>(), at::kDouble);
    EXPECT_LT(difference(logits.flatten(), expected), tolerance * expected.abs().max().item<double>());
    const torch::Tensor loss = at::nll_loss(at::log_softmax(logits.flatten(0, -2), 1), task.targets);
    EXPECT_NEAR(loss.item<double>(), recorded.at("loss").get<double>(), tolerance);
    loss.backward();
    const Json& norms = recorded.at("gradient_norms");
    EXPECT_EQ(norms.size(), network->parameters().size());
    double largest = 0;
    for (const auto& norm : norms) largest = std::max(largest, norm.get<double>());
    for (const auto& [name, tensor] : network->parameters()) {
        EXPECT_NEAR(tensor.grad().norm().item<double>(), norms.at(name).get<double>(), tolerance * largest)
            << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Recorded, PyTorch, ::testing::Values("gpt2", "bert", "vit", "mixer"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace plimsoll::model
