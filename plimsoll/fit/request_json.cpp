#include "plimsoll/fit/json_fields.h"
#include "plimsoll/fit/request_fields.h"

namespace plimsoll::fit {

namespace {

// Only what somebody said: the requests of before there was anything to say stay as they are.
Json reading_json(const FitRequest& request) {
    Json json = Json::object();
    if (request.kind) json["kind"] = std::string(data::kind_name(*request.kind));
    if (!request.read.field.empty()) json["field"] = request.read.field;
    if (!request.read.columns.empty()) json["columns"] = request.read.columns;
    if (!request.read.label.empty()) json["label"] = request.read.label;
    if (request.read.tokens.width) json["token_bits"] = 8 * static_cast<int>(*request.read.tokens.width);
    if (request.read.resize > 0) json["resize"] = request.read.resize;
    return json;
}

}  // namespace

Json to_json(const FitRequest& request) {
    Json json = write_fields(request);
    if (Json reading = reading_json(request); !reading.empty()) json["reading"] = std::move(reading);
    return json;
}

}  // namespace plimsoll::fit
