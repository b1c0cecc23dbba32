#include "plimsoll/fit/json_fields.h"
#include "plimsoll/fit/request_fields.h"

namespace plimsoll::fit {

Json to_json(const FitRequest& request) { return write_fields(request); }

}  // namespace plimsoll::fit
