#include "plimsoll/run/data_request.h"

#include <cstdlib>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::run {

Result<data::DataRequest> data_request(const DataSettings& settings) {
    data::DataRequest request{.target = settings.name};
    if (settings.kind != "auto") {
        request.kind = data::kind_named(settings.kind);
        if (!request.kind) return bad_input("data.kind", fmt::format("no kind '{}'", settings.kind));
    }
    if (const char* folder = std::getenv("PLIMSOLL_DATA")) request.data_folder = folder;
    const DataSettings usual;
    if (settings.field != usual.field) request.read.field = settings.field;
    if (settings.columns != usual.columns) request.read.columns = split(settings.columns, ',');
    if (settings.label != usual.label) request.read.label = settings.label;
    if (settings.token_bits != 0) {
        if (settings.token_bits != 16 && settings.token_bits != 32)
            return bad_input("data.token_bits", fmt::format("must be 16 or 32, got {}", settings.token_bits));
        request.read.tokens.width = static_cast<data::TokenWidth>(settings.token_bits / 8);
    }
    request.read.resize = static_cast<std::size_t>(settings.resize);
    return request;
}

void set_reading(const data::ReadOptions& read, const std::optional<data::Kind>& kind,
                 DataSettings& settings) {
    if (kind) settings.kind = std::string(data::kind_name(*kind));
    if (!read.field.empty()) settings.field = read.field;
    if (!read.columns.empty()) settings.columns = join(read.columns, ",");
    if (!read.label.empty()) settings.label = read.label;
    if (read.tokens.width) settings.token_bits = 8 * static_cast<std::int64_t>(*read.tokens.width);
    if (read.resize > 0) settings.resize = static_cast<std::int64_t>(read.resize);
}

}  // namespace plimsoll::run
