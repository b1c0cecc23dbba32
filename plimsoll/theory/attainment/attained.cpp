#include "plimsoll/theory/attainment/attained.h"

#include "plimsoll/base/format.h"
#include "plimsoll/theory/attainment/alternating_words.h"
#include "plimsoll/theory/attainment/norm_powers.h"
#include "plimsoll/theory/attainment/routes.h"

namespace plimsoll::theory {
namespace {

Ball certified_value(const AttainedShape& shape, const Route& route, int bits) {
    const std::int64_t layers = route.collapse.first_layers;
    switch (route.theorem) {
        case Route::Theorem::d1:
            return d1_attained_log3(shape.depth, route.width - 1, bits);
        case Route::Theorem::d2:
            return d2_attained_log3(shape.depth, layers, route.collapse.rank, bits);
        case Route::Theorem::d3:
            return d3_canonical_log3(alternating_word(shape.depth, layers, route.width), bits);
    }
    return Ball(0, bits);
}

std::string theorem_id(const Route& route) {
    if (route.theorem == Route::Theorem::d1) return "ATT-D1";
    if (route.imitated) return "ATT-E";
    if (route.theorem == Route::Theorem::d3) return "ATT-D3";
    return route.collapse.form == 'a' ? "ATT-D2" : "ATT-D2-H";
}

std::string parameters_of(const AttainedShape& shape, const Route& route) {
    const std::int64_t layers = route.collapse.first_layers;
    switch (route.theorem) {
        case Route::Theorem::d1:
            return fmt::format("n = {}", route.width - 1);
        case Route::Theorem::d2:
            return fmt::format("L0 = {}, rho = {}", layers, route.collapse.rank);
        case Route::Theorem::d3: {
            const auto word = alternating_word(shape.depth, layers, route.width);
            return fmt::format("L0 = {}, n = {}, nu = {}", layers, word.block, word.corner);
        }
    }
    return "";
}

// "one head of 192, D3: L0 = 4, ..." for route E, "(c) L0 = 3, ..." for heads.
std::string route_text(const AttainedShape& shape, const Route& route) {
    const std::string parameters = parameters_of(shape, route);
    if (route.imitated) {
        const char* theorem = route.theorem == Route::Theorem::d3 ? "D3" : "D2";
        return fmt::format("one head of {}, {}: {}", route.width, theorem, parameters);
    }
    if (route.theorem == Route::Theorem::d2 && route.collapse.form != 'a')
        return fmt::format("({}) {}", route.collapse.form, parameters);
    return parameters;
}

}  // namespace

std::optional<Attained> attained_log3(const AttainedShape& shape, int bits) {
    const auto route = best_route(shape);
    if (!route) return std::nullopt;
    return Attained{certified_value(shape, *route, bits), theorem_id(*route), route_text(shape, *route)};
}

}  // namespace plimsoll::theory
