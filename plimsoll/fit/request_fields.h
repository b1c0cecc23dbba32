#pragma once

#include <concepts>
#include <type_traits>

#include "plimsoll/fit/request.h"

namespace plimsoll::fit {

// What the race depends on; the folder and the number of workers may change between two calls.
template <class Visit, class R>
void fields(Visit& visit, R& r)
    requires std::same_as<std::remove_const_t<R>, FitRequest>
{
    visit("data", r.data);
    visit("params", r.parameters);
    visit("families", r.families);
    visit("vocab", r.vocabularies);
    visit("context", r.context);
    visit("device", r.device);
    visit("seed", r.seed);
    visit("time", r.seconds);
    visit("flops", r.flops);
    visit("style", r.style);
    visit("recipe", r.recipe);
    visit("input", r.input);
}

}  // namespace plimsoll::fit
