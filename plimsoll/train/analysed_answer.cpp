#include "plimsoll/train/analysed_answer.h"

namespace plimsoll::train {
namespace {

class FirstRow final : public model::Network {
  public:
    explicit FirstRow(std::unique_ptr<model::Network> inner) : inner_(std::move(inner)) {
        spec_ = inner_->spec();
        runs_ = inner_->runs();
        parameters_ = inner_->parameters();
        buffers_ = inner_->buffers();
    }
    [[nodiscard]] torch::Tensor forward(const model::Input& input,
                                        const model::DropoutSeeds& seeds) const override {
        return inner_->forward(input, seeds).select(1, 0);
    }

  private:
    std::unique_ptr<model::Network> inner_;
};

}  // namespace

std::unique_ptr<model::Network> with_answer(std::unique_ptr<model::Network> network) {
    if (!arch::is_analysed(network->spec())) return network;
    return std::make_unique<FirstRow>(std::move(network));
}

}  // namespace plimsoll::train
