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

template <class Visit, class S>
void fields(Visit& visit, S& s)
    requires std::same_as<std::remove_const_t<S>, Shortfall>
{
    visit("shortage", s.shortage);
    visit("sentence", s.sentence);
    visit("settled_by", s.settled_by);
    visit("seconds", s.seconds);
}

template <class Visit, class P>
void fields(Visit& visit, P& p)
    requires std::same_as<std::remove_const_t<P>, ValleyPoint>
{
    visit("depth", p.depth);
    visit("value", p.value);
    visit("low", p.low);
    visit("high", p.high);
}

template <class Visit, class V>
void fields(Visit& visit, V& v)
    requires std::same_as<std::remove_const_t<V>, Valley>
{
    visit("state", v.state);
    visit("family", v.family);
    visit("input", v.input);
    visit("rung", v.rung);
    visit("best", v.best);
    visit("best_low", v.best_low);
    visit("best_high", v.best_high);
    visit("low", v.low);
    visit("low_least", v.low_least);
    visit("low_most", v.low_most);
    visit("high", v.high);
    visit("high_least", v.high_least);
    visit("high_most", v.high_most);
    visit("open_below", v.open_below);
    visit("open_above", v.open_above);
    visit("joined", v.joined);
    visit("allowed", v.allowed);
    visit("curve", v.curve);
    visit("sentence", v.sentence);
}

template <class Visit, class C>
void fields(Visit& visit, C& c)
    requires std::same_as<std::remove_const_t<C>, NetworkCost>
{
    visit("candidate", c.candidate);
    visit("value", c.value);
    visit("run_seconds", c.run_seconds);
    visit("seconds_per_unit", c.seconds_per_unit);
    visit("flops_per_second", c.flops_per_second);
    visit("on_front", c.on_front);
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
    visit("tip", d.tip);
    visit("expected", d.expected);
    visit("given_up", d.given_up);
    visit("given_up_half_width", d.given_up_half_width);
    visit("certainty", d.certainty);
    visit("headline", d.headline);
    visit("reservation", d.reservation);
    visit("shortfalls", d.shortfalls);
    visit("sentence", d.sentence);
    visit("valley", d.valley);
    visit("costs", d.costs);
    visit("rivals", d.rivals);
    visit("theory", d.theory);
    visit("theory_verdict", d.theory_verdict);
    visit("depth_matters", d.depth_matters);
    visit("depth_sentence", d.depth_sentence);
    visit("tenfold", d.tenfold);
    visit("change_first", d.change_first);
    visit("notes", d.notes);
}

}  // namespace plimsoll::fit
