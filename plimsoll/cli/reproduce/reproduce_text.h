#pragma once

#include <string>
#include <vector>

#include "plimsoll/lab/experiment/reproduce.h"

namespace plimsoll::cli {

// Every experiment: id, source, title and its scales.
void print_experiments(const std::vector<lab::Experiment>& experiments);
Json experiments_json(const std::vector<lab::Experiment>& experiments);

// What a scale will take: sweeps, data and whether it is found, files that are made, cost, and how to give
// it to a cluster.
void print_reproduce_plan(const lab::Experiment& experiment, const lab::Scale& scale,
                          const lab::ReproducePlan& plan);
Json reproduce_plan_json(const lab::Experiment& experiment, const lab::Scale& scale,
                         const lab::ReproducePlan& plan);

// What came out: findings with their symbols (o as predicted, ! against, ? inside the noise, - no
// prediction), tables of means, what is missing.
void print_report(const report::Report& report);

// The end of `reproduce`: the report, the runs, the files in `out` and one command to go on with.
void print_reproduction(const lab::Experiment& experiment, const std::string& scale,
                        const lab::Reproduction& result, const std::filesystem::path& out);
Json reproduction_json(const lab::Reproduction& result);

}  // namespace plimsoll::cli
