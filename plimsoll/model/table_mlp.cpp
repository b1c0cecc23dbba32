#include "plimsoll/base/format.h"
#include "plimsoll/model/builder.h"
#include "plimsoll/model/mlp.h"
#include "plimsoll/model/stack.h"

namespace plimsoll::model {
namespace {

// Rows of a table as a vector of the width: numbers through a matrix plus one row of the table for each
// category, then layers x + W2 phi(W1 norm(x)), then an optional dense layer.
class TableMlp final : public BuiltNetwork {
  public:
    TableMlp(const arch::MlpSpec& spec, Builder& builder)
        : s_(spec), dropout_(builder.options().dropout), residual_(builder.options().scaling.residual) {
        if (spec.net.inputs > 0) input_ = builder.linear("input");
        if (spec.table_rows() > 0) categories_ = builder.tensor("categories.weight");
        for (std::int64_t l = 0; l < spec.net.depth; ++l) {
            const std::string name = fmt::format("layers.{}.", l);
            norms_.push_back(builder.norm(name + "norm", spec.net.norm));
            layers_.push_back(read_mlp(name + "mlp", spec.hidden == 0, spec.net.activation, builder));
        }
        if (spec.net.classes > 0) head_ = builder.linear("head");
    }

    [[nodiscard]] Tensor forward(const Input& input, const DropoutSeeds& seeds) const override {
        Dropout dropout(dropout_, seeds, parameters().front().tensor.device());
        Tensor x = embedded(input);  // (B, width)
        for (std::size_t l = 0; l < layers_.size(); ++l) {
            const Tensor y = layers_[l](norms_[l](x), dropout);
            x = s_.net.skip ? at::add(x, y, residual_) : y;
            input.after_layer(x);
        }
        return s_.net.classes > 0 ? head_(x) : x;
    }

  private:
    [[nodiscard]] Tensor embedded(const Input& input) const {
        const bool numbers = s_.net.inputs > 0 || !categories_.defined();
        Tensor x;
        if (numbers) x = s_.net.inputs > 0 ? input_(input.values.flatten(1)) : input.values.flatten(1);
        if (!categories_.defined()) return x;
        const Tensor rows = embed(categories_, input.tokens).sum(1);  // (B, columns, width) before the sum
        return numbers ? x + rows.to(x.scalar_type()) : rows;
    }

    arch::MlpSpec s_;
    double dropout_, residual_;  // Scaling::residual
    Linear input_, head_;
    Tensor categories_;  // all tables, one below the other: (rows, width)
    std::vector<NormLayer> norms_;
    std::vector<Mlp> layers_;
};

}  // namespace

Built build_mlp(const arch::MlpSpec& spec, Builder& builder) {
    return std::make_unique<TableMlp>(spec, builder);
}

}  // namespace plimsoll::model
