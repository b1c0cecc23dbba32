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

// Of a vector on the processor, by sums over fixed parts: any number of threads gives the same bits.
double norm_on_cpu(const torch::Tensor& x) {
    using model::cpu::chunk;
    std::vector<double> squares(static_cast<std::size_t>((x.numel() + chunk - 1) / chunk));
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "norm", [&] {
        const auto* numbers = x.data_ptr<scalar_t>();
        model::cpu::for_chunks(x.numel(), [&](std::int64_t start, std::int64_t count) {
            squares[static_cast<std::size_t>(start / chunk)] =
                static_cast<double>(model::cpu::sum_of_squares(numbers + start, count));
        });
    });
    return std::sqrt(std::accumulate(squares.begin(), squares.end(), 0.0));
}

// The norm of each row, (K), in the numbers of x.
torch::Tensor norms_of(const torch::Tensor& x) {
    if (!model::cpu::ours(x)) return x.size(0) == 1 ? x.norm().view({1}) : at::norm(x, 2, at::IntArrayRef{1});
    torch::Tensor norms = at::empty({x.size(0)}, at::kDouble);
    for (std::int64_t k = 0; k < x.size(0); ++k) norms.data_ptr<double>()[k] = norm_on_cpu(x[k]);
    return norms.to(x.scalar_type());
}

torch::Tensor clipped(const torch::Tensor& gradient, const torch::Tensor& norm, double clip) {
    return gradient * (clip / (norm + against_zero)).clamp_max(1.0);
}

// (K, P) of zeros, each row in one piece of memory.
torch::Tensor zeros_like_rows(const torch::Tensor& rows) { return at::zeros(rows.sizes(), rows.options()); }

}  // namespace

Optimizer::Optimizer(std::vector<run::OptimizerSettings> settings, FlatParameters& parameters)
    : settings_(std::move(settings)), parameters_(parameters) {
    PLIMSOLL_CHECK(std::ssize(settings_) == parameters.runs(), "settings for every run of the stack");
    const auto& values = parameters.values();
    first_ = zeros_like_rows(values);
    if (settings_.front().kind != run::OptimizerKind::sgd) second_ = zeros_like_rows(values);
    steps_ = at::zeros({parameters.runs()}, values.options().dtype(at::kDouble));
    counted_ = at::ones_like(steps_);
    active_.assign(settings_.size(), true);
    on_gpu_ = flat_adamw(settings_, parameters);
}

void Optimizer::set_active(std::vector<bool> active) {
    active_ = std::move(active);
    for (std::size_t run = 0; run < active_.size(); ++run)
        counted_[static_cast<std::int64_t>(run)].fill_(active_[run] ? 1 : 0);
    if (on_gpu_) on_gpu_->set_active(active_);
}

Optimizer::Row Optimizer::row(std::int64_t run, const torch::Tensor& gradients, const torch::Tensor& norms,
                              const torch::Tensor& rates) const {
    return {settings_[static_cast<std::size_t>(run)],
            parameters_.values()[run],
            gradients[run],
            first_[run],
            second_.defined() ? second_[run] : second_,
            steps_[run],
            norms[run],
            rates[run],
            parameters_.segments()};
}

torch::Tensor Optimizer::step(const torch::Tensor& rates) {
    const at::NoGradGuard no_grad;
    steps_.add_(counted_);
    if (on_gpu_) {
        const torch::Tensor norms =
            at::linalg_vector_norm(parameters_.gradients(), 2, at::IntArrayRef{1}, false, at::kFloat);
        on_gpu_->step(parameters_, {first_, second_, steps_}, rates, norms);
        return norms;
    }
    const torch::Tensor raw = parameters_.gradients().to(parameters_.values().scalar_type());
    const torch::Tensor norms = norms_of(raw);
    for (std::int64_t run = 0; run < parameters_.runs(); ++run) {
        if (active_[static_cast<std::size_t>(run)]) update(row(run, raw, norms, rates));
    }
    parameters_.publish();
    return norms;
}

void Optimizer::update(const Row& row) {
    const auto& settings = row.settings;
    const bool adamw = settings.kind == run::OptimizerKind::adamw;
    if (adamw && model::cpu::ours(row.gradient)) return adamw_on_cpu(row);
    torch::Tensor gradient = settings.clip ? clipped(row.gradient, row.norm, *settings.clip) : row.gradient;
    if (adamw)
        decay(row);
    else if (settings.weight_decay != 0)
        gradient = with_decay(row, gradient);
    settings.kind == run::OptimizerKind::sgd ? sgd(row, gradient) : adam(row, gradient);
}

