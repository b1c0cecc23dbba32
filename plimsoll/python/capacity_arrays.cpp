#include "plimsoll/python/capacity_arrays.h"

#include <cmath>
#include <optional>

#include <pybind11/stl.h>

#include "plimsoll/cli/capacity/capacity_text.h"
#include "plimsoll/python/values.h"
#include "plimsoll/theory/capacity/capacity_curve.h"

namespace plimsoll::python {
namespace {

using theory::CapacityCurve, theory::CapacityPoint;

template <class T, class Value>
py::object column(const CapacityCurve& curve, Value value) {
    std::vector<T> numbers;
    numbers.reserve(curve.points.size());
    for (const CapacityPoint& point : curve.points) numbers.push_back(value(point));
    return array_of(std::move(numbers));
}

py::dict columns_of(const CapacityCurve& curve) {
    using Integer = std::int64_t;
    py::dict columns;
    columns["depth"] = column<Integer>(curve, [](const auto& p) { return p.depth; });
    columns["width"] = column<Integer>(curve, [](const auto& p) { return p.width; });
    columns["parameters"] = column<Integer>(curve, [](const auto& p) { return p.parameters; });
    columns["log3_capacity"] = column<double>(curve, [](const auto& p) { return p.kappa; });
    columns["log3_proved_lower"] = column<double>(curve, [](const auto& p) { return p.proved_lower; });
    columns["knee"] = column<double>(curve, [](const auto& p) { return p.knee; });
    columns["published_threshold"] =
        column<double>(curve, [](const auto& p) { return p.published_threshold; });
    columns["certified_lower"] =
        column<double>(curve, [](const auto& p) { return p.certified ? p.certified->lower.lower() : NAN; });
    columns["certified_upper"] =
        column<double>(curve, [](const auto& p) { return p.certified ? p.certified->upper.upper() : NAN; });
    return columns;
}

py::tuple capacity_arrays(std::int64_t params, std::optional<std::int64_t> context,
                          std::optional<std::int64_t> vocab, std::int64_t max_depth,
                          const std::vector<std::int64_t>& certify, const py::object& progress) {
    const auto tell = listener(progress);
    auto curve = value_or_raise(without_gil([&] {
        return theory::capacity_curve({.parameters = params, .context = context, .vocab = vocab}, max_depth,
                                      certify, tell);
    }));
    py::dict facts;
    facts["past_threshold"] = py::cast(curve.past_threshold);
    facts["past_knee"] = py::cast(curve.past_knee);
    facts["string_cap_log3"] = py::cast(curve.string_cap);
    facts["saturated"] = py::cast(curve.saturated);
    return py::make_tuple(columns_of(curve), facts, to_python(cli::capacity_vega(curve)));
}

}  // namespace

void bind_capacity(py::module_& module) {
    module.def("capacity_arrays", &capacity_arrays, py::arg("params"), py::arg("context"), py::arg("vocab"),
               py::arg("max_depth"), py::arg("certify"), py::arg("progress"));
    module.def("table_depths", &cli::table_depths, py::arg("deepest"));
}

}  // namespace plimsoll::python
