#pragma once

#include "plimsoll/base/toml.h"

namespace plimsoll::lab {

using Places = TomlPlaces;

}  // namespace plimsoll::lab
