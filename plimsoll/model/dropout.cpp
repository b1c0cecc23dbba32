#include "plimsoll/model/dropout.h"

#include <mutex>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>

#include "plimsoll/base/random.h"

namespace plimsoll::model {
namespace {

std::uint64_t generator_seed(std::uint64_t seed) { return RandomStream(seed, "model/dropout").next(); }

// One seed that depends on all of them; of one alone its own.
std::uint64_t joint_seed(const DropoutSeeds& seeds) {
    std::uint64_t joint = seeds.front();
    for (std::size_t k = 1; k < seeds.size(); ++k)
        joint = RandomStream(joint ^ seeds[k], "model/dropout/stack").next();
    return joint;
}

}  // namespace

void seed_dropout(torch::Device device, const DropoutSeeds& seeds) {
    at::Generator generator = at::globalContext().defaultGenerator(device);
    const std::lock_guard<std::mutex> lock(generator.mutex());
    generator.set_current_seed(generator_seed(joint_seed(seeds)));
}

Dropout::Dropout(double rate, const DropoutSeeds& seeds, torch::Device device)
    : rate_(seeds.empty() ? 0 : rate) {
    if (rate_ == 0) return;
    if (device.is_cpu()) {
        for (const std::uint64_t seed : seeds)
            generators_.push_back(at::make_generator<at::CPUGeneratorImpl>(generator_seed(seed)));
    } else if (seeds.front() != seeded_outside) {
        seed_dropout(device, seeds);
    }
}

at::Tensor Dropout::operator()(const at::Tensor& x) {
    if (rate_ == 0) return x;
    if (!x.is_cpu()) return std::get<0>(at::native_dropout(x, rate_, true));
    const at::Tensor kept = at::empty_like(x.detach());
    const std::int64_t runs = std::ssize(generators_), examples = x.size(0) / runs;
    for (std::int64_t k = 0; k < runs; ++k)
        kept.narrow(0, k * examples, examples)
            .bernoulli_(1 - rate_, generators_[static_cast<std::size_t>(k)]);
    return x * kept.div_(1 - rate_);
}

}  // namespace plimsoll::model
