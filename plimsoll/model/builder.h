#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "plimsoll/model/frozen.h"
#include "plimsoll/model/layers.h"
#include "plimsoll/model/network.h"

namespace plimsoll::model {

// The parameters of arch::tensors(spec) with their first values, for a family to look up by name while it is
// built; in the end every one of them must have been asked for.
class Builder {
  public:
    // `init` is a resolved name of initialisations().
    Builder(const arch::ArchSpec& spec, const BuildOptions& options, const std::string& init);

    [[nodiscard]] const BuildOptions& options() const { return options_; }

    // The parameter of that name; a Bug when there is none.
    Tensor tensor(const std::string& name);
    // The same, or undefined when there is none.
    Tensor optional(const std::string& name);
    // A matrix with its prefactor.
    Matrix matrix(const std::string& name);
    // name.weight with name.bias, if there is one.
    Linear linear(const std::string& name);
    // name.weight with name.bias, if there is one; no norm when there is no such tensor.
    NormLayer norm(const std::string& name, arch::Norm kind);

    // Registers something frozen and puts it on the device; numbers get the dtype of the parameters.
    Tensor buffer(std::string name, Tensor value);
    // The two index tensors that permute_last() wants.
    std::pair<Tensor, Tensor> permutation(const std::string& name, const Images& images);

    // Names that nobody asked for.
    [[nodiscard]] std::vector<std::string> unused() const;

    std::vector<NamedTensor> parameters, buffers;

  private:
    BuildOptions options_;
    std::unordered_map<std::string, std::size_t> index_;
    std::vector<double> prefactors_;
    std::set<std::string> used_;
};

// A network that takes its tensors over from a builder.
class BuiltNetwork : public Network {
  public:
    using Network::forward;
    void take(const arch::ArchSpec& spec, Builder& builder) {
        spec_ = spec;
        runs_ = std::ssize(builder.options().init_seeds);
        parameters_ = std::move(builder.parameters);
        buffers_ = std::move(builder.buffers);
    }
};

// What a family's builder gives.
using Built = std::unique_ptr<BuiltNetwork>;

Built build_attention(const arch::AttentionSpec& spec, Builder& builder);
Built build_transformer(const arch::TransformerSpec& spec, Builder& builder);
Built build_square_mixer(const arch::SquareMixerSpec& spec, Builder& builder);
Built build_square_mlp(const arch::SquareMlpSpec& spec, Builder& builder);
Built build_mixer(const arch::MixerSpec& spec, Builder& builder);
Built build_pk(const arch::PkSpec& spec, Builder& builder);
Built build_sw_mlp(const arch::SwMlpSpec& spec, Builder& builder);
Built build_monarch(const arch::MonarchSpec& spec, Builder& builder);
Built build_s2_mlp(const arch::S2MlpSpec& spec, Builder& builder);
Built build_vip(const arch::VipSpec& spec, Builder& builder);
Built build_hire_mlp(const arch::HireMlpSpec& spec, Builder& builder);
Built build_mlp(const arch::MlpSpec& spec, Builder& builder);

}  // namespace plimsoll::model
