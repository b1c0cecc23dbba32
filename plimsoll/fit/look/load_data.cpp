#include <cstdlib>

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

}  // namespace

Result<LoadedData> load_look_data(const FitRequest& request) {
    const std::string name = request.data.empty() ? embedded_data : request.data;
    if (data::is_synthetic(name)) {
        PLIMSOLL_ASSIGN(made, data::make_synthetic(name));
        return LoadedData{std::move(made.name), std::move(made.dataset)};
    }
    data::DataRequest wanted{.target = name, .kind = request.kind};
    wanted.read = request.read;
    if (const char* folder = std::getenv("PLIMSOLL_DATA")) wanted.data_folder = folder;
    PLIMSOLL_ASSIGN(found, data::find_data(wanted));
    auto set = data::load_data(found, wanted);
    if (!set.ok()) return with_hint(set.error(), found.kind);
    return LoadedData{name, std::move(set).value()};
}

}  // namespace plimsoll::fit
