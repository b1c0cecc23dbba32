#include "plimsoll/fit/json_fields.h"
#include "plimsoll/fit/look/input_fields.h"

namespace plimsoll::fit {

template <class Visit, class P>
void fields(Visit& visit, P& p)
    requires std::same_as<std::remove_const_t<P>, DependencePoint>
{
    visit("distance", p.distance);
    visit("bits", p.bits);
    visit("noise", p.noise);
}

template <class Visit, class S>
void fields(Visit& visit, S& s)
    requires std::same_as<std::remove_const_t<S>, SplitDependence>
{
    visit("split", s.split);
    visit("bits", s.bits);
    visit("noise", s.noise);
}

template <class Visit, class D>
void fields(Visit& visit, D& d)
    requires std::same_as<std::remove_const_t<D>, Dependence>
{
    visit("of", d.of);
    visit("by_distance", d.by_distance);
    visit("window", d.window);
    visit("splits", d.splits);
    visit("reach", d.reach);
    visit("sentences", d.sentences);
}

template <class Visit, class L>
void fields(Visit& visit, L& l)
    requires std::same_as<std::remove_const_t<L>, DataLook>
{
    visit("data", l.data);
    visit("modality", l.modality);
    visit("goal", l.goal);
    visit("unit", l.unit);
    visit("size", l.size);
    visit("held_out", l.held_out);
    visit("held_out_part", l.held_out_part);
    visit("classes", l.classes);
    visit("image_height", l.image_height);
    visit("image_width", l.image_width);
    visit("image_channels", l.image_channels);
    visit("length", l.length);
    visit("inputs", l.inputs);
    visit("dependence", l.dependence);
    visit("notes", l.notes);
    visit("chance", l.chance);
}

Json to_json(const DataLook& look) { return write_fields(look); }
Json to_json(const InputChoice& choice) { return write_fields(choice); }

Result<DataLook> look_from_json(const Json& json, std::string_view where) {
    return read_fields<DataLook>(json, std::string(where));
}

}  // namespace plimsoll::fit
