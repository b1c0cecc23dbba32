#pragma once

#include "plimsoll/base/result.h"
#include "plimsoll/data/load.h"
#include "plimsoll/run/run_config.h"

namespace plimsoll::run {

// What a run with these settings reads; $PLIMSOLL_DATA is the folder of data sets.
Result<data::DataRequest> data_request(const DataSettings& settings);

// The settings with which a run reads its set as `read` and `kind` do; data_request() reverses it.
void set_reading(const data::ReadOptions& read, const std::optional<data::Kind>& kind,
                 DataSettings& settings);

}  // namespace plimsoll::run
