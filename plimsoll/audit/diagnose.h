#pragma once

#include <cstdint>
#include <optional>

#include "plimsoll/audit/report.h"

namespace plimsoll::audit {

struct DiagnoseOptions {
    std::optional<std::int64_t> context;  // instead of the model's own
};

// Everything that can be said about the model from its shape and its headers.
Report diagnose(const Target& target, const DiagnoseOptions& options = {});

}  // namespace plimsoll::audit
