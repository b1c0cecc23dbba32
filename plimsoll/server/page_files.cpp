#include "plimsoll/server/page_files.h"

#include "plimsoll/base/json.h"

namespace plimsoll::server {
namespace {

constexpr int not_modified = 304;

// `size` bytes from `offset` of the pack, or an error: the pack is a file that npm made.
Result<std::string_view> part_of(std::string_view body, const Json& entry, const char* offset,
                                 const char* size) {
    const auto from = entry.value(offset, std::size_t{0}), length = entry.value(size, std::size_t{0});
    if (from > body.size() || length > body.size() - from) return bad_input("page", "the pack is cut off");
    return body.substr(from, length);
}

}  // namespace

Result<PageFiles> PageFiles::of(std::string_view pack) {
    PageFiles files;
    if (pack.empty()) return files;
    const auto end = pack.find('\n');
    PLIMSOLL_ASSIGN(index, parse_json(pack.substr(0, end), "page"));
    const auto body = pack.substr(end + 1);
    for (const auto& entry : index) {
        PLIMSOLL_ASSIGN(bytes, part_of(body, entry, "offset", "size"));
        PLIMSOLL_ASSIGN(gzipped, part_of(body, entry, "gzip_offset", "gzip_size"));
        files.files_[entry.value("path", "")] = {entry.value("type", ""), entry.value("tag", ""), bytes,
                                                 gzipped};
    }
    return files;
}

std::optional<Response> PageFiles::answer(const Request& request) const {
    const auto found = files_.find(request.path);
    if (found == files_.end()) return std::nullopt;
    const PageFile& file = found->second;
    Response response{200, file.type, ""};
    response.headers = {{"ETag", file.tag}, {"Cache-Control", "no-cache"}, {"Vary", "Accept-Encoding"}};
    if (request.header("if-none-match") == file.tag) {
        response.status = not_modified;
        return response;
    }
    const bool reads_gzip = request.header("accept-encoding").find("gzip") != std::string_view::npos;
    if (reads_gzip && !file.gzipped.empty()) response.headers.emplace_back("Content-Encoding", "gzip");
    response.body = reads_gzip && !file.gzipped.empty() ? file.gzipped : file.bytes;
    return response;
}

Response no_page() {
    return {200, "text/plain; charset=utf-8",
            "This plimsoll was built without the page: node and npm were not there.\n"
            "bin/plimsoll serve installs them and builds it; the API is at /api/v1/openapi.json.\n"};
}

}  // namespace plimsoll::server
