#include "plimsoll/model/cpu/products.h"

#include <algorithm>

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include "plimsoll/model/cpu/threads.h"

namespace plimsoll::model::cpu {
namespace {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Below the first a second thread is not worth its start; every doubling of pieces repeats work on the
// operand that they share, so they stay above the second.
constexpr double smallest_cut = 4e6, small_piece = 4e8;  // FLOP
constexpr std::int64_t shortest_piece = 32, most_pieces = 64;

std::int64_t pieces_of(const Tensor& out, std::int64_t terms) {
    const double flops = 2.0 * static_cast<double>(out.numel()) * static_cast<double>(terms);
    const std::int64_t most = std::min(most_pieces, std::max(out.size(0), out.size(1)) / shortest_piece);
    if (flops < smallest_cut || most < 2) return 1;
    std::int64_t pieces = 2;
    while (2 * pieces <= most && flops / static_cast<double>(pieces) > small_piece) pieces *= 2;
    return pieces;
}

void one_product(Tensor out, const Tensor& a, const Tensor& b, const Tensor& bias) {
    if (bias.defined()) {
        at::addmm_out(out, bias, a, b);
    } else {
        at::mm_out(out, a, b);
    }
}

}  // namespace

bool ours(const Tensor& x) {
    return x.is_cpu() && !at::hasMKL() && (x.scalar_type() == at::kFloat || x.scalar_type() == at::kDouble);
}

namespace {

// Pieces first .. last - 1 of a product that is cut into `pieces`. The longer side is cut: the operand of the
// shorter one is packed again by BLAS for every piece.
void some_pieces(const Tensor& out, const Tensor& a, const Tensor& b, const Tensor& bias, std::int64_t pieces,
                 std::int64_t first, std::int64_t last) {
    const bool by_rows = out.size(0) >= out.size(1);
    const std::int64_t side = out.size(by_rows ? 0 : 1);
    const std::int64_t piece = (side + pieces - 1) / pieces;
    for (std::int64_t start = first * piece; start < std::min(side, last * piece); start += piece) {
        const std::int64_t count = std::min(piece, side - start);
        if (by_rows) {
            one_product(out.narrow(0, start, count), a.narrow(0, start, count), b, bias);
        } else {
            one_product(out.narrow(1, start, count), a, b.narrow(1, start, count),
                        bias.defined() ? bias.narrow(0, start, count) : bias);
        }
    }
}

}  // namespace

void product(const Tensor& out, const Tensor& a, const Tensor& b, const Tensor& bias) {
    const std::int64_t pieces = pieces_of(out, a.size(1));
    on_all_threads(pieces, [&](std::int64_t first, std::int64_t last) {
        some_pieces(out, a, b, bias, pieces, first, last);
    });
}

// One matrix is the work of one thread, unless they are few and large.
void products(const Tensor& out, const Tensor& a, const Tensor& b, const Tensor& bias) {
    const std::int64_t runs = out.size(0);
    const std::int64_t pieces =
        std::max<std::int64_t>(1, pieces_of(out[0], a.size(2)) / std::min<std::int64_t>(runs, most_pieces));
    on_all_threads(runs * pieces, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) {
            const std::int64_t run = i / pieces, piece = i % pieces;
            some_pieces(out[run], a[run], b[run], bias.defined() ? bias[run] : bias, pieces, piece,
                        piece + 1);
        }
    });
}

namespace {

// A bias without entries is none: LibTorch 1.13 takes no undefined tensor here.
struct Linear : torch::autograd::Function<Linear> {
    static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& weight,
                          const Tensor& bias) {
        const Tensor rows = x.reshape({-1, x.size(-1)});
        context->save_for_backward({rows, weight});
        context->saved_data["shape"] = x.sizes().vec();
        std::vector<std::int64_t> shape = x.sizes().vec();
        shape.back() = weight.size(0);
        Tensor out = at::empty(shape, x.options());
        product(out.view({-1, weight.size(0)}), rows, weight.t(), bias.numel() > 0 ? bias : Tensor());
        return out;
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const Tensor &rows = saved[0], &weight = saved[1];
        const Tensor gradient = gradients[0].reshape({-1, weight.size(0)});  // (rows, out)
        Tensor by_x, by_weight, by_bias;
        if (context->needs_input_grad(0)) {
            by_x = at::empty(context->saved_data["shape"].toIntVector(), rows.options());
            product(by_x.view({-1, weight.size(1)}), gradient, weight);
        }
        if (context->needs_input_grad(1)) {
            by_weight = at::empty(weight.sizes(), weight.options());
            product(by_weight, gradient.t(), rows);
        }
        if (context->needs_input_grad(2)) by_bias = gradient.sum(0);
        return {by_x, by_weight, by_bias};
    }
};

}  // namespace

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
    if (x.numel() == 0) return at::linear(x, weight, bias);
    return Linear::apply(x, weight, bias.defined() ? bias : at::empty({0}, x.options()));
}

}  // namespace plimsoll::model::cpu
