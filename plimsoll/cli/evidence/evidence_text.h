#pragma once

#include <vector>

#include "plimsoll/advise/evidence_fit.h"
#include "plimsoll/base/json.h"

namespace plimsoll::cli {

using EvidenceList = std::vector<const advise::EvidenceGroup*>;

// The groups with their valleys beside the load line's.
void print_evidence(const EvidenceList& groups);
Json evidence_json(const EvidenceList& groups);

// The constants, with each study left out once, and what rules lost on the evidence.
void print_line_fit(const advise::LineFit& fit);
Json line_fit_json(const advise::LineFit& fit);

// Each group's valley against size, with the load line, as Vega-Lite.
Json evidence_figure(const EvidenceList& groups);

}  // namespace plimsoll::cli
