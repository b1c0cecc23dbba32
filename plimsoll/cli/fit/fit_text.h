#pragma once

#include <string>

#include "plimsoll/fit/fit.h"

// What `plimsoll fit` says on stdout, step by step; in lines of at most 100 columns, most of 80.
namespace plimsoll::cli {

// "[2/5] Propose", and where it comes from when it was there already.
std::string step_heading(int step, bool again, bool colour);

// What is asked for and where the answer will be, before anything is done.
std::string request_text(const fit::FitRequest& request);

// What the data is, the ways to cut it, and dependence over distance as a chart.
std::string look_text(const fit::DataLook& look, bool colour);
std::string dependence_chart(const fit::Dependence& dependence);

// What theory expects, who races and why, and what was left out.
std::string proposal_text(const fit::Proposal& proposal, bool colour);

// What the trials of the inputs chose, and who races on it.
std::string settled_text(const fit::Proposal& proposal, bool colour);

// "rung 2 of 4: 5 networks, 3.2e+12 FLOPs each".
std::string rung_begins_text(const fit::RaceNews& news);

// The networks of a rung, best first: value, rate, seeds, and whether it goes on.
std::string rung_text(const fit::Race& race, int rung, const fit::DataLook& look,
                      const fit::Proposal& proposal, bool colour);

// What the race took.
std::string race_text(const fit::Race& race);

// The recommendation, the valley, its certainty, the rivals, theory and what follows.
std::string decision_text(const fit::Decision& decision, const fit::DataLook& look,
                          const fit::Proposal& proposal, bool colour);

// The files.
std::string handed_text(const fit::HandedOver& handed, const fit::FitRequest& request);

// The end of a fit that was stopped: what there is, and how to go on.
std::string stopped_text(const fit::FitOutcome& outcome);

}  // namespace plimsoll::cli
