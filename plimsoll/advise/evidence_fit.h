#pragma once

#include <string>
#include <vector>

#include "plimsoll/advise/evidence.h"
#include "plimsoll/advise/load_line.h"

// From data/evidence.csv to the constants of the load line.
namespace plimsoll::advise {

// Least squares of what the networks of the groups lost, in percent, against shape_percent() and one free
// level for each group. Every study weighs the same, in it every group, in a group every network.
// Levenberg-Marquardt in the logarithms of the constants, from a fixed start: always the same numbers.
LineConstants fit_line(const std::vector<const EvidenceGroup*>& groups);

// The groups that the line is fitted to, without those of one study.
std::vector<const EvidenceGroup*> fitted_groups(const std::string& without = "");

// The constants of all studies, and without each in turn.
struct LineFit {
    LineConstants all;
    std::vector<std::string> studies;
    std::vector<LineConstants> without;  // by study
};
LineFit fit_all_studies();

// The smooth curve of one group: shape_percent() with the powers of the line and two amplitudes of its own,
// by least squares, neither below 0; and what it says of the group.
struct GroupCurve {
    LineConstants constants;
    double best = 0, low = 0, high = 0;  // depths; the valley of at most 1 % (accuracy: half a point)
    bool low_at_edge = false, high_at_edge = false;  // the valley reaches the end of the sweep
};
GroupCurve curve_of_group(const EvidenceGroup& group);

}  // namespace plimsoll::advise
