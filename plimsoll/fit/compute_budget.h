#pragma once

#include <cstdint>

#include "plimsoll/fit/request.h"

// What a request pays for before anything is known of its data.
namespace plimsoll::fit {

constexpr double tokens_per_parameter = 20;  // Hoffmann et al. 2022
constexpr double runs_in_full = 36;          // what a race costs, in runs of its table

// What a device does with small networks; only for defaults.
struct DevicePace {
    double flops_per_second, least_parameters;
};

// The pace of the request's device.
const DevicePace& pace_of(const FitRequest& request);

// The FLOPs of the whole race: those asked for, or what the device does in the time.
double race_flops(const FitRequest& request);

// The parameters that the race's compute alone would allow.
std::int64_t budget_by_compute(const FitRequest& request);

}  // namespace plimsoll::fit
