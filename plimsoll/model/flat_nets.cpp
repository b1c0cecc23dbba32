#include "plimsoll/base/format.h"
#include "plimsoll/model/builder.h"
#include "plimsoll/model/dropout.h"
#include "plimsoll/model/sparse.h"
#include "plimsoll/model/stack.h"

namespace plimsoll::model {
namespace {

// A net on a flat vector: an optional dense layer, `depth` layers with a norm before each, an optional dense
// layer. `Layer` maps (B, width) to (B, width), activation included.
template <class Layer>
class FlatNetwork final : public BuiltNetwork {
  public:
    template <class MakeLayer>
    FlatNetwork(const arch::FlatNet& net, Builder& builder, MakeLayer make)
        : net_(net), dropout_(builder.options().dropout) {
        if (net.inputs > 0) input_ = builder.linear("input");
        for (std::int64_t l = 0; l < net.depth; ++l) {
            const std::string name = fmt::format("layers.{}.", l);
            norms_.push_back(builder.norm(name + "norm", net.norm));
            layers_.push_back(make(name, l + 1));
        }
        if (net.classes > 0) head_ = builder.linear("head");
    }

    [[nodiscard]] Tensor forward(const Input& input, const DropoutSeeds& seeds) const override {
        Dropout dropout(dropout_, seeds, parameters().front().tensor.device());
        Tensor x = net_.inputs > 0 ? input_(input.values.flatten(1)) : input.values.flatten(1);
        for (std::size_t l = 0; l < layers_.size(); ++l) {
            const Tensor y = dropout(layers_[l](norms_[l](x)));
            x = net_.skip ? x + y : y;
            input.after_layer(x);
        }
        return net_.classes > 0 ? head_(x) : x;
    }

  private:
    arch::FlatNet net_;
    double dropout_;
    Linear input_, head_;
    std::vector<NormLayer> norms_;
    std::vector<Layer> layers_;
};

// x to phi(J_2 (I_k (x) W) J_1 x) (HAYASE-PK).
struct PkLayer {
    arch::Activation activation;
    std::int64_t copies;
    Linear block;
    arch::PkPermutations kind;
    std::pair<Tensor, Tensor> before, after;  // random only

    Tensor operator()(const Tensor& x) const {
        const bool random = kind == arch::PkPermutations::random;
        const Tensor there = random ? permute_last(x, before.first, before.second) : x;
        const Tensor parts = block(there.reshape({x.size(0), copies, -1}));  // (B, k, size)
        if (random) return activate(activation, permute_last(parts.flatten(1), after.first, after.second));
        const bool turned = kind == arch::PkPermutations::commutation;
        return activate(activation, (turned ? parts.transpose(1, 2) : parts).flatten(1));
    }
};

PkLayer read_pk(const arch::PkSpec& spec, const std::string& name, std::int64_t number, Builder& builder) {
    PkLayer layer{spec.net.activation,
                  arch::pk_blocks(spec, number),
                  builder.linear(name + "block"),
                  spec.permutations,
                  {},
                  {}};
    if (spec.permutations != arch::PkPermutations::random) return layer;
    const Shuffle shuffle = random_shuffle(spec.permutation_seed, number, spec.net.width, spec.net.width);
    layer.before = builder.permutation(name + "before", shuffle.before);
    layer.after = builder.permutation(name + "after", shuffle.after);
    return layer;
}

struct SparseLinear {
    Matrix values;
    Tensor bias;
    SparsePattern pattern;

    Tensor operator()(const Tensor& x) const {
        const Tensor y = sparse_linear(x, values.value(), pattern);
        return bias.defined() ? plus(y, bias) : y;
    }
};

SparseLinear read_sparse(const arch::SwMlpSpec& spec, const std::string& name, std::int64_t outputs,
                         std::int64_t inputs, Builder& builder) {
    RandomStream stream(spec.mask_seed, "model/sw-mlp/" + name);
    const auto cells = random_cells(outputs * inputs, spec.connections, stream);
    builder.buffer(name + ".cells", at::tensor(cells, at::kLong));
    SparsePattern pattern = sparse_pattern(outputs, inputs, cells);
    move_to(pattern, builder.options().device);
    return {builder.matrix(name + ".values"), builder.optional(name + ".bias"), std::move(pattern)};
}

// phi(W x), or W2 phi(W1 x).
template <class Linear>
struct OneOrTwo {
    arch::Activation activation;
    Linear first;
    std::optional<Linear> second;

