#include "plimsoll/fit/propose/rival.h"

#include <array>

#include "plimsoll/advise/levine_law.h"

namespace plimsoll::fit {
namespace {

double nanochat_width(double depth) { return 64 * depth; }

constexpr std::array rules{
    RivalRule{"nanochat", "width = 64 depth", "karpathy/nanochat base_train.py", nanochat_width, 0},
    RivalRule{"levine-law", "width = exp(5.039 + 0.0555 depth)", "Levine et al. 2020, fit",
              advise::levine_width, 0},
    RivalRule{"12-layers", "12 layers whatever happens", "BERT and GPT-2 in their small sizes", nullptr, 12},
};

constexpr double deepest = 1000;

}  // namespace

std::span<const RivalRule> rival_rules() { return rules; }

double rival_depth(const RivalRule& rule, std::int64_t budget, double input_rows) {
    if (rule.depth > 0) return static_cast<double>(rule.depth);
    double low = 0, high = deepest;
    for (int step = 0; step < 100; ++step) {
        const double depth = (low + high) / 2, width = rule.width(depth);
        const double parameters = 12 * depth * width * width + input_rows * width;
        (parameters <= static_cast<double>(budget) ? low : high) = depth;
    }
    return low;
}

}  // namespace plimsoll::fit
