#include "plimsoll/train/evaluation.h"

namespace plimsoll::train {

Json to_json(const Evaluation& evaluation) {
    Json result{{"loss", evaluation.loss}, {"loss_half_width", evaluation.half_width}};
    if (evaluation.accuracy >= 0) result["accuracy"] = evaluation.accuracy;
    result["targets"] = evaluation.targets;
    if (evaluation.explained) result["explained_variance"] = *evaluation.explained;
    if (evaluation.error) result["error"] = *evaluation.error;
    if (evaluation.bits_per_byte >= 0) result["bits_per_byte"] = evaluation.bits_per_byte;
    if (evaluation.perplexity >= 0) result["perplexity"] = evaluation.perplexity;
    return result;
}

}  // namespace plimsoll::train
