#pragma once

#include <concepts>
#include <type_traits>

#include "plimsoll/fit/look/data_look.h"

namespace plimsoll::fit {

// An input's fields for json_fields.h: looks and candidates hold it.
template <class Visit, class C>
void fields(Visit& visit, C& c)
    requires std::same_as<std::remove_const_t<C>, InputChoice>
{
    visit("name", c.name);
    visit("tokenizer", c.tokenizer);
    visit("vocab", c.vocab);
    visit("patch", c.patch);
    visit("tokens", c.tokens);
    visit("units_per_token", c.units_per_token);
    visit("rank", c.rank);
    visit("effective_rank", c.effective_rank);
    visit("rank_source", c.rank_source);
    visit("validation_fraction", c.validation_fraction);
    visit("spec_keys", c.spec_keys);
}

}  // namespace plimsoll::fit
