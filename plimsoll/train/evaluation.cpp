#include "plimsoll/train/evaluation.h"

namespace plimsoll::train {

Json to_json(const Evaluation& evaluation) {
    Json result{{"loss", evaluation.loss},
                {"loss_half_width", evaluation.half_width},
                {"accuracy", evaluation.accuracy},
                {"targets", evaluation.targets}};
    if (evaluation.bits_per_byte >= 0) result["bits_per_byte"] = evaluation.bits_per_byte;
    if (evaluation.perplexity >= 0) result["perplexity"] = evaluation.perplexity;
    return result;
}

}  // namespace plimsoll::train
