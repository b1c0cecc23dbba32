#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "plimsoll/server/http/http_server.h"

namespace plimsoll::server::testing {

// A connection that sends bytes as they are; closed with this.
class Client {
  public:
    explicit Client(std::uint16_t port);
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    bool send(const std::string& bytes) const;
    // What comes until the other end closes, `until` was read, or the time is over.
    std::string read(const std::string& until = "",
                     std::chrono::milliseconds most = std::chrono::seconds(120)) const;
    // Whether the other end closes within that time.
    [[nodiscard]] bool is_closed(std::chrono::milliseconds most) const;

  private:
    int descriptor_;
};

// The whole answer to one request that closes its connection; `headers` are lines with their ends.
std::string ask(std::uint16_t port, const std::string& method, const std::string& target,
                const std::string& body = "", const std::string& headers = "");
inline std::string get(std::uint16_t port, const std::string& target) { return ask(port, "GET", target); }

int status_of(const std::string& answer);
std::string body_of(const std::string& answer);

// A server on a free port, with a thread of its own.
class RunningServer {
  public:
    explicit RunningServer(HttpSettings settings);
    ~RunningServer();
    RunningServer(const RunningServer&) = delete;
    RunningServer& operator=(const RunningServer&) = delete;
    [[nodiscard]] std::uint16_t port() const { return server_->port(); }

  private:
    std::unique_ptr<HttpServer> server_;
    std::thread thread_;
};

}  // namespace plimsoll::server::testing
