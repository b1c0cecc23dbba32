#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plimsoll/arch/tensors.h"
#include "plimsoll/base/format.h"

// A list of tensors under construction, with the shapes that recur.
namespace plimsoll::arch {

class TensorList {
  public:
    void add(std::string name, std::vector<std::int64_t> shape) {
        list_.push_back({std::move(name), std::move(shape)});
    }
    // A dense layer: weight (out, in) and, if wanted, bias (out).
    void linear(const std::string& name, std::int64_t in, std::int64_t out, bool bias) {
        add(name + ".weight", {out, in});
        if (bias) add(name + ".bias", {out});
    }
    // A norm over `size` numbers.
    void norm(const std::string& name, Norm kind, bool bias, std::int64_t size) {
        if (kind == Norm::none) return;
        add(name + ".weight", {size});
        if (bias) add(name + ".bias", {size});
    }
    std::vector<TensorShape> take() { return std::move(list_); }

  private:
    std::vector<TensorShape> list_;
};

std::vector<TensorShape> list_tensors(const AttentionSpec& spec);
std::vector<TensorShape> list_tensors(const TransformerSpec& spec);
std::vector<TensorShape> list_tensors(const SquareMixerSpec& spec);
std::vector<TensorShape> list_tensors(const SquareMlpSpec& spec);
std::vector<TensorShape> list_tensors(const MixerSpec& spec);
std::vector<TensorShape> list_tensors(const PkSpec& spec);
std::vector<TensorShape> list_tensors(const SwMlpSpec& spec);
std::vector<TensorShape> list_tensors(const MonarchSpec& spec);
std::vector<TensorShape> list_tensors(const S2MlpSpec& spec);
std::vector<TensorShape> list_tensors(const VipSpec& spec);
std::vector<TensorShape> list_tensors(const HireMlpSpec& spec);
std::vector<TensorShape> list_tensors(const MlpSpec& spec);

}  // namespace plimsoll::arch
