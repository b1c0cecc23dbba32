#include "plimsoll/report/vega/point_roles.h"

#include <algorithm>

namespace plimsoll::report {
namespace {

Json role_channel(const PointRoles& roles, Json scale) {
    Json values = Json::array();
    for (const auto& name : roles.names)
        if (std::ranges::find(roles.shown, name) != roles.shown.end()) values.push_back(name);
    return {
        {"field", "role"},
        {"type", "nominal"},
        {"title", nullptr},
        {"scale", std::move(scale)},
        {"legend",
         {{"values", values}, {"symbolOpacity", 1}, {"symbolSize", 70}, {"symbolFillColor", "transparent"}}}};
}

}  // namespace

Json role_colour(const PointRoles& roles) { return role_channel(roles, {{"domain", roles.names}}); }

Json role_symbol(const PointRoles& roles) {
    return role_channel(roles, {{"domain", roles.names}, {"range", roles.symbols}});
}

}  // namespace plimsoll::report
