#include "plimsoll/server/upload.h"

#include <array>
#include <utility>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/server/api.h"

namespace plimsoll::server {
namespace {

constexpr std::int64_t largest_file = std::int64_t{1} << 43;  // what file systems here can pretend to have
constexpr std::size_t most_emitted = 1'000'000;

Result<std::string> file_name(const std::string* kind) {
    static const std::vector<std::string> kinds{"config", "safetensors", "gguf"};
    const std::string given = kind == nullptr ? "" : *kind;
    if (given == kinds[0]) return std::string("config.json");
    if (given == kinds[1] || given == kinds[2]) return "model." + given;
    return bad_input("kind", "unknown '" + given + "'" + suggestion(given, kinds));
}

// The file as long as the client says it is.
Status stretch(const std::filesystem::path& path, const Request& request) {
    const auto* given = request.parameter("size");
    if (given == nullptr) return {};
    PLIMSOLL_ASSIGN(size, parse_count(*given, "size"));
    if (size < static_cast<std::int64_t>(request.body.size()) || size > largest_file)
        return bad_input("size",
                         fmt::format("must be {} to {}, got {}", request.body.size(), largest_file, size));
    std::error_code problem;
    std::filesystem::resize_file(path, static_cast<std::uintmax_t>(size), problem);
    if (problem) return io_error("size", problem.message());
    return {};
}

}  // namespace

Result<Upload> store_upload(const Request& request) {
    PLIMSOLL_ASSIGN(name, file_name(request.parameter("kind")));
    if (request.body.empty()) return bad_input(name, "is empty");
    PLIMSOLL_ASSIGN(folder, ScratchFolder::make("upload"));
    const auto place = folder.path() / "upload";  // what a model without a name is called by
    std::error_code problem;
    std::filesystem::create_directory(place, problem);
    PLIMSOLL_RETURN_IF_ERROR(atomic_write(place / name, request.body));
    if (name != "config.json") PLIMSOLL_RETURN_IF_ERROR(stretch(place / name, request));
    std::vector<std::string> words{"audit", "./" + name, "--json"};
    if (const auto* context = request.parameter("context")) {
        PLIMSOLL_ASSIGN(positions, parse_count(*context, "context"));
        words.push_back(fmt::format("--context={}", positions));
    }
    return Upload{std::move(folder), std::move(words)};
}

Response emitted_file(const std::filesystem::path& folder) {
    for (const char* name : {"config.json", "plimsoll.toml"}) {
        const auto text = read_text(folder / name, most_emitted);
        if (!text.ok()) continue;
        Response response{200, "application/octet-stream", *text};
        response.headers.emplace_back("Content-Disposition",
                                      fmt::format("attachment; filename=\"{}\"", name));
        return response;
    }
    return refusal(500, "emit", "no file was written");
}

}  // namespace plimsoll::server
