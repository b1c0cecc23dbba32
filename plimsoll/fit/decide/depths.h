#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "plimsoll/fit/decide/compare.h"
#include "plimsoll/fit/decide/depth_curve.h"
#include "plimsoll/fit/decide/noise.h"
#include "plimsoll/fit/propose/candidate.h"

// The depths of one family on one input that a rung compares.
namespace plimsoll::fit {

// A difference below this share of a value (of accuracy: so many points) is one that nobody would pay for:
// the 1 % of every valley.
inline constexpr double negligible_share = 0.01;

// What that is for the values of a rung, in their own unit.
double negligible(const RungTable& table, const DataLook& look);

// By depth the row of the first candidate of that depth (others have other heads), of the family and input of
// `like`.
std::map<std::int64_t, std::size_t> depth_rows(const RungTable& table, const Proposal& proposal,
                                               const Candidate& like);

// "1 layer", "4 layers".
std::string layers(std::int64_t depth);

// The smooth curve through these depths, lower values better; straight between the depths where no smooth
// curve comes within 1 % of them. Nothing where DepthCurve::make gives nothing.
struct RungCurve {
    DepthCurve curve;
    bool joined = false;
};
std::optional<RungCurve> curve_of(const RungTable& table, const RungNoise& noise, const DataLook& look,
                                  const std::map<std::int64_t, std::size_t>& rows);

}  // namespace plimsoll::fit