    Tensor operator()(const Tensor& x) const {
        const Tensor hidden = activate(activation, first(x));
        return second ? (*second)(hidden) : hidden;
    }
};
using SparseLayer = OneOrTwo<SparseLinear>;

SparseLayer read_sparse_layer(const arch::SwMlpSpec& spec, const std::string& name, Builder& builder) {
    const std::int64_t width = spec.net.width, hidden = spec.hidden == 0 ? width : spec.hidden;
    SparseLayer layer{spec.net.activation, read_sparse(spec, name + "first", hidden, width, builder), {}};
    if (spec.hidden > 0) layer.second = read_sparse(spec, name + "second", width, hidden, builder);
    return layer;
}

// A Monarch matrix: blocks, a transposition, blocks, a transposition, as HazyResearch's fly orders them.
struct Monarch {
    Matrix first, second;  // (blocks or 1, out, in), of a stack (K, blocks or 1, out, in)
    std::int64_t blocks, second_blocks;
    Tensor bias;

    Tensor operator()(const Tensor& x) const {
        const Tensor inner = by_blocks(x.reshape({x.size(0), blocks, -1}), first.value());
        const Tensor turned = inner.reshape({x.size(0), -1, second_blocks}).transpose(1, 2);
        const Tensor y = by_blocks(turned, second.value()).transpose(1, 2).flatten(1);
        return bias.defined() ? plus(y, bias) : y;
    }

    // (B, n, in) by n matrices, or one for all: (B, n, out).
    static Tensor by_blocks(const Tensor& x, const Tensor& matrices) {
        if (matrices.dim() == 4) return stacked_by_blocks(x, matrices);
        if (matrices.size(0) == 1) return at::matmul(x, matrices[0].t());
        return at::bmm(x.transpose(0, 1), matrices.transpose(1, 2)).transpose(0, 1);
    }

    // (K B, n, in) by n matrices of each run, or one of each for all n.
    static Tensor stacked_by_blocks(const Tensor& x, const Tensor& matrices) {
        const std::int64_t runs = matrices.size(0);
        if (matrices.size(1) == 1) return stacked_linear(x, matrices.squeeze(1), {});
        const Tensor parts = by_run(x, runs).transpose(1, 2).flatten(0, 1);  // (K n, B, in)
        const Tensor y = at::bmm(parts, matrices.flatten(0, 1).transpose(1, 2));
        return by_run(y, runs).transpose(1, 2).flatten(0, 1);
    }
};

Monarch read_monarch(const arch::MonarchSpec& spec, const std::string& name, Builder& builder) {
    return {builder.matrix(name + "first"), builder.matrix(name + "second"), spec.blocks, spec.second_blocks,
            builder.optional(name + "bias")};
}

using MonarchLayer = OneOrTwo<Monarch>;

MonarchLayer read_monarch_layer(const arch::MonarchSpec& spec, const std::string& name, Builder& builder) {
    if (spec.hidden == 0) return {spec.net.activation, read_monarch(spec, name, builder), {}};
    return {spec.net.activation, read_monarch(spec, name + "up.", builder),
            read_monarch(spec, name + "down.", builder)};
}

}  // namespace

Built build_pk(const arch::PkSpec& spec, Builder& builder) {
    return std::make_unique<FlatNetwork<PkLayer>>(
        spec.net, builder,
        [&](const std::string& name, std::int64_t number) { return read_pk(spec, name, number, builder); });
}

Built build_sw_mlp(const arch::SwMlpSpec& spec, Builder& builder) {
    return std::make_unique<FlatNetwork<SparseLayer>>(
        spec.net, builder,
        [&](const std::string& name, std::int64_t) { return read_sparse_layer(spec, name, builder); });
}

Built build_monarch(const arch::MonarchSpec& spec, Builder& builder) {
    return std::make_unique<FlatNetwork<MonarchLayer>>(
        spec.net, builder,
        [&](const std::string& name, std::int64_t) { return read_monarch_layer(spec, name, builder); });
}

}  // namespace plimsoll::model
