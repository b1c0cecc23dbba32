#pragma once

#include <concepts>
#include <type_traits>

#include "plimsoll/fit/decide/decision.h"

// The fields of a decision for json_fields.h.
namespace plimsoll::fit {

template <class Visit, class V>
void fields(Visit& visit, V& v)
    requires std::same_as<std::remove_const_t<V>, Versus>
{
    visit("rival", v.rival);
    visit("candidate", v.candidate);
    visit("rung", v.rung);
    visit("difference", v.difference);
    visit("half_width", v.half_width);
    visit("verdict", v.verdict);
}

template <class Visit, class T>
void fields(Visit& visit, T& t)
    requires std::same_as<std::remove_const_t<T>, Tenfold>
{
    visit("depth_low", t.depth_low);
    visit("depth", t.depth);
    visit("depth_high", t.depth_high);
    visit("width", t.width);
    visit("sentence", t.sentence);
    visit("known", t.known);
}

template <class Visit, class D>
void fields(Visit& visit, D& d)
    requires std::same_as<std::remove_const_t<D>, Decision>
{
    visit("winner", d.winner);
    visit("best", d.best);
    visit("tie", d.tie);
    visit("tied", d.tied);
    visit("rung", d.rung);
    visit("seeds", d.seeds);
    visit("value", d.value);
    visit("half_width", d.half_width);
    visit("margin", d.margin);
    visit("margin_half_width", d.margin_half_width);
    visit("certainty", d.certainty);
    visit("sentence", d.sentence);
    visit("rivals", d.rivals);
    visit("theory_verdict", d.theory_verdict);
    visit("depth_matters", d.depth_matters);
    visit("depth_sentence", d.depth_sentence);
    visit("tenfold", d.tenfold);
    visit("change_first", d.change_first);
    visit("notes", d.notes);
}

}  // namespace plimsoll::fit
