#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/model/builder.h"
#include "plimsoll/model/stack.h"

namespace plimsoll::model {
namespace {

bool listed(const std::vector<std::int64_t>& layers, std::int64_t layer) {
    return std::find(layers.begin(), layers.end(), layer) != layers.end();
}

std::vector<Matrix> layer_matrices(std::int64_t depth, Builder& builder) {
    std::vector<Matrix> layers;
    for (std::int64_t l = 0; l < depth; ++l) {
        layers.push_back(builder.matrix(fmt::format("layers.{}.weight", l)));
    }
    return layers;
}

// A permutation of the entries of a matrix, row by row; without images the identity.
struct EntryPermutation {
    Tensor images, places;

    Tensor operator()(const Tensor& x) const {
        if (!images.defined()) return x;
        return permute_last(x.flatten(1), images, places).view(x.sizes());
    }
};

EntryPermutation entry_permutation(const arch::SquareMixerSpec& spec, const std::string& name,
                                   const Images& given, Builder& builder) {
    const bool random = spec.permutations == arch::Permutations::random;
    if (!random && given.empty()) return {};
    RandomStream stream(spec.permutation_seed, "nets/square-mixer/" + name);
    const Images images = random ? random_images(spec.rows * spec.cols, stream) : given;
    const auto [there, back] = builder.permutation("permutations." + name, images);
    return {there, back};
}

// [Navon and Bronstein 2022, eq. 3]: odd layers (W pi_o(X))^2, even layers (pi_e(X) W)^2, plus pi_r(X).
class SquareMixer final : public BuiltNetwork {
  public:
    SquareMixer(const arch::SquareMixerSpec& spec, Builder& builder)
        : s_(spec),
          layers_(layer_matrices(spec.depth, builder)),
          odd_(entry_permutation(spec, "odd", spec.odd, builder)),
          even_(entry_permutation(spec, "even", spec.even, builder)),
          skip_(entry_permutation(spec, "skip", spec.skip, builder)) {}

    [[nodiscard]] Tensor forward(const Input& input, const DropoutSeeds&) const override {
        Tensor x = input.values;  // (B, rows, cols)
        for (std::int64_t k = 1; k <= s_.depth; ++k) {
            const Tensor weight = layers_[static_cast<std::size_t>(k - 1)].value();
            const Tensor mixed = k % 2 == 1 ? weight_times(weight, odd_(x)) : times_weight(even_(x), weight);
            x = listed(s_.residual, k) ? mixed.square() + skip_(x) : mixed.square();
            input.after_layer(x);
        }
        return x;
    }

  private:
    arch::SquareMixerSpec s_;
    std::vector<Matrix> layers_;
    EntryPermutation odd_, even_, skip_;
};

// [Navon and Bronstein 2022, eq. 1]: every layer (W X)^2, plus X in the residual layers.
class SquareMlp final : public BuiltNetwork {
  public:
    SquareMlp(const arch::SquareMlpSpec& spec, Builder& builder)
        : s_(spec), layers_(layer_matrices(spec.depth, builder)) {}

    [[nodiscard]] Tensor forward(const Input& input, const DropoutSeeds&) const override {
        Tensor x = input.values;  // (B, rows, cols)
        for (std::int64_t k = 1; k <= s_.depth; ++k) {
            const Tensor next = weight_times(layers_[static_cast<std::size_t>(k - 1)].value(), x).square();
            x = listed(s_.residual, k) ? next + x : next;
            input.after_layer(x);
        }
        return x;
    }

  private:
    arch::SquareMlpSpec s_;
    std::vector<Matrix> layers_;
};

}  // namespace

Built build_square_mixer(const arch::SquareMixerSpec& spec, Builder& builder) {
    return std::make_unique<SquareMixer>(spec, builder);
}

Built build_square_mlp(const arch::SquareMlpSpec& spec, Builder& builder) {
    return std::make_unique<SquareMlp>(spec, builder);
}

}  // namespace plimsoll::model
