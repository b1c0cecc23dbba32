#include <cstdlib>
#include <filesystem>

#include "plimsoll/base/format.h"
#include "plimsoll/data/load.h"
#include "plimsoll/data/synthetic/synthetic.h"
#include "plimsoll/fit/look/look_task.h"

namespace plimsoll::fit {
namespace {

Error with_hint(Error error, data::Kind kind) {
    if (kind == data::Kind::tokens && error.kind == ErrorKind::bad_input)
        error.message += " (llm.c's header says it itself)";
    return error;
}

std::string name_of(const FitRequest& request) { return request.data.empty() ? embedded_data : request.data; }

data::DataRequest wanted_data(const FitRequest& request) {
    data::DataRequest wanted{.target = name_of(request), .kind = request.kind};
    wanted.read = request.read;
    if (const char* folder = std::getenv("PLIMSOLL_DATA")) wanted.data_folder = folder;
    return wanted;
}

}  // namespace

Status find_look_data(const FitRequest& request) {
    const std::string name = name_of(request);
    std::error_code ignored;
    if (data::is_synthetic(name) || std::filesystem::exists(name, ignored)) return {};
    PLIMSOLL_RETURN_IF_ERROR(data::find_data(wanted_data(request)));
    return {};
}

Result<LoadedData> load_look_data(const FitRequest& request) {
    const std::string name = name_of(request);
    if (data::is_synthetic(name)) {
        PLIMSOLL_ASSIGN(made, data::make_synthetic(name));
        return LoadedData{std::move(made.name), std::move(made.dataset)};
    }
    const data::DataRequest wanted = wanted_data(request);
    PLIMSOLL_ASSIGN(found, data::find_data(wanted));
    auto set = data::load_data(found, wanted);
    if (!set.ok()) return with_hint(set.error(), found.kind);
    return LoadedData{name, std::move(set).value()};
}

}  // namespace plimsoll::fit
