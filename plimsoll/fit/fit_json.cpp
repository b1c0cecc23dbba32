#include "plimsoll/fit/fit_json.h"

namespace plimsoll::fit {

Json fit_json(const FitRequest& request, const DataLook& look, const Proposal& proposal, const Race& race,
              const std::optional<Decision>& decision, const std::optional<HandedOver>& handed) {
    return {{"format", "plimsoll-fit-1"},
            {"request", to_json(request)},
            {"look", to_json(look)},
            {"proposal", to_json(proposal)},
            {"race", to_json(race)},
            {"decision", decision ? to_json(*decision) : Json()},
            {"handed_over", handed ? to_json(*handed) : Json()}};
}

}  // namespace plimsoll::fit
