// The headers that most sources include, precompiled once (PLIMSOLL_PCH); no source may rely on it: the presets without
// it (asan, tidy) must compile too.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "plimsoll/base/format.h"
#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"
