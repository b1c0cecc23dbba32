#pragma once

// The one door to fmt: every module formats text through this header.
#include <fmt/format.h>
#include <fmt/ranges.h>
