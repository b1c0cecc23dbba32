#include "plimsoll/fit/decide/decision_fields.h"
#include "plimsoll/fit/json_fields.h"

namespace plimsoll::fit {

Json to_json(const Decision& decision) { return write_fields(decision); }

}  // namespace plimsoll::fit
