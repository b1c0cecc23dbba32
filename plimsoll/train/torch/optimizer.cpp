#include "plimsoll/train/torch/optimizer.h"

#include <ATen/ATen.h>

#include "plimsoll/model/torch_compat.h"

namespace plimsoll::train {
namespace {

// As torch's clip_grad_norm_: the gradient is scaled by clip / (norm + 1e-6) where that is below one.
constexpr double against_zero = 1e-6;

bool can_fuse(const OptimizerSettings& settings, const torch::Tensor& values) {
    return model::has_fused_adamw && settings.kind == OptimizerKind::adamw && values.is_cuda() &&
           values.scalar_type() == at::kFloat;
}

}  // namespace

Optimizer::Optimizer(const OptimizerSettings& settings, FlatParameters& parameters)
    : settings_(settings), parameters_(parameters) {
    const auto& values = parameters.values();
    first_ = at::zeros_like(values);
    if (settings.kind != OptimizerKind::sgd) second_ = at::zeros_like(values);
    steps_ = at::zeros({}, values.options().dtype(at::kDouble));
}

torch::Tensor Optimizer::step(const torch::Tensor& rate) {
    const at::NoGradGuard no_grad;
    steps_.add_(1);
    const torch::Tensor raw = parameters_.gradients().to(parameters_.values().scalar_type());
    const torch::Tensor norm = raw.norm();
    if (can_fuse(settings_, raw)) {
        fused_adamw(raw, norm, rate);
        parameters_.publish();
        return norm;
    }
    torch::Tensor gradient = settings_.clip ? clipped(raw, norm) : raw;
    if (settings_.kind == OptimizerKind::adamw) {
        decay(rate);
    } else if (settings_.weight_decay != 0 && parameters_.decayed() > 0) {
        gradient = gradient.clone();
        gradient.narrow(0, 0, parameters_.decayed())
            .add_(parameters_.values().narrow(0, 0, parameters_.decayed()), settings_.weight_decay);
    }
    settings_.kind == OptimizerKind::sgd ? sgd(gradient, rate) : adam(gradient, rate);
    parameters_.publish();
    return norm;
}

// What decays and what does not, one pass each.
void Optimizer::fused_adamw(const torch::Tensor& gradient, const torch::Tensor& norm,
                            const torch::Tensor& rate) {
    model::AdamWNumbers numbers{steps_.to(at::kFloat), rate.to(at::kFloat), {}, settings_.beta1,
                                settings_.beta2,       settings_.eps,       0};
    if (settings_.clip) numbers.divisor = ((norm + against_zero) / *settings_.clip).clamp_min(1.0);
    const auto update = [&](std::int64_t from, std::int64_t count) {
        if (count == 0) return;
        const auto part = [&](const torch::Tensor& flat) { return flat.narrow(0, from, count); };
        model::fused_adamw(part(parameters_.values()), part(gradient), part(first_), part(second_), numbers);
    };
    const std::int64_t decayed = parameters_.decayed();
    update(decayed, gradient.numel() - decayed);
    numbers.decay = settings_.weight_decay;
    update(0, decayed);
}

torch::Tensor Optimizer::clipped(const torch::Tensor& gradient, const torch::Tensor& norm) const {
    return gradient * (*settings_.clip / (norm + against_zero)).clamp_max(1.0);
}

void Optimizer::decay(const torch::Tensor& rate) {
    if (settings_.weight_decay == 0 || parameters_.decayed() == 0) return;
    const torch::Tensor factor = (1 - rate * settings_.weight_decay).to(parameters_.values().scalar_type());
    parameters_.values().narrow(0, 0, parameters_.decayed()).mul_(factor);
}

// Kingma & Ba with bias correction, the rate and both corrections as scalars on the device.
void Optimizer::adam(const torch::Tensor& gradient, const torch::Tensor& rate) {
    const auto dtype = gradient.scalar_type();
    first_.mul_(settings_.beta1).add_(gradient, 1 - settings_.beta1);
    second_.mul_(settings_.beta2).addcmul_(gradient, gradient, 1 - settings_.beta2);
    const torch::Tensor of_first = 1 - at::pow(at::scalar_tensor(settings_.beta1, steps_.options()), steps_);
    const torch::Tensor of_second = 1 - at::pow(at::scalar_tensor(settings_.beta2, steps_.options()), steps_);
    const torch::Tensor root = second_.sqrt().div_(of_second.sqrt().to(dtype)).add_(settings_.eps);
    parameters_.values().sub_(first_.div(root).mul_((rate / of_first).to(dtype)));
}

void Optimizer::sgd(const torch::Tensor& gradient, const torch::Tensor& rate) {
    const torch::Tensor factor = rate.to(gradient.scalar_type());
    if (settings_.momentum == 0) {
        parameters_.values().sub_(gradient * factor);
        return;
    }
    first_.mul_(settings_.momentum).add_(gradient);
    const torch::Tensor direction = settings_.nesterov ? gradient.add(first_, settings_.momentum) : first_;
    parameters_.values().sub_(direction * factor);
}

std::vector<model::NamedTensor> Optimizer::state() const {
    std::vector<model::NamedTensor> result{{"optimizer.first", first_}, {"optimizer.steps", steps_}};
    if (second_.defined()) result.push_back({"optimizer.second", second_});
    return result;
}

}  // namespace plimsoll::train