// The formula of adam() with decay() and clipped() in one pass over the numbers.
void Optimizer::adamw_on_cpu(const Row& row) {
    const auto& settings = row.settings;
    const double steps = row.steps.item<double>(), of_rate = row.rate.item<double>();
    const double clip = settings.clip ? *settings.clip / (row.norm.item<double>() + against_zero) : 1.0;
    AT_DISPATCH_FLOATING_TYPES(row.gradient.scalar_type(), "adamw", [&] {
        model::cpu::AdamWStep<scalar_t> step{
            .gradient_scale = static_cast<scalar_t>(clip > 1 ? 1.0 : clip),
            .decay = 1,
            .beta1 = static_cast<scalar_t>(settings.beta1),
            .beta2 = static_cast<scalar_t>(settings.beta2),
            .rate = 0,
            .root_scale = static_cast<scalar_t>(1 / std::sqrt(1 - std::pow(settings.beta2, steps))),
            .eps = 0};
        for (const auto& [offset, size, scale] : row.segments) {
            const double own_rate = of_rate * scale.rate;
            step.rate = static_cast<scalar_t>(own_rate / (1 - std::pow(settings.beta1, steps)));
            step.eps = static_cast<scalar_t>(settings.eps * scale.epsilon);
            step.decay = static_cast<scalar_t>(1 - own_rate * (settings.weight_decay * scale.decay));
            const auto at = [&](const torch::Tensor& flat) { return flat.data_ptr<scalar_t>() + offset; };
            model::cpu::for_chunks(size, [&](std::int64_t start, std::int64_t count) {
                step(at(row.gradient) + start, at(row.first) + start, at(row.second) + start,
                     at(row.values) + start, count);
            });
        }
    });
}

void Optimizer::decay(const Row& row) {
    if (row.settings.weight_decay == 0) return;
    for (const auto& [offset, size, scale] : row.segments) {
        if (scale.decay == 0) continue;
        const double strength = row.settings.weight_decay * scale.decay * scale.rate;
        const torch::Tensor factor = (1 - row.rate * strength).to(row.values.scalar_type());
        row.values.narrow(0, offset, size).mul_(factor);
    }
}

// The gradient of the loss with the penalty.
torch::Tensor Optimizer::with_decay(const Row& row, const torch::Tensor& gradient) {
    torch::Tensor result = gradient.clone();
    for (const auto& [offset, size, scale] : row.segments) {
        if (scale.decay == 0) continue;
        const torch::Tensor values = row.values.narrow(0, offset, size);
        result.narrow(0, offset, size).add_(values, row.settings.weight_decay * scale.decay);
    }
    return result;
}

// Neighbours that differ in their decay alone are one part.
void Optimizer::adam(const Row& row, const torch::Tensor& gradient) {
    FlatSegment part = row.segments.front();
    for (std::size_t i = 1; i < row.segments.size(); ++i) {
        const FlatSegment& next = row.segments[i];
        const bool same = next.scale.rate == part.scale.rate && next.scale.epsilon == part.scale.epsilon;
        if (!same) adam(row, gradient, part);
        part = same ? FlatSegment{part.offset, part.size + next.size, part.scale} : next;
    }
    adam(row, gradient, part);
}

// Kingma & Ba with bias correction, the rate and both corrections as scalars on the device.
void Optimizer::adam(const Row& row, const torch::Tensor& gradient, const FlatSegment& part) {
    const auto& settings = row.settings;
    const auto dtype = gradient.scalar_type();
    const auto own = [&](const torch::Tensor& flat) { return flat.narrow(0, part.offset, part.size); };
    const torch::Tensor g = own(gradient), first = own(row.first), second = own(row.second);
    first.mul_(settings.beta1).add_(g, 1 - settings.beta1);
    second.mul_(settings.beta2).addcmul_(g, g, 1 - settings.beta2);
    const auto correction = [&](double beta) {
        return 1 - at::pow(at::scalar_tensor(beta, row.steps.options()), row.steps);
    };
    const torch::Tensor root = second.sqrt()
                                   .div_(correction(settings.beta2).sqrt().to(dtype))
                                   .add_(settings.eps * part.scale.epsilon);
    const torch::Tensor rate = row.rate * part.scale.rate / correction(settings.beta1);
    own(row.values).sub_(first.div(root).mul_(rate.to(dtype)));
}

void Optimizer::sgd(const Row& row, const torch::Tensor& gradient) {
    const auto& settings = row.settings;
    const torch::Tensor factor = row.rate.to(gradient.scalar_type());
    if (settings.momentum == 0) {
        row.values.sub_(gradient * factor);
        return;
    }
    row.first.mul_(settings.momentum).add_(gradient);
    const torch::Tensor direction =
        settings.nesterov ? gradient.add(row.first, settings.momentum) : row.first;
    row.values.sub_(direction * factor);
}

std::vector<model::NamedTensor> Optimizer::state(std::int64_t run) const {
    std::vector<model::NamedTensor> result{{"optimizer.first", first_[run]},
                                           {"optimizer.steps", steps_[run]}};
    if (second_.defined()) result.push_back({"optimizer.second", second_[run]});
    return result;
}

}  // namespace plimsoll::train
