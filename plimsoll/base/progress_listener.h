#pragma once

#include "plimsoll/base/progress.h"

namespace plimsoll {

// What set_progress_listener() gave this thread; empty where stderr hears.
ProgressCallback progress_listener();

}  // namespace plimsoll
