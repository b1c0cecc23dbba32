#include "plimsoll/model/dropout.h"

#include <mutex>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>

#include "plimsoll/base/random.h"

namespace plimsoll::model {
namespace {

std::uint64_t generator_seed(std::uint64_t seed) { return RandomStream(seed, "model/dropout").next(); }

}  // namespace

void seed_dropout(torch::Device device, std::uint64_t seed) {
    at::Generator generator = at::globalContext().defaultGenerator(device);
    const std::lock_guard<std::mutex> lock(generator.mutex());
    generator.set_current_seed(generator_seed(seed));
}

Dropout::Dropout(double rate, std::uint64_t seed, torch::Device device) : rate_(seed == 0 ? 0 : rate) {
    if (rate_ == 0) return;
    if (device.is_cpu()) {
        generator_ = at::make_generator<at::CPUGeneratorImpl>(generator_seed(seed));
    } else if (seed != seeded_outside) {
        seed_dropout(device, seed);
    }
}

at::Tensor Dropout::operator()(const at::Tensor& x) {
    if (rate_ == 0) return x;
    if (!x.is_cpu()) return std::get<0>(at::native_dropout(x, rate_, true));
    const at::Tensor kept = at::empty_like(x.detach()).bernoulli_(1 - rate_, generator_);
    return x * kept.div_(1 - rate_);
}

}  // namespace plimsoll::model
