#pragma once

#include <string>
#include <string_view>
#include <vector>

// What is publicly known about loss against depth at one size: data/evidence.csv, as rows and as groups.
namespace plimsoll::advise {

// data/evidence.csv, as it was when the program was built.
std::string_view evidence_csv();

// How a value is to be read.
enum class Metric {
    loss,               // bits or nats: less is better, differences in percent
    percent_over_best,  // the increase itself
    accuracy,           // percent of answers: more is better, differences in points
};

// One trained network of a study.
struct EvidenceRow {
    std::string study, source, family, data, group, metric_name, matched_by, parameterization, how_read, note;
    int year = 0;
    bool fitted = false;  // whether the load line is fitted to it
    double non_embedding = 0, depth = 0, width = 0, value = 0;
    double embedding = 0, vocab = 0, context = 0;  // 0: not given
    Metric metric = Metric::loss;
};

// All rows, in the order of the file. A file that breaks its own rules is a Bug.
const std::vector<EvidenceRow>& evidence_rows();

// A network of a group: what it lost to the best of the group, in percent of loss (points of accuracy).
struct EvidencePoint {
    double depth = 0, width = 0;
    double lost = 0;          // as measured
    double lost_at_size = 0;  // with losses brought to the size of the group, where sizes differ
};

// Networks of one study that were to have the same size, by depth.
struct EvidenceGroup {
    std::string name, study, family, data, metric_name, matched_by, how_read;
    bool fitted = false;
    Metric metric = Metric::loss;
    double size = 0;  // geometric mean of the non-embedding parameters
    std::vector<EvidencePoint> points;
};

// The groups in the order of the file.
const std::vector<EvidenceGroup>& evidence_groups();

// The studies that the load line is fitted to, in the order of the file.
std::vector<std::string> fitted_studies();

// What a depth lost in a group: its points joined by lines over the logarithm of depth. Beyond the ends of
// the sweep the end counts, which flatters: `clamped` says so.
struct DepthLoss {
    double lost = 0;
    bool clamped = false;
};
DepthLoss lost_at_depth(const EvidenceGroup& group, double depth);

}  // namespace plimsoll::advise
