#include "plimsoll/fit/json_fields.h"
#include "plimsoll/fit/race/race.h"

namespace plimsoll::fit {

template <class Visit, class E>
void fields(Visit& visit, E& e)
    requires std::same_as<std::remove_const_t<E>, RaceEntry>
{
    visit("candidate", e.candidate);
    visit("run", e.run);
    visit("rung", e.rung);
    visit("rate", e.rate);
    visit("seed", e.seed);
    visit("steps", e.steps);
    visit("units_seen", e.units_seen);
    visit("flops", e.flops);
    visit("value", e.value);
    visit("value_half_width", e.value_half_width);
    visit("seconds", e.seconds);
    visit("state", e.state);
    visit("curve", e.curve);
}

template <class Visit, class P>
void fields(Visit& visit, P& p)
    requires std::same_as<std::remove_const_t<P>, Pace>
{
    visit("candidate", p.candidate);
    visit("seconds_per_flop", p.seconds_per_flop);
}

template <class Visit, class P>
void fields(Visit& visit, P& p)
    requires std::same_as<std::remove_const_t<P>, RacePlan>
{
    visit("batch", p.batch);
    visit("rungs", p.rungs);
    visit("last_seeds", p.last_seeds);
    visit("first_seeds", p.first_seeds);
    visit("wanted_steps", p.wanted_steps);
    visit("input_seeds", p.input_seeds);
    visit("settled", p.settled);
    visit("flops", p.flops);
    visit("candidates", p.candidates);
    visit("start_seconds", p.start_seconds);
    visit("pace", p.pace);
}

template <class Visit, class R>
void fields(Visit& visit, R& r)
    requires std::same_as<std::remove_const_t<R>, Race>
{
    visit("plan", r.plan);
    visit("entries", r.entries);
    visit("survivors", r.survivors);
    visit("seconds", r.seconds);
    visit("flops", r.flops);
    visit("complete", r.complete);
    visit("notes", r.notes);
}

Json to_json(const Race& race) { return write_fields(race); }

Result<Race> race_from_json(const Json& json) { return read_fields<Race>(json, "race"); }

}  // namespace plimsoll::fit
