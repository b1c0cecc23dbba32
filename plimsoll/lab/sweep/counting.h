#pragma once

#include <string>
#include <vector>

#include "plimsoll/arch/count.h"
#include "plimsoll/arch/spec.h"
#include "plimsoll/base/result.h"

namespace plimsoll::lab {

// A way to count parameters: everything, or what a paper counted when it said "64K parameters".
struct CountingWay {
    std::string name;
    std::string meaning;
    std::string source;
    // `unsupported` for a network that the way says nothing about.
    Result<arch::Count> (*count)(const arch::ArchSpec& spec) = nullptr;
};

// honest, non-embedding, levine, wies, navon.
const std::vector<CountingWay>& counting_ways();

// The way of that name, or null.
const CountingWay* counting_way(std::string_view name);

}  // namespace plimsoll::lab
