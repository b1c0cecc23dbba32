#include "plimsoll/fit/handed_over.h"

namespace plimsoll::fit {

Json to_json(const HandedOver& handed) {
    return {{"report", handed.report},
            {"json", handed.json},
            {"run", handed.run},
            {"model", handed.model},
            {"config", handed.config},
            {"command", handed.command},
            {"exported", handed.exported ? exporter::to_json(*handed.exported) : Json()},
            {"missing", handed.missing},
            {"notes", handed.notes}};
}

}  // namespace plimsoll::fit
