#pragma once

#include <string>

#include "plimsoll/base/json.h"
#include "plimsoll/report/statistics/statistics.h"

// Numbers as people read them.
namespace plimsoll::report {

// Three significant figures, whole numbers exact: 0.123, 12.3, 65536, 1.2e-05.
std::string short_number(double value);

// The shortest text that is the number, with narrow no-break spaces between thousands: 64 000.
std::string spaced_number(double value);

// The mean with its half width to two figures and as many places: "12.31 +- 0.42"; without an interval four
// figures, whole numbers exact. Two numbers whose half width exceeds their mean are shown themselves: "50 (34
// to 66)". `plus_minus` is the sign between.
std::string mean_text(const Summary& summary, const std::string& plus_minus);

// The same for programs: mean, low and high (null without an interval), deviation, n.
Json summary_json(const Summary& summary);

// "-1.92 to -0.71", as many places as the length of the interval deserves.
std::string interval_text(const Interval& interval);

// The value with as many places as `width`, an uncertainty, deserves: two figures of it.
std::string number_beside(double value, double width);

}  // namespace plimsoll::report
