#include "plimsoll/audit/open_target.h"

#include "plimsoll/audit/target_name.h"

namespace plimsoll::audit {
namespace {

Result<Target> from_zoo(const std::string& name) {
    PLIMSOLL_ASSIGN(row, find_in_zoo(name));
    return Target{row->shape, std::nullopt, "zoo", row};
}

}  // namespace

Result<Target> open_target(const std::string& target) { return from_zoo(target); }

}  // namespace plimsoll::audit
