#include "plimsoll/fit/look/data_look.h"

#include <array>

namespace plimsoll::fit {
namespace {

constexpr std::array modality_names{"text", "tokens", "images", "pairs", "sequences", "rows"};
constexpr std::array goal_names{"bits per byte", "accuracy", "explained variance"};

}  // namespace

std::string_view name_of(Modality modality) { return modality_names.at(static_cast<std::size_t>(modality)); }
std::string_view name_of(Goal goal) { return goal_names.at(static_cast<std::size_t>(goal)); }

std::string value_unit(const DataLook& look) {
    if (look.goal == Goal::accuracy) return "% accuracy";
    if (look.goal == Goal::explained_variance) return "% of the variance";
    return look.modality == Modality::text ? "bits per byte" : "bits per token";
}

}  // namespace plimsoll::fit
