#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "plimsoll/base/result.h"
#include "plimsoll/server/http/gate.h"
#include "plimsoll/server/http/message.h"

// HTTP/1.1 on one thread. Deadlines are for whole headers, bodies and answers, so that a client that sends or
// reads a byte now and then loses its connection like one that does nothing.
namespace plimsoll::server {

struct HttpLimits {
    std::size_t connections = 256;  // beyond it the one that waits longest for a request is closed
    std::uint32_t header_bytes = 16 * 1024;
    std::chrono::seconds header_time{10};  // from its first byte or, on a new connection, from its start
    std::chrono::seconds idle_time{30};    // between two requests
    std::chrono::seconds body_time{60};
    std::chrono::seconds write_time{30};   // of an answer, or of one event
    std::size_t unsent_bytes = 4'000'000;  // of events for a client that does not read
};

struct HttpSettings {
    std::string address = "127.0.0.1";
    std::uint16_t port = 8420;  // 0: any that is free
    Gate gate;
    HttpLimits limits;
    // How many bytes the body of this request may have; asked when its header has been read.
    std::function<std::uint64_t(const Request&)> body_limit;
    Handler handler;  // called on the server's thread; must not wait
};

class HttpServer {
  public:
    // Listens; `io` when the address cannot be had.
    static Result<std::unique_ptr<HttpServer>> listen(HttpSettings settings);
    virtual ~HttpServer() = default;

    [[nodiscard]] virtual std::uint16_t port() const = 0;
    // Answers requests until stop() is called from another thread or by a signal (SIGINT, SIGTERM, SIGHUP)
    // where `signals` is set.
    virtual void run(bool signals) = 0;
    virtual void stop() = 0;
};

}  // namespace plimsoll::server
