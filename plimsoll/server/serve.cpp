#include "plimsoll/server/serve.h"

#include <filesystem>
#include <memory>

#include "plimsoll/base/format.h"
#include "plimsoll/server/api.h"
#include "plimsoll/server/http/http_server.h"

namespace plimsoll::server {
namespace {

Result<std::unique_ptr<Api>> make_api(const ServeSettings& settings) {
    std::error_code problem;
    ApiSettings api;
    api.program = std::filesystem::read_symlink("/proc/self/exe", problem);
    if (problem) return io_error("plimsoll", "cannot find its own program: " + problem.message());
    api.runs = std::filesystem::absolute(settings.runs);
    api.limits.at_once = settings.at_once;
    api.limits.memory = settings.max_memory;
    return Api::make(api);
}

std::string address_to_open(const HttpServer& server, const std::string& address, const std::string& token) {
    const bool ipv6 = address.find(':') != std::string::npos;
    const std::string host = ipv6 ? "[" + address + "]" : address;
    return fmt::format("http://{}:{}/{}", host, server.port(), token.empty() ? "" : "?token=" + token);
}

}  // namespace

bool is_loopback(const std::string& address) { return address.starts_with("127.") || address == "::1"; }

Status serve(const ServeSettings& settings) {
    HttpSettings http;
    http.address = settings.address;
    http.port = settings.port;
    http.gate.loopback = is_loopback(settings.address);
    if (!http.gate.loopback) http.gate.token = random_token();
    const std::string token = http.gate.token;
    Api* api = nullptr;
    http.body_limit = [&api](const Request& request) { return api->body_limit(request); };
    http.handler = [&api](const std::shared_ptr<Exchange>& exchange) { api->answer(exchange); };
    PLIMSOLL_ASSIGN(server, HttpServer::listen(std::move(http)));
    PLIMSOLL_ASSIGN(made, make_api(settings));
    api = made.get();
    settings.listening(address_to_open(*server, settings.address, token), api->has_page());
    server->run(true);
    api->stop();
    return {};
}

}  // namespace plimsoll::server
