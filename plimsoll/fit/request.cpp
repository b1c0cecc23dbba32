#include "plimsoll/fit/request.h"

#include "plimsoll/fit/json_fields.h"

namespace plimsoll::fit {

// What the race hangs on; the folder and the number of workers may change between two calls.
template <class Visit, class R>
void fields(Visit& visit, R& r)
    requires std::same_as<std::remove_const_t<R>, FitRequest>
{
    visit("data", r.data);
    visit("params", r.parameters);
    visit("families", r.families);
    visit("vocab", r.vocabularies);
    visit("context", r.context);
    visit("device", r.device);
    visit("seed", r.seed);
}

Json to_json(const FitRequest& request) {
    Json json = write_fields(request);
    json["time"] = request.seconds ? Json(*request.seconds) : Json(nullptr);
    json["flops"] = request.flops ? Json(*request.flops) : Json(nullptr);
    return json;
}

Result<FitRequest> request_from_json(const Json& json) {
    PLIMSOLL_ASSIGN(request, read_fields<FitRequest>(json, "request"));
    const auto number = [&](const char* key) -> std::optional<double> {
        if (!json.contains(key) || !json.at(key).is_number()) return std::nullopt;
        return json.at(key).get<double>();
    };
    request.seconds = number("time");
    request.flops = number("flops");
    return request;
}

}  // namespace plimsoll::fit
