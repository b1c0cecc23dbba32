#include "plimsoll/train/optimizer.h"

#include <cmath>
#include <numeric>

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>

#include "plimsoll/model/cpu/products.h"
#include "plimsoll/model/cpu/row_kernels.h"
#include "plimsoll/model/cpu/threads.h"
#include "plimsoll/model/torch_compat.h"

namespace plimsoll::train {
namespace {

// As torch's clip_grad_norm_: the gradient is scaled by clip / (norm + 1e-6) where that is below one.
constexpr double against_zero = 1e-6;

bool can_fuse(const run::OptimizerSettings& settings, const torch::Tensor& values) {
    return model::has_fused_adamw && settings.kind == run::OptimizerKind::adamw && values.is_cuda() &&
           values.scalar_type() == at::kFloat;
}

// Of a vector on the processor, by sums over fixed parts: any number of threads gives the same bits.
torch::Tensor norm_on_cpu(const torch::Tensor& x) {
    using model::cpu::chunk;
    std::vector<double> squares(static_cast<std::size_t>((x.numel() + chunk - 1) / chunk));
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "norm", [&] {
        const auto* numbers = x.data_ptr<scalar_t>();
        model::cpu::for_chunks(x.numel(), [&](std::int64_t start, std::int64_t count) {
            squares[static_cast<std::size_t>(start / chunk)] =
                static_cast<double>(model::cpu::sum_of_squares(numbers + start, count));
        });
    });
    const double sum = std::accumulate(squares.begin(), squares.end(), 0.0);
    return at::scalar_tensor(std::sqrt(sum), x.options());
}

}  // namespace

Optimizer::Optimizer(const run::OptimizerSettings& settings, FlatParameters& parameters)
    : settings_(settings), parameters_(parameters) {
    const auto& values = parameters.values();
    first_ = at::zeros_like(values);
    if (settings.kind != run::OptimizerKind::sgd) second_ = at::zeros_like(values);
    steps_ = at::zeros({}, values.options().dtype(at::kDouble));
}

torch::Tensor Optimizer::step(const torch::Tensor& rate) {
    const at::NoGradGuard no_grad;
    steps_.add_(1);
    const torch::Tensor raw = parameters_.gradients().to(parameters_.values().scalar_type());
    const torch::Tensor norm = model::cpu::ours(raw) ? norm_on_cpu(raw) : raw.norm();
    if (can_fuse(settings_, raw)) {
        fused_adamw(raw, norm, rate);
        parameters_.publish();
        return norm;
    }
    if (settings_.kind == run::OptimizerKind::adamw && model::cpu::ours(raw)) {
        adamw_on_cpu(raw, norm, rate);
        parameters_.publish();
        return norm;
    }
    torch::Tensor gradient = settings_.clip ? clipped(raw, norm) : raw;
    if (settings_.kind == run::OptimizerKind::adamw) {
        decay(rate);
    } else if (settings_.weight_decay != 0 && parameters_.decayed() > 0) {
        gradient = gradient.clone();
        gradient.narrow(0, 0, parameters_.decayed())
            .add_(parameters_.values().narrow(0, 0, parameters_.decayed()), settings_.weight_decay);
    }
    settings_.kind == run::OptimizerKind::sgd ? sgd(gradient, rate) : adam(gradient, rate);
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

// The formula of adam() with decay() and clipped() in one pass over the numbers.
void Optimizer::adamw_on_cpu(const torch::Tensor& gradient, const torch::Tensor& norm,
                             const torch::Tensor& rate) {
    const double steps = steps_.item<double>(), of_rate = rate.item<double>();
    const double clip = settings_.clip ? *settings_.clip / (norm.item<double>() + against_zero) : 1.0;
    AT_DISPATCH_FLOATING_TYPES(gradient.scalar_type(), "adamw", [&] {
        model::cpu::AdamWStep<scalar_t> step{
            .gradient_scale = static_cast<scalar_t>(clip > 1 ? 1.0 : clip),
            .decay = 1,
            .beta1 = static_cast<scalar_t>(settings_.beta1),
            .beta2 = static_cast<scalar_t>(settings_.beta2),
            .rate = static_cast<scalar_t>(of_rate / (1 - std::pow(settings_.beta1, steps))),
            .root_scale = static_cast<scalar_t>(1 / std::sqrt(1 - std::pow(settings_.beta2, steps))),
            .eps = static_cast<scalar_t>(settings_.eps)};
        const auto update = [&](std::int64_t from, std::int64_t total) {
            const auto at = [&](const torch::Tensor& flat) { return flat.data_ptr<scalar_t>() + from; };
            model::cpu::for_chunks(total, [&](std::int64_t start, std::int64_t count) {
                step(at(gradient) + start, at(first_) + start, at(second_) + start,
                     at(parameters_.values()) + start, count);
            });
        };
        const std::int64_t decayed = parameters_.decayed();
        update(decayed, gradient.numel() - decayed);
        step.decay = static_cast<scalar_t>(1 - of_rate * settings_.weight_decay);
        update(0, decayed);
    });
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
